import type { WorkflowClientInterceptor } from '@temporalio/client';

/** Where a workflow's details lead. */
export interface LinkSettings {
  /** Without a trailing slash. */
  readonly consoleUrl: string;
  /** Where the runbook is read; null: its paragraph is only named. */
  readonly runbookUrl: string | null;
}

/** What the runbook says of the workflows whose id begins so. */
const PARAGRAPHS: Readonly<Record<string, string>> = {
  deposit: 'an-order-that-nothing-moves',
  withdrawal: 'a-payout-is-stuck',
  callback: 'a-callback-failed',
  cashier: 'a-session-or-a-mail-waits',
  mail: 'a-session-or-a-mail-waits',
  platform_event: 'an-event-of-the-platform-is-not-delivered',
};

/** The console's page of a workflow's subject; undefined if it has none. */
function pageOf(noun: string, key: string): string | undefined {
  switch (noun) {
    case 'cashier':
      return `/cashier/${key}`;
    case 'deposit':
    case 'withdrawal':
    case 'callback':
      return `${key.startsWith('W') ? '/withdrawals' : '/deposits'}/${key}`;
    default:
      return undefined;
  }
}

/**
 * The lines of a workflow's details, in Markdown: its order in the console, and the runbook's paragraph.
 * @param workflowId such as `callback:D20260102K3XQ7ZP0M4TB:deposit_completed`
 */
export function linksOf(workflowId: string, { consoleUrl, runbookUrl }: LinkSettings): string {
  const [noun = '', key = ''] = workflowId.split(':');
  const page = pageOf(noun, key);
  const paragraph = PARAGRAPHS[noun];
  const lines = page === undefined ? [] : [`[${key} in the console](${consoleUrl}${page})`];
  if (paragraph !== undefined)
    lines.push(runbookUrl === null ? `Runbook: docs/runbook.md#${paragraph}` : `[Runbook](${runbookUrl}#${paragraph})`);
  return lines.join('\n\n');
}

/** Adds the links to the details that the Temporal UI shows of each workflow, from its start on. */
export function addLinks(settings: LinkSettings): WorkflowClientInterceptor {
  const linked = <Input extends { readonly options: { workflowId?: string; staticDetails?: string } }>(
    input: Input,
  ): Input => {
    const { workflowId = '', staticDetails } = input.options;
    const links = linksOf(workflowId, settings);
    if (links === '') return input;
    const details = staticDetails === undefined ? links : `${staticDetails}\n\n${links}`;
    return { ...input, options: { ...input.options, staticDetails: details } };
  };
  return {
    startWithDetails: async (input, next) => await next(linked(input)),
    signalWithStart: async (input, next) => await next(linked(input)),
  };
}
