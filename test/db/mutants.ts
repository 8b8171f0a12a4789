import type { Transaction } from '../../db/client';

/** A manual change of one row of one table: inserted, updated or deleted. */
export interface Mutant {
  readonly sql: string;
  /** The name by which HARMLESS lists it: `table`, then `delete`, `insert` or the column. */
  readonly name: string;
  /** Triggers protect the rows of the ledger; with this set, they are off. */
  readonly withAllRights: boolean;
}

/** The tables whose rows represent money. */
const TABLES = [
  ...['ledger_transfers', 'ledger_entries', 'merchant_balances', 'deposit_orders', 'withdrawal_orders'],
  ...['bank_transfers', 'transfer_allocations', 'bank_debits', 'payout_attempts', 'payout_aftermaths'],
  ...['held_credits', 'deposit_recalls', 'receivable_covers', 'settlements', 'reserved_amounts'],
  ...[
    'account_days',
    'channel_days',
    'merchant_volumes',
    'withdrawal_days',
    'withdrawal_decisions',
    'merchant_order_numbers',
  ],
  ...['operator_postings', 'payer_returns', 'late_receipts', 'ledger_books', 'ledger_book_lines'],
  'commissions',
  ...['day_closes', 'close_items', 'statements', 'statement_lines', 'statement_rules'],
] as const;

interface Column {
  readonly table: string;
  readonly column: string;
  readonly type: string;
}

/** A value of the column's type that differs from its current one. */
const otherValue = ({ table, column, type }: Column, random: () => number): string => {
  const taken = `(select o.${column} from ${table} o where o.${column} is distinct from m.${column}
    order by md5(o.ctid::text || '${random()}') limit 1)`;
  switch (type) {
    case 'numeric':
    case 'int2':
    case 'int4':
    case 'int8':
      return random() < 0.5 ? `m.${column} + 1` : `m.${column} - 1`;
    case 'timestamptz':
      return `m.${column} + interval '1 hour'`;
    case 'date':
      return `m.${column} + 1`;
    case 'bool':
      return `not m.${column}`;
    case 'uuid':
      return random() < 0.5 ? taken : 'gen_random_uuid()';
    case 'jsonb':
      return `'{}'::jsonb`;
    default:
      return random() < 0.7 ? taken : `m.${column} || 'x'`;
  }
};

/**
 * Draws mutants of the existing rows. Rows are drawn by position, because their ids differ in each run.
 * @param random returns a number between 0 and 1
 */
export async function drawMutants(tx: Transaction, count: number, random: () => number): Promise<Mutant[]> {
  const columns = await tx<Column[]>`
    select c.relname as table, a.attname as column, t.typname as type
    from pg_attribute a join pg_class c on c.oid = a.attrelid join pg_type t on t.oid = a.atttypid
    where c.relname = any(${TABLES as readonly string[] as string[]}) and c.relkind = 'r'
      and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
    order by c.relname, a.attnum`;
  const of = new Map(TABLES.map((table) => [table as string, columns.filter((c) => c.table === table)]));
  const pick = <T>(all: readonly T[]): T => all[Math.floor(random() * all.length)] as T;
  return Array.from({ length: count }, () => {
    const table = pick(TABLES);
    const own = of.get(table) ?? [];
    const row = `(select ctid from ${table} order by md5(ctid::text || '${random()}') limit 1)`;
    /** Prefers a row whose column is not null. */
    const rowWith = (name: string): string => `(select ctid from ${table}
      order by ${name} is null, md5(ctid::text || '${random()}') limit 1)`;
    const withAllRights = table.startsWith('ledger_') || random() < 0.2;
    const turn = random();
    if (turn < 0.15)
      return {
        name: `${table} delete`,
        withAllRights,
        sql: `delete from ${table} where ctid = ${row}`,
      };
    if (turn < 0.3) {
      const values = own.map((c) => (c.column === 'id' ? 'gen_random_uuid()' : `m.${c.column}`));
      const names = own.map((c) => c.column).join(', ');
      const sql = `insert into ${table} (${names}) select ${values.join(', ')} from ${table} m where ctid = ${row}`;
      return { name: `${table} insert`, withAllRights, sql };
    }
    const column = pick(own);
    const value = random() < 0.1 ? 'null' : otherValue(column, random);
    return {
      name: `${table} ${column.column}`,
      withAllRights,
      sql: `update ${table} m set ${column.column} = ${value} where ctid = ${rowWith(column.column)}
        and (${value}) is distinct from m.${column.column}`,
    };
  });
}

