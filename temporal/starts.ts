import type { WorkflowStartOptions } from '@temporalio/client';
import type { SearchAttributePair } from '@temporalio/common';
import { WORKFLOW_TYPES, type WorkflowNoun, type WorkflowType } from '../domain/ids';
import { OUTBOX_RANK } from '../domain/outbox';
import type { WaitsFor } from '../domain/waiting';
import type { CallbackDeliveryStart } from '../workflows/callback-delivery';
import type { CashierSessionStart } from '../workflows/cashier-session';
import type { DepositOrderStart } from '../workflows/deposit-order';
import type { MailDeliveryStart } from '../workflows/mail-delivery';
import type { PlatformEventDeliveryStart } from '../workflows/platform-event-delivery';
import type { WithdrawalOrderStart } from '../workflows/withdrawal-order';
import { SEARCH_ATTRIBUTES as attribute } from '../workflows/attributes';
import {
  BACKGROUND_TASK_QUEUE,
  CALLBACKS_TASK_QUEUE,
  ORDERS_TASK_QUEUE,
  WITHDRAWALS_TASK_QUEUE,
} from '../workflows/shared';

/** How each noun's workflow is started, from the arguments in its outbox row. */
interface Starts {
  deposit: DepositOrderStart;
  channel_deposit: DepositOrderStart;
  callback: CallbackDeliveryStart;
  mail: MailDeliveryStart;
  cashier: CashierSessionStart;
  withdrawal: WithdrawalOrderStart;
  platform_event: PlatformEventDeliveryStart;
}

type StartOptions = Pick<WorkflowStartOptions, 'taskQueue' | 'staticSummary' | 'priority'> & {
  readonly type: WorkflowType;
  readonly args: [unknown];
  readonly typedSearchAttributes: SearchAttributePair[];
};

/** The merchant's own number, where the outbox row has it. */
const merchantsNumber = ({ merchantOrderNo }: { readonly merchantOrderNo?: string }) =>
  merchantOrderNo === undefined ? [] : [{ key: attribute.merchantOrderNo, value: merchantOrderNo }];

const deposit = (start: DepositOrderStart) => ({
  taskQueue: ORDERS_TASK_QUEUE,
  typedSearchAttributes: [
    { key: attribute.orderNo, value: start.orderNo },
    ...merchantsNumber(start),
    { key: attribute.merchantCode, value: start.merchantCode },
    { key: attribute.currencyCode, value: start.currencyCode },
  ],
  staticSummary: `Deposit of ${start.amount} ${start.currencyCode} for ${start.merchantCode}`,
});

const OPTIONS: {
  [Noun in WorkflowNoun]: (start: Starts[Noun]) => Omit<StartOptions, 'type' | 'args' | 'priority'>;
} = {
  deposit,
  channel_deposit: deposit,
  callback: (start) => ({
    // On the queue of its attempts, so that the first attempt is dispatched with the workflow's first task.
    taskQueue: CALLBACKS_TASK_QUEUE,
    typedSearchAttributes: [
      { key: attribute.orderNo, value: start.orderNo },
      { key: attribute.merchantCode, value: start.merchantCode },
      { key: attribute.notificationType, value: start.notificationType },
    ],
    staticSummary: `${start.notificationType} of ${start.orderNo} to ${start.merchantCode}`,
  }),
  mail: (start) => ({
    taskQueue: BACKGROUND_TASK_QUEUE,
    typedSearchAttributes: [{ key: attribute.notificationType, value: start.event }],
    staticSummary: `${start.event} by e-mail`,
  }),
  cashier: (start) => ({
    taskQueue: ORDERS_TASK_QUEUE,
    typedSearchAttributes: [
      { key: attribute.merchantCode, value: start.merchantCode },
      { key: attribute.currencyCode, value: start.currencyCode },
    ],
    staticSummary: `Cashier session in ${start.currencyCode} for ${start.merchantCode}`,
  }),
  withdrawal: (start) => ({
    taskQueue: WITHDRAWALS_TASK_QUEUE,
    typedSearchAttributes: [
      { key: attribute.orderNo, value: start.orderNo },
      ...merchantsNumber(start),
      { key: attribute.merchantCode, value: start.merchantCode },
      { key: attribute.currencyCode, value: start.currencyCode },
    ],
    staticSummary: `Withdrawal of ${start.amount} ${start.currencyCode} for ${start.merchantCode}`,
  }),
  platform_event: (start) => ({
    taskQueue: BACKGROUND_TASK_QUEUE,
    typedSearchAttributes: [
      { key: attribute.notificationType, value: start.event },
      ...(start.merchantCode === undefined ? [] : [{ key: attribute.merchantCode, value: start.merchantCode }]),
    ],
    staticSummary: `${start.event}${start.merchantCode === undefined ? '' : ` to ${start.merchantCode}`}`,
  }),
};

