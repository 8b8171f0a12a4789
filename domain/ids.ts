/** Each noun that has a workflow, with its workflow type in Temporal. */
export const WORKFLOW_TYPES = {
  deposit: 'depositOrder',
  channel_deposit: 'channelDepositOrder',
  callback: 'callbackDelivery2',
  mail: 'mailDelivery',
  cashier: 'cashierSession',
  withdrawal: 'withdrawalOrder',
  platform_event: 'platformEventDelivery',
} as const;
/** A noun that has a workflow. */
export type WorkflowNoun = keyof typeof WORKFLOW_TYPES;
/** The name of a workflow function, as Temporal shows it. */
export type WorkflowType = (typeof WORKFLOW_TYPES)[WorkflowNoun];

/**
 * A workflow's id: `deposit:D20260102ABC…`, `callback:D2026…:deposit_completed`. The SQL functions wake_deposit and
 * wake_callback write the same.
 */
export const workflowId = (noun: WorkflowNoun, key: string): string => `${noun}:${key}`;

/** Crockford's base 32, upper case: no I, L, O, U. */
const CROCKFORD = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
/** Sixty bits: enough that two orders of one day do not collide. */
export const ORDER_NO_RANDOM_CHARACTERS = 12;

/**
 * A gateway order number: kind, UTC day, twelve random base 32 characters, such as `D20260102K3XQ7ZP0M4TB`.
 * @param random at least twelve random bytes
 */
export function orderNo(kind: 'D' | 'W', now: Date, random: Uint8Array): string {
  const day = now.toISOString().slice(0, 10).replaceAll('-', '');
  let tail = '';
  for (const byte of random.subarray(0, ORDER_NO_RANDOM_CHARACTERS)) tail += CROCKFORD.charAt(byte % 32);
  return `${kind}${day}${tail}`;
}
