import type { Tenant } from './tenant';

/** All stored data of one withdrawal that people decide on and pay by hand. Money as text with four decimals. */
interface Story {
  readonly orderNo: string;
  readonly status: string;
  /** Its frozen money: amount and fee. */
  readonly held: string;
  readonly amount: string;
  readonly fee: string;
  readonly events: readonly string[];
  /** Decisions that people recorded, as `VERDICT applied`. */
  readonly decisions: readonly string[];
  readonly attempts: readonly string[];
  /** Posted lines, as `TYPE account amount`, ids left out. */
  readonly lines: readonly string[];
  readonly callbacks: readonly string[];
  readonly alerts: readonly string[];
}

const storiesOf = async ({ database }: Tenant, merchantId: string): Promise<Story[]> =>
  await database.sql<Story[]>`
    select w.order_no, w.status, (w.amount + w.fee)::text as held, w.amount::text, w.fee::text,
      array(select e.type from order_events e
        where e.order_id = w.id and e.type not like 'callback%' order by e.position) as events,
      array(select d.verdict || case when d.applied_at is null then '' else ' applied' end
        from withdrawal_decisions d where d.withdrawal_id = w.id) as decisions,
      array(select a.status from payout_attempts a where a.withdrawal_id = w.id) as attempts,
      array(select t.type || ' ' || regexp_replace(l.account, ':[0-9a-f-]{36}', '') || ' ' || l.amount::text
        from ledger_transfers t join ledger_entries l on l.transfer_id = t.id
        where t.order_id = w.id order by t.id, l.line) as lines,
      array(select n.notification_type from notification_logs n
        where n.order_id = w.id order by n.notification_type) as callbacks,
      array(select a.kind from alerts a where a.about ->> 'orderNo' = w.order_no) as alerts
    from withdrawal_orders w where w.merchant_id = ${merchantId} order by w.id`;

/** Possible histories of an order that two people decided and two treasurers contended for, and their postings. */
interface Path {
  readonly events: readonly string[];
  readonly decision: string;
  readonly attempts: readonly string[];
  readonly callbacks: readonly string[];
}

const DONE = 'transfer_claimed transfer_begun completed';
const PATHS: Readonly<Record<string, Path>> = {
  REJECTED: {
    events: ['created decided rejected'],
    decision: 'REJECT applied',
    attempts: [],
    callbacks: ['withdrawal_rejected'],
  },
  CANCELLED: {
    events: ['cancelled', 'transfer_claimed cancelled'].map(
      (end) => `created decided approved transfer_task_opened ${end}`,
    ),
    decision: 'APPROVE applied',
    attempts: ['CANCELLED'],
    callbacks: ['withdrawal_approved'],
  },
  COMPLETED: {
    events: [`created decided approved transfer_task_opened ${DONE}`],
    decision: 'APPROVE applied',
    attempts: ['COMPLETED'],
    callbacks: ['withdrawal_approved', 'withdrawal_completed'],
  },
};

/** Frozen once, then either released or paid. */
function linesOf({ status, held, amount, fee }: Story): string[] {
  const frozen = [`WITHDRAWAL_FREEZE merchant:available -${held}`, `WITHDRAWAL_FREEZE merchant:frozen ${held}`];
  if (status !== 'COMPLETED')
    return [...frozen, `WITHDRAWAL_RELEASE merchant:available ${held}`, `WITHDRAWAL_RELEASE merchant:frozen -${held}`];
  return [
    ...frozen,
    `WITHDRAWAL_PAID merchant:frozen -${held}`,
    `WITHDRAWAL_PAID bank ${amount}`,
    ...(Number(fee) === 0 ? [] : [`WITHDRAWAL_PAID fee_income ${fee}`]),
  ];
}

const same = (some: readonly string[], others: readonly string[]): boolean =>
  [...some].sort().join() === [...others].sort().join();

/** One contender won, and the others left no effect. */
function* problemsOf(story: Story): Generator<string> {
  const { status, events, decisions, attempts, callbacks, alerts } = story;
  const way = events.filter((type) => type !== 'escalated').join(' ');
  const path = PATHS[status];
  if (!path?.events.includes(way)) {
    yield `${status} after ${way}`;
    return;
  }
  if (!same(decisions, [path.decision])) yield `decisions ${decisions.join()}`;
  if (!same(attempts, path.attempts)) yield `attempts ${attempts.join()}`;
  if (!same(callbacks, path.callbacks)) yield `callbacks ${callbacks.join()}`;
  if (!same(story.lines, linesOf(story))) yield `posted ${story.lines.join()}`;

  const escalations = events.filter((type) => type === 'escalated').length;
  if (escalations > 1) yield 'escalated twice';
  if (events.indexOf('escalated') > events.findIndex((type) => /^(approved|rejected)$/.test(type)))
    yield 'escalated after it was decided';
  if (!same(alerts, Array<string>(escalations).fill('APPROVAL_OVERDUE'))) yield `alerts ${alerts.join()}`;
}

/** The outcome of a merchant's withdrawals. */
export interface WithdrawalOutcome {
  /** How many ended in each state, by a consistent path. */
  readonly ends: Readonly<Record<string, number>>;
  /** How many were escalated because nobody decided in time. */
  readonly escalated: number;
  /** Each names an order. */
  readonly problems: readonly string[];
}

/** Reads each withdrawal's history and reports inconsistencies. */
export async function readWithdrawalStories(tenant: Tenant, merchantId: string): Promise<WithdrawalOutcome> {
  const ends: Record<string, number> = {};
  const problems: string[] = [];
  let escalated = 0;
  for (const story of await storiesOf(tenant, merchantId)) {
    const found = [...problemsOf(story)];
    if (found.length === 0) ends[story.status] = (ends[story.status] ?? 0) + 1;
    if (story.events.includes('escalated')) escalated++;
    problems.push(...found.map((problem) => `${story.orderNo}: ${problem}`));
  }
  return { ends, escalated, problems };
}
