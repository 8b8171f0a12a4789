import { Chip, Group } from '@mantine/core';
import type { ReactNode } from 'react';
import { inWords, prettyJson } from '../../format/words';
import { formatDistance } from '../../format/time';
import type { ActorNameFragment } from '../../generated/operations';
import { Icon, type IconName } from '../../parts/icons';
import { Money } from '../../parts/money';
import { Facts } from '../../parts/page';
import { ProofLink } from '../../parts/proof';
import { Status, type Tone } from '../../parts/status';
import { Time, useNow } from '../../parts/time';
import { useUrlState } from '../../parts/url';
import {
  type Attempt,
  type Callback,
  type Chapter,
  CHAPTER_KINDS,
  hasArchived,
  ledgerAccountName,
  storyOf,
  type StoryOrder,
} from './story';

const KINDS: Readonly<Record<Chapter['kind'], { words: string; icon: IconName }>> = {
  event: { words: 'Order', icon: 'deposit' },
  bank: { words: 'Bank', icon: 'account' },
  ledger: { words: 'Ledger', icon: 'ledger' },
  callback: { words: 'Callbacks', icon: 'send' },
};

/** An actor by its name; one without a name by the end of its id. */
function who({ kind, id, label }: ActorNameFragment): string {
  const word = kind.toLowerCase();
  return label ?? (id === null ? word : `${word} …${id.slice(-6)}`);
}

const isEmpty = (value: unknown): boolean =>
  value === null || value === '' || (Array.isArray(value) && value.length === 0);

/** Flattens nested objects: `account` in `routing` becomes "Routing account". */
function pairsOf(of: object, prefix = ''): (readonly [string, unknown])[] {
  return Object.entries(of)
    .filter(([, value]) => !isEmpty(value))
    .flatMap(([name, value]: [string, unknown]) =>
      typeof value === 'object' && value !== null && !Array.isArray(value)
        ? pairsOf(value, `${prefix}${name} `)
        : [[`${prefix}${name}`, value] as const],
    );
}

/** A value as text; constants within lists and objects, such as the findings of a review, in words. */
function textOf(value: unknown, within = false): string {
  if (Array.isArray(value)) return value.map((one) => textOf(one, true)).join(', ');
  if (typeof value === 'object' && value !== null)
    return Object.entries(value)
      .map(([name, one]) => `${inWords(name)}: ${textOf(one, true)}`)
      .join('; ');
  if (typeof value !== 'string') return JSON.stringify(value);
  return within && /^[A-Z]+(_[A-Z]+)*$/.test(value) ? inWords(value) : value;
}

/** An event's details as pairs, without empty ones. */
function Detail({ of, order }: { of: unknown; order: StoryOrder }): ReactNode {
  if (typeof of !== 'object' || of === null) return null;
  const names = new Map<unknown, string>([
    [order.merchant.id, order.merchant.merchantCode],
    [order.account?.id, order.account?.name ?? ''],
  ]);
  const pairs = pairsOf(of).map(([name, value]) => [name, names.get(value) ?? value] as const);
  if (pairs.length === 0) return null;
  return (
    <Facts
      of={pairs.map(([name, value]) => [
        inWords(name),
        <span key={name} className="mono wrap">
          {textOf(value)}
        </span>,
      ])}
    />
  );
}

/** A link to save an attached proof. */
function AttachedProof({ of, order }: { of: unknown; order: StoryOrder }): ReactNode {
  const { proofId, type } = of as { proofId: string; type: string };
  return <ProofLink id={proofId} type={type} orderNo={order.orderNo} />;
}

function toneOf({ endedAt, responseStatus }: Attempt, callback: Callback): Tone {
  if (endedAt === null) return callback.status === 'SENDING' ? 'move' : 'bad';
  return responseStatus !== null && responseStatus >= 200 && responseStatus < 300 ? 'good' : 'bad';
}

const answerOf = ({ endedAt, responseStatus, error }: Attempt, { status }: Callback): string => {
  if (responseStatus !== null) return `answered ${String(responseStatus)}`;
  if (error !== null) return error;
  return endedAt === null && status === 'SENDING' ? 'under way' : 'interrupted';
};

function Exchange({ callback, attempt }: { callback: Callback; attempt: Attempt }): ReactNode {
  return (
    <details>
      <summary>Request and answer</summary>
      <div className="exchange">
        <section aria-label="Request">
          <p className="small-head">Request</p>
          <p className="mono wrap">POST {callback.targetUrl}</p>
          <pre tabIndex={0}>{prettyJson(callback.requestBody)}</pre>
        </section>
        <section aria-label="Answer">
          <p className="small-head">Answer</p>
          <p className="mono wrap">
            {attempt.responseStatus === null ? (attempt.error ?? 'none') : `HTTP ${String(attempt.responseStatus)}`}
          </p>
          <pre tabIndex={0}>
            {attempt.responseBody === null || attempt.responseBody === ''
              ? '(empty)'
              : prettyJson(attempt.responseBody)}
          </pre>
        </section>
      </div>
    </details>
  );
}

