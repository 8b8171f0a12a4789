import { inWords } from '../../format/words';
import type { DepositQuery } from '../../generated/operations';

/** A deposit as its page shows it. */
export type Deposit = NonNullable<DepositQuery['deposit']>;
/** The fields of an order that its timeline is made from. */
export type StoryOrder = Pick<
  Deposit,
  'orderNo' | 'timeline' | 'ledgerEntries' | 'bankTransfers' | 'callbacks' | 'account' | 'workflow'
> & { readonly merchant: { readonly id: string; readonly merchantCode: string } };
export type DepositEvent = Deposit['timeline'][number];
export type LedgerLine = Deposit['ledgerEntries'][number];
export type Transfer = Deposit['bankTransfers'][number];
export type Callback = Deposit['callbacks'][number];
export type Attempt = Callback['attempts'][number];

/** An entry of the timeline; each kind comes from its own table. */
export type Chapter =
  | {
      readonly kind: 'event';
      readonly key: string;
      readonly at: string;
      readonly event: DepositEvent;
    }
  | {
      readonly kind: 'bank';
      readonly key: string;
      readonly at: string;
      readonly transfer: Transfer;
    }
  | {
      readonly kind: 'ledger';
      readonly key: string;
      readonly at: string;
      readonly lines: readonly [LedgerLine, ...LedgerLine[]];
    }
  | {
      readonly kind: 'callback';
      readonly key: string;
      readonly at: string;
      readonly callback: Callback;
      readonly attempt: Attempt;
    };

/** The kinds of chapters. */
export const CHAPTER_KINDS = ['event', 'bank', 'ledger', 'callback'] as const;

/** For two chapters of the same instant: bank, order, ledger, callback. */
const PRECEDENCE: Record<Chapter['kind'], number> = { bank: 0, event: 1, ledger: 2, callback: 3 };

/** Groups the entries of one ledger transfer. */
function transfersOf(entries: readonly LedgerLine[]): (readonly [LedgerLine, ...LedgerLine[]])[] {
  const byTransfer = new Map<string, [LedgerLine, ...LedgerLine[]]>();
  for (const line of entries) {
    const lines = byTransfer.get(line.transferId);
    if (lines) lines.push(line);
    else byTransfer.set(line.transferId, [line]);
  }
  return [...byTransfer.values()];
}

/** Everything that happened to an order, oldest first. */
export function storyOf(order: StoryOrder): Chapter[] {
  const chapters: Chapter[] = [
    ...order.timeline.map((event, index): Chapter => ({
      kind: 'event',
      // Events keep their own order, which their times may contradict.
      key: `event:${String(index).padStart(6, '0')}:${event.id}`,
      at: event.at,
      event,
    })),
    ...order.bankTransfers.map((transfer): Chapter => ({
      kind: 'bank',
      key: `bank:${transfer.id}`,
      at: transfer.receivedAt,
      transfer,
    })),
    ...transfersOf(order.ledgerEntries).map((lines): Chapter => ({
      kind: 'ledger',
      key: `ledger:${lines[0].transferId}`,
      at: lines[0].at,
      lines,
    })),
    ...order.callbacks.flatMap((callback) =>
      callback.attempts.map((attempt): Chapter => ({
        kind: 'callback',
        key: `callback:${callback.id}:${String(attempt.generation)}:${String(attempt.attempt)}`,
        at: attempt.startedAt,
        callback,
        attempt,
      })),
    ),
  ];
  return chapters.sort(
    (a, b) =>
      Date.parse(a.at) - Date.parse(b.at) || PRECEDENCE[a.kind] - PRECEDENCE[b.kind] || (a.key < b.key ? -1 : 1),
  );
}

/** Whether old entries have left the database for files (docs/production.md): the first event, or attempts, are missing. */
export const hasArchived = ({ timeline, callbacks }: StoryOrder): boolean =>
  !timeline.some(({ type }) => type === 'created') ||
  callbacks.some(({ attempts, totalAttempts }) => attempts.length < totalAttempts);

/** The last event's number, from which the subscription starts. */
export const lastSeqOf = (order: Pick<StoryOrder, 'timeline'>): string | null =>
  order.timeline.reduce<string | null>(
    (last, { seq }) => (seq !== null && (last === null || BigInt(seq) > BigInt(last)) ? seq : last),
    null,
  );

/** A ledger account's name, where this order knows it. */
export function ledgerAccountName(account: string, order: StoryOrder): string {
  const [kind = '', id, part] = account.split(':');
  if (kind === 'bank' && id === order.account?.id) return `Bank · ${order.account?.name ?? ''}`;
  if (kind === 'merchant' && id === order.merchant.id) return `${order.merchant.merchantCode} · ${part ?? ''}`;
  if (kind === 'channel' || id === undefined) return inWords(kind);
  return account;
}