/**
 * What a workflow waits for from its start on, so that no event of its history has to say so. A withdrawal's workflow shows
 * what it waits for later; a deposit's always shows what it waited for first, even while it is being credited.
 */
const WAITS: {
  [Noun in WorkflowNoun]: (start: Starts[Noun]) => { phase?: string; waitsFor: WaitsFor } | null;
} = {
  deposit: () => ({ phase: 'PENDING', waitsFor: 'PAYER' }),
  channel_deposit: () => ({ phase: 'PENDING', waitsFor: 'CHANNEL' }),
  cashier: () => ({ phase: 'PENDING', waitsFor: 'PAYER' }),
  withdrawal: ({ status }) => {
    if (status === 'PENDING') return { phase: status, waitsFor: 'DECISION' };
    return status === 'APPROVED' ? { phase: status, waitsFor: 'CHANNEL' } : null;
  },
  callback: () => ({ waitsFor: 'MERCHANT' }),
  mail: () => ({ waitsFor: 'MAIL_SERVER' }),
  platform_event: () => ({ waitsFor: 'RECEIVER' }),
};

/** The same as search attributes. Money that has come is not waited for: its deposit only has to be credited. */
function waitsAttributes<Noun extends WorkflowNoun>(noun: Noun, start: Starts[Noun], rank: number, now: Date) {
  const waits = noun === 'deposit' && rank === OUTBOX_RANK.money ? null : WAITS[noun](start);
  if (!waits) return [];
  return [
    ...(waits.phase === undefined ? [] : [{ key: attribute.orderPhase, value: waits.phase }]),
    { key: attribute.waitsFor, value: waits.waitsFor },
    { key: attribute.waitingSince, value: now },
  ];
}

/** What a workflow that is started with a delay waits for, in the words of its own details. */
export function waitingFor(noun: WorkflowNoun, start: unknown, until: Date): string {
  const { amount, currencyCode, merchantCode } = start as DepositOrderStart;
  const waits =
    noun === 'deposit'
      ? `waits for a transfer of ${amount} ${currencyCode}`
      : `waits for a payer of ${merchantCode} to choose,`;
  return `PENDING: ${waits} until ${until.toISOString()}`;
}

/** Temporal's priority of a rank of the outbox: 1 goes first, 3 is the default, 5 goes last. */
export function priorityOf(rank: number): number {
  if (rank === OUTBOX_RANK.money) return 1;
  return rank === OUTBOX_RANK.start ? 4 : 3;
}

/**
 * @param start as the SQL functions wake_deposit, wake_callback and wake_withdrawal wrote it
 * @param rank of the outbox row: the workflow's tasks have its priority. Within a priority, merchants take turns
 * @param now since when it waits
 */
export function startOptions<Noun extends WorkflowNoun>(
  noun: Noun,
  start: Starts[Noun],
  rank: number,
  now: Date,
): StartOptions {
  const { merchantCode } = start as { readonly merchantCode?: string };
  const { typedSearchAttributes, ...options } = OPTIONS[noun](start);
  return {
    type: WORKFLOW_TYPES[noun],
    args: [start],
    ...options,
    typedSearchAttributes: [...typedSearchAttributes, ...waitsAttributes(noun, start, rank, now)],
    priority: {
      priorityKey: priorityOf(rank),
      ...(merchantCode !== undefined && { fairnessKey: merchantCode }),
    },
  };
}