/** The changes that change no money: the reason, the table and the columns. */
const HARMLESS: readonly (readonly [reason: string, table: string, columns: readonly string[]])[] = [
  [
    'describes the payer or user, and what it was shown',
    'deposit_orders',
    [
      ...[
        'user_id',
        'payer_name',
        'payer_mobile',
        'payer_email',
        'payer_bank_code',
        'payer_account_no',
        'payer_mobile_index',
        'payer_email_index',
        'payer_account_index',
      ],
      ...[
        'payer_account_last4',
        'payment_snapshot',
        'payment_url',
        'payment_info',
        'extra_data',
        'trace_id',
        'callback_url',
        'updated_at',
      ],
      ...['order_type', 'cashier_session_id', 'payer_outcome', 'payer_findings'],
    ],
  ],
  [
    'describes the request and its times: money that arrives is posted as received',
    'deposit_orders',
    ['requested_amount', 'amount', 'expire_at', 'matched_at', 'created_at', 'expected_remark', 'account_id'],
  ],
  ['is a quote until the deposit is completed', 'deposit_orders', ['fee']],
  ['is an estimate: the actual cost is posted', 'deposit_orders', ['estimated_channel_cost']],
  [
    'names what priced the order: the proof checks what it was charged',
    'deposit_orders',
    ['fee_schedule_id', 'fee_volume'],
  ],
  [
    'names what priced the order: the proof checks what it was charged',
    'withdrawal_orders',
    ['fee_schedule_id', 'fee_volume'],
  ],
  [
    'names the rule that routed the order: its account or channel has columns of its own',
    'deposit_orders',
    ['routing_rules_id', 'routing_rule'],
  ],
  [
    'names the channel for people: the attempt that posts the money names its own channel',
    'deposit_orders',
    ['channel_id', 'channel_order_no'],
  ],
  ['is the result of a dry run, on a line of a statement that is not imported', 'statement_lines', ['rule_id']],
  [
    'is the day for which a line counts: closed days are compared, and the chain seals it',
    'ledger_entries',
    ['value_day'],
  ],
  [
    'moves no money: an open or ended order without money stays without money',
    'deposit_orders',
    ['status', 'order_no'],
  ],
  [
    'names the beneficiary and describes the decision, for people',
    'withdrawal_orders',
    [
      ...[
        'beneficiary_name',
        'beneficiary_account_index',
        'beneficiary_bank_name',
        'beneficiary_bank_branch',
        'review',
        'decide_by',
      ],
      ...['escalated_at', 'claimed_by', 'claimed_at', 'approval_remarks', 'end_reason', 'manual_reason'],
      ...['callback_url', 'extra_data', 'trace_id', 'updated_at', 'processed_at', 'approved_at', 'approved_by'],
      ...['needs_manual_intervention', 'channel_order_no', 'estimated_channel_cost', 'order_no'],
      ...['payout_method', 'account_id', 'channel_id', 'bank_reference', 'people_needed'],
    ],
  ],
  [
    'is what the bank reported beside the money',
    'bank_transfers',
    [
      'bank_reference',
      'dedupe_key',
      'bank_time',
      'payer_name',
      'payer_account',
      'payer_account_index',
      'memo',
      'named_remarks',
      'balance_after',
      'source',
    ],
  ],
  ['is the reason why the credit waits, for people', 'bank_transfers', ['unmatched_reason', 'payer_finding']],
  ['names the matcher, the time and the reason', 'transfer_allocations', ['id', 'matched_by', 'reason', 'at']],
  ['records how safely an amount identifies its order', 'reserved_amounts', ['used_at', 'contested']],
  [
    'belongs to a match that was released',
    'transfer_allocations',
    ['released_at', 'fee', 'transfer_id', 'deposit_id', 'insert', 'delete'],
  ],
  [
    'is what the bank reported: it posts nothing, the payout does',
    'bank_debits',
    [
      ...['id', 'account_id', 'amount', 'currency_code', 'bank_reference', 'dedupe_key', 'bank_time', 'payee_name'],
      ...['payee_account', 'memo', 'balance_after', 'source', 'received_at', 'attempt_id', 'explained_by'],
      ...['explained_at', 'reason', 'insert', 'delete'],
    ],
  ],
  [
    'describes the exchange with the channel, or with the person who pays',
    'payout_attempts',
    [
      ...['id', 'channel_order_no', 'claimed_by', 'claimed_at', 'sending_at', 'proof', 'last_error', 'sent_at'],
      ...['doubted_at', 'failure_reported_at', 'success_reported_at', 'answered_at', 'rechecked', 'recheck_at'],
      ...['wakes', 'woken_at', 'created_at', 'updated_at', 'reference'],
    ],
  ],
  [
    'belongs to an attempt that has not paid',
    'payout_attempts',
    ['account_id', 'channel_id', 'bank_reference', 'finished_at', 'status', 'cost'],
  ],
  ['is an id to which nothing refers', 'payout_aftermaths', ['id']],
  ['is an id to which nothing refers', 'receivable_covers', ['id']],
  ['is the end of the hold: the release posts at its own time', 'held_credits', ['release_at']],
  ['is a reason', 'deposit_recalls', ['reason']],
  ['is the time at which the last of it was used', 'late_receipts', ['ended_at']],
  ['is the reference, the proposer and the reason', 'settlements', ['reference', 'reason', 'proposed_by']],
  ['is the reason, and the person who decided alone', 'operator_postings', ['reason', 'posted_by', 'pair_id']],
  [
    'describes the payee, the sender and the reason',
    'payer_returns',
    [
      ...['payee_name', 'payee_account', 'payee_account_index', 'payee_bank', 'reason'],
      ...['sent_by', 'sending_at'],
      ...['bank_reference', 'bank_debit_id', 'end_reason', 'account_id'],
    ],
  ],
  ['of waiting money moves none until it is paid', 'payer_returns', ['status', 'ended_at']],
  ['is the time for which an amount stays reserved', 'reserved_amounts', ['free_at']],
  ['belongs to an order that has ended', 'reserved_amounts', ['delete']],
  [
    'is the reason, and the time at which the order followed',
    'withdrawal_decisions',
    ['id', 'remarks', 'at', 'applied_at'],
  ],
  ['is the person who rejected an unpaid withdrawal', 'withdrawal_decisions', ['operator_id']],
  ['is the order of the lines', 'ledger_entries', ['line']],
  ['is the order of the lines', 'ledger_book_lines', ['line']],
  ['counts the purged orders, for people', 'ledger_books', ['orders']],
  [
    'is the time, the reason and the source of the compared figure',
    'day_closes',
    [...['time_zone', 'outside_source', 'outside_at', 'proposed_at', 'closed_at', 'reason']],
  ],
  [
    'names the owner, the times and the result of a difference’s investigation',
    'close_items',
    ['id', 'owner_id', 'note', 'opened_at', 'ended_by', 'ended_at'],
  ],
  [
    'is the bank’s header and the progress of reading: closed days keep the figures that they were compared with',
    'statements',
    [
      ...['file_name', 'format', 'mapping', 'status', 'bytes', 'parts', 'sha256', 'read_items'],
      ...['through_line', 'opening_balance', 'opening_day', 'closing_balance', 'closing_day'],
      ...['problem', 'uploaded_by', 'created_at', 'read_at', 'imported_by', 'imported_at'],
      // A credit that a file confirmed says so itself.
      ...['confirmed_by', 'confirmed_at'],
    ],
  ],
  [
    'is what the bank reported beside the movement that the line names, and how the movement was found',
    'statement_lines',
    [
      ...['line', 'state', 'problem', 'raw', 'day', 'bank_time', 'bank_reference', 'memo'],
      ...['party_name', 'party_account', 'balance_after', 'line_key', 'nth'],
    ],
  ],
  ['is the version of the rule, and whether it is active', 'statement_rules', ['version', 'active']],
  [
    'is the second source of a report: matching requires it, no posting does',
    'bank_transfers',
    ['confirmed_by', 'confirmed_at'],
  ],
  ['is an id to which nothing refers, or a time', 'merchant_balances', ['id', 'created_at', 'updated_at']],
];

/** Returns why a mutant changes no money; undefined if it changes money. */
export const harmlessReason = (name: string): string | undefined =>
  HARMLESS.find(([, table, columns]) => columns.some((column) => `${table} ${column}` === name))?.[0];