function describe(chapter: Chapter, order: StoryOrder): { title: ReactNode; body: ReactNode } {
  switch (chapter.kind) {
    case 'event':
      return {
        title: (
          <>
            {inWords(chapter.event.type)} <span className="dim">by {who(chapter.event.actorInfo)}</span>
          </>
        ),
        body:
          chapter.event.type === 'transfer_proof_attached' ? (
            <AttachedProof of={chapter.event.detail} order={order} />
          ) : (
            <Detail of={chapter.event.detail} order={order} />
          ),
      };
    case 'bank': {
      const { transfer } = chapter;
      return {
        title: (
          <>
            Reported by the bank <Money amount={transfer.amount} currency={transfer.currencyCode} />{' '}
            <span className="dim">by {who(transfer.sourceInfo)}</span>
          </>
        ),
        body: (
          <Facts
            of={[
              ['Memo', <span className="mono wrap">{transfer.memo || '–'}</span>],
              ['Payer', [transfer.payerName, transfer.payerAccount].filter(Boolean).join(' · ') || null],
              ['Bank reference', transfer.bankReference],
              ['Booked', <Time at={transfer.bankTime} />],
            ]}
          />
        ),
      };
    }
    case 'ledger':
      return {
        title: <>{inWords(chapter.lines[0].type)} posted</>,
        body: (
          <table className="lines">
            <tbody>
              {chapter.lines.map((line) => (
                <tr key={line.line}>
                  <th scope="row">{ledgerAccountName(line.account, order)}</th>
                  <td className="numeric">
                    <Money amount={line.amount} currency={line.currencyCode} signed />
                  </td>
                  <td className="numeric dim">
                    {line.balanceAfter !== null && (
                      <>
                        balance <Money amount={line.balanceAfter} currency={line.currencyCode} />
                      </>
                    )}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        ),
      };
    case 'callback': {
      const { callback, attempt } = chapter;
      return {
        title: (
          <>
            {inWords(callback.notificationType)}, attempt {attempt.attempt}{' '}
            {attempt.generation > 1 && <span className="dim">(resend {attempt.generation - 1}) </span>}
            <Status
              value={answerOf(attempt, callback)}
              words={answerOf(attempt, callback)}
              tone={toneOf(attempt, callback)}
            />
          </>
        ),
        body: <Exchange callback={callback} attempt={attempt} />,
      };
    }
  }
}

/** What the order's workflow is waiting for. */
function Waiting({ order }: { order: StoryOrder }): ReactNode {
  const now = useNow(1_000);
  const failed = order.callbacks.find(({ status }) => status === 'FAILED');
  const { url } = order.workflow;
  // If the merchant never got the callback, the order needs attention.
  const { waitsFor, since } = order.workflow.waitsFor === null && failed ? failed.workflow : order.workflow;
  return (
    <li className="chapter now">
      <span className="chapter-icon">
        <Icon name="workflow" />
      </span>
      <div className="chapter-body">
        <p className="chapter-title">
          {waitsFor === null ? (
            'The workflow has ended'
          ) : (
            <>
              Now waiting for {waitsFor}
              {since !== null && <span className="dim"> · since {formatDistance(since, now)}</span>}
            </>
          )}
        </p>
        {url !== null && (
          <a href={url} target="_blank" rel="noreferrer">
            Workflow in the Temporal UI <Icon name="external" size={12} />
          </a>
        )}
      </div>
    </li>
  );
}

/** The timeline of an order; kinds of chapters can be hidden. */
export function Timeline({ order, fresh }: { order: StoryOrder; fresh: ReadonlySet<string> }): ReactNode {
  const url = useUrlState();
  const hidden = new Set((url.get('hide') ?? '').split(','));
  const story = storyOf(order);
  return (
    <>
      <Group gap={6} role="group" aria-label="Shown in the timeline" className="chips">
        {CHAPTER_KINDS.map((kind) => (
          <Chip
            key={kind}
            size="xs"
            variant="outline"
            checked={!hidden.has(kind)}
            onChange={(shown) => {
              const hide = CHAPTER_KINDS.filter((one) => (one === kind ? !shown : hidden.has(one)));
              url.set({ hide: hide.join(',') });
            }}
          >
            {KINDS[kind].words} {story.filter((chapter) => chapter.kind === kind).length}
          </Chip>
        ))}
      </Group>
      {hasArchived(order) && <p className="dim">Older entries are in the archive.</p>}
      <ol className="story" aria-label="Timeline">
        {story
          .filter(({ kind }) => !hidden.has(kind))
          .map((chapter) => {
            const { title, body } = describe(chapter, order);
            return (
              <li
                key={chapter.key}
                className={fresh.has(chapter.key) ? `chapter ${chapter.kind} changed` : `chapter ${chapter.kind}`}
              >
                <span className="chapter-icon" title={KINDS[chapter.kind].words}>
                  <Icon name={KINDS[chapter.kind].icon} />
                </span>
                <div className="chapter-body">
                  <p className="chapter-title">
                    <span className="chapter-words">{title}</span>
                    <Time at={chapter.at} />
                  </p>
                  {body}
                </div>
              </li>
            );
          })}
        <Waiting order={order} />
      </ol>
    </>
  );
}
