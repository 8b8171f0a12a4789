import type { WorkflowStartOptions } from '@temporalio/client';
import { WORKFLOW_TYPES, type WorkflowNoun, type WorkflowType } from '../domain/ids';
import type { CallbackDeliveryStart } from '../workflows/callback-delivery';
import type { CashierSessionStart } from '../workflows/cashier-session';
import type { DepositOrderStart } from '../workflows/deposit-order';
import type { MailDeliveryStart } from '../workflows/mail-delivery';
import type { WithdrawalOrderStart } from '../workflows/withdrawal-order';
import { SEARCH_ATTRIBUTES as attribute } from './search-attributes';
import { CALLBACKS_TASK_QUEUE, ORDERS_TASK_QUEUE } from '../workflows/shared';

/** How each noun's workflow is started, from the arguments in its outbox row. */
interface Starts {
  deposit: DepositOrderStart;
  callback: CallbackDeliveryStart;
  mail: MailDeliveryStart;
  cashier: CashierSessionStart;
  withdrawal: WithdrawalOrderStart;
}

type StartOptions = Pick<
  WorkflowStartOptions,
  'args' | 'taskQueue' | 'typedSearchAttributes' | 'staticSummary'
> & { readonly type: WorkflowType };

const OPTIONS: { [Noun in WorkflowNoun]: (start: Starts[Noun]) => Omit<StartOptions, 'type'> } = {
  deposit: (start) => ({
    args: [start],
    taskQueue: ORDERS_TASK_QUEUE,
    typedSearchAttributes: [
      { key: attribute.orderNo, value: start.orderNo },
      { key: attribute.merchantCode, value: start.merchantCode },
      { key: attribute.currencyCode, value: start.currencyCode },
    ],
    staticSummary: `Deposit of ${start.amount} ${start.currencyCode} for ${start.merchantCode}`,
  }),
  callback: (start) => ({
    args: [start],
    // On the queue of its attempts, so that the first comes with the answer to the workflow's first task.
    taskQueue: CALLBACKS_TASK_QUEUE,
    typedSearchAttributes: [
      { key: attribute.orderNo, value: start.orderNo },
      { key: attribute.merchantCode, value: start.merchantCode },
      { key: attribute.notificationType, value: start.notificationType },
    ],
    staticSummary: `${start.notificationType} of ${start.orderNo} to ${start.merchantCode}`,
  }),
  mail: (start) => ({
    args: [start],
    taskQueue: ORDERS_TASK_QUEUE,
    typedSearchAttributes: [{ key: attribute.notificationType, value: start.event }],
    staticSummary: `${start.event} by e-mail`,
  }),
  cashier: (start) => ({
    args: [start],
    taskQueue: ORDERS_TASK_QUEUE,
    typedSearchAttributes: [
      { key: attribute.merchantCode, value: start.merchantCode },
      { key: attribute.currencyCode, value: start.currencyCode },
    ],
    staticSummary: `Cashier session in ${start.currencyCode} for ${start.merchantCode}`,
  }),
  withdrawal: (start) => ({
    args: [start],
    taskQueue: ORDERS_TASK_QUEUE,
    typedSearchAttributes: [
      { key: attribute.orderNo, value: start.orderNo },
      { key: attribute.merchantCode, value: start.merchantCode },
      { key: attribute.currencyCode, value: start.currencyCode },
    ],
    staticSummary: `Withdrawal of ${start.amount} ${start.currencyCode} for ${start.merchantCode}`,
  }),
};

/** @param start as the SQL functions wake_deposit, wake_callback and wake_withdrawal wrote it */
export const startOptions = <Noun extends WorkflowNoun>(
  noun: Noun,
  start: Starts[Noun],
): StartOptions => ({ type: WORKFLOW_TYPES[noun], ...OPTIONS[noun](start) });
