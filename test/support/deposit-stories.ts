import { LIMITS } from '../../domain/limits';
import type { Tenant } from './tenant';

/** All stored data of one deposit. Money as text with four decimals. */
interface Story {
  readonly orderNo: string;
  readonly status: string;
  readonly fee: string;
  readonly actual: string;
  readonly events: readonly { type: string; attempt: number | null }[];
  readonly transfers: readonly {
    amount: string;
    reason: string | null;
    released: boolean | null;
    /** An alert says that a cancelled order's money waits. */
    alerted: boolean;
  }[];
  readonly credits: readonly { account: string; amount: string }[];
  readonly callbacks: readonly {
    type: string;
    status: string;
    attemptCount: number;
    totalAttempts: number;
    generation: number;
  }[];
  readonly attempts: readonly { generation: number; attempt: number; ended: boolean }[];
}

/** Every deposit of a tenant with its history. Its credits have its number as bank reference. */
async function storiesOf({ database }: Tenant): Promise<Story[]> {
  return await database.sql<Story[]>`
    select d.order_no, d.status, d.fee::text, d.actual_amount::text as actual,
      (select coalesce(json_agg(json_build_object('type', e.type,
          'attempt', (e.detail ->> 'attempt')::int) order by e.position), '[]')
        from order_events e where e.order_id = d.id) as events,
      (select coalesce(json_agg(json_build_object('amount', t.amount::text, 'reason', t.unmatched_reason,
          'released', case when a.id is not null then a.released_at is not null end,
          'alerted', exists (select from alerts l where l.kind = 'MONEY_OF_CANCELLED'
            and l.about ->> 'transferId' = t.id::text and l.about ->> 'cancelledOrderNo' = d.order_no))), '[]')
        from bank_transfers t left join transfer_allocations a on a.transfer_id = t.id
        where t.bank_reference = d.order_no) as transfers,
      (select coalesce(json_agg(json_build_object('account', l.account, 'amount', l.amount::text)
          order by l.line), '[]')
        from ledger_transfers x join ledger_entries l on l.transfer_id = x.id
        where x.order_id = d.id) as credits,
      (select coalesce(json_agg(json_build_object('type', n.notification_type, 'status', n.status,
          'attemptCount', n.attempt_count, 'totalAttempts', n.total_attempts,
          'generation', n.generation)), '[]')
        from notification_logs n where n.order_id = d.id) as callbacks,
      (select coalesce(json_agg(json_build_object('generation', a.generation, 'attempt', a.attempt,
          'ended', a.ended_at is not null) order by a.generation, a.attempt), '[]')
        from notification_logs n join callback_attempts a on a.notification_id = n.id
        where n.order_id = d.id) as attempts
    from deposit_orders d order by d.id`;
}

/** Possible histories of an order, by its final state. */
const PATHS: Readonly<Record<string, readonly string[]>> = {
  COMPLETED: ['created matched completed'],
  EXPIRED: ['created expired'],
  CANCELLED: ['created cancelled', 'created matched cancelled'],
};

/** The money: credited once if completed; otherwise the credit awaits a person, with the reason. */
function* moneyProblems(
  { status, fee, actual, transfers, credits, events }: Story,
  merchantId: string,
): Generator<string> {
  const [transfer, ...others] = transfers;
  if (!transfer || others.length > 0) yield `${transfers.length} transfers`;
  const matched = events.some(({ type }) => type === 'matched');
  if (status === 'COMPLETED') {
    if (transfer?.released !== false || transfer.reason !== null) yield 'completed, and its transfer is not its own';
    const net = (Number(actual) - Number(fee)).toFixed(4);
    const expected = [`suspense -${actual}`, `merchant:${merchantId}:available ${net}`, `fee_income ${fee}`];
    const posted = credits.map(({ account, amount }) => `${account} ${amount}`);
    if (posted.sort().join() !== expected.sort().join()) yield `credited ${posted.join()}`;
    return;
  }
  if (credits.length > 0 || actual !== '0.0000') yield `${status} and credited`;
  const expected = matched ? ['REOPENED', true] : ['ORDER_NOT_PENDING', null];
  if (transfer && (transfer.reason !== expected[0] || transfer.released !== expected[1]))
    yield `${status}, and its transfer is ${transfer.reason ?? 'matched'}`;
  if (transfer && transfer.alerted !== (status === 'CANCELLED'))
    yield `${status}, and ${transfer.alerted ? 'an alert' : 'no alert'} tells of its money`;
}

/** The callback: one row for the final state; after each resend attempts 1, 2, 3, … of at most five. */
function* callbackProblems(story: Story, received: number): Generator<string> {
  const { status, callbacks, attempts, events } = story;
  const [callback, ...others] = callbacks;
  if (callback?.type !== `deposit_${status.toLowerCase()}` || others.length > 0) {
    yield `callbacks ${callbacks.map(({ type }) => type).join()}`;
    return;
  }
  let generation = 1;
  let attempt = 0;
  let over = false;
  for (const event of events.filter(({ type }) => type.startsWith('callback_'))) {
    if (event.type === 'callback_rearmed') {
      generation++;
      attempt = 0;
      over = false;
      continue;
    }
    if (over || event.attempt !== ++attempt) yield `an attempt out of turn: ${JSON.stringify(events)}`;
    over = event.type !== 'callback_attempt_failed';
  }
  if (!over) yield 'its callback is not over';
  if (callback.generation !== generation || callback.attemptCount !== attempt)
    yield `generation ${callback.generation}, attempt ${callback.attemptCount}: the events say ${generation}, ${attempt}`;
  for (let of = 1; of <= generation; of++) {
    const numbers = attempts.filter((one) => one.generation === of).map((one) => one.attempt);
    if (numbers.length > LIMITS.callbackAttempts || numbers.some((number, i) => number !== i + 1))
      yield `attempts ${numbers.join()} in generation ${of}`;
  }
  if (attempts.some(({ ended }) => !ended)) yield 'an attempt that never ended';
  if (callback.totalAttempts !== attempts.length || received !== attempts.length)
    yield `${callback.totalAttempts} attempts counted, ${attempts.length} noted, ${received} received`;
}

/** The outcome of all deposits. */
export interface Outcome {
  /** How many ended in each state, by their path. */
  readonly ends: Readonly<Record<string, number>>;
  /** Each names an order. */
  readonly problems: readonly string[];
  /** Accepted resends. */
  readonly resends: number;
}

/**
 * Reads each deposit's history and reports inconsistencies.
 * @param received how many callbacks the merchant's server got for an order
 */
export async function readStories(
  tenant: Tenant,
  merchantId: string,
  received: (orderNo: string) => number,
): Promise<Outcome> {
  const ends: Record<string, number> = {};
  const problems: string[] = [];
  let resends = 0;
  for (const story of await storiesOf(tenant)) {
    const path = story.events
      .map(({ type }) => type)
      .filter((type) => !type.startsWith('callback_'))
      .join(' ');
    ends[path] = (ends[path] ?? 0) + 1;
    resends += story.events.filter(({ type }) => type === 'callback_rearmed').length;
    const found = [
      ...(PATHS[story.status]?.includes(path) ? [] : [`${story.status} after ${path}`]),
      ...moneyProblems(story, merchantId),
      ...callbackProblems(story, received(story.orderNo)),
    ];
    problems.push(...found.map((problem) => `${story.orderNo}: ${problem}`));
  }
  return { ends, problems, resends };
}
