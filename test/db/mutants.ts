import type { Transaction } from '../../db/client';

/** One row of one table, inserted, updated or deleted by hand. */
export interface Mutant {
  readonly sql: string;
  /** What a list of harmless ones names it by: `table`, then `delete`, `insert` or the column. */
  readonly name: string;
  /** Rows of the ledger are kept by triggers; besides, somebody with all rights is tried. */
  readonly withAllRights: boolean;
}

/** The tables whose rows stand for money. */
const TABLES = [
  ...[
    'ledger_transfers',
    'ledger_entries',
    'merchant_balances',
    'deposit_orders',
    'withdrawal_orders',
  ],
  ...[
    'bank_transfers',
    'transfer_allocations',
    'bank_debits',
    'payout_attempts',
    'payout_aftermaths',
  ],
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

/** Another value than it has, of the column's type. */
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

/** Draws mutants of rows as they are, by their places: the rows' random ids would make each run another. @param random between 0 and 1 */
export async function drawMutants(
  tx: Transaction,
  count: number,
  random: () => number,
): Promise<Mutant[]> {
  const columns = await tx<Column[]>`
    select c.relname as table, a.attname as column, t.typname as type
    from pg_attribute a join pg_class c on c.oid = a.attrelid join pg_type t on t.oid = a.atttypid
    where c.relname = any(${TABLES as readonly string[] as string[]}) and c.relkind = 'r'
      and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
    order by c.relname, a.attnum`;
  const of = new Map(
    TABLES.map((table) => [table as string, columns.filter((c) => c.table === table)]),
  );
  const pick = <T>(all: readonly T[]): T => all[Math.floor(random() * all.length)] as T;
  return Array.from({ length: count }, () => {
    const table = pick(TABLES);
    const own = of.get(table) ?? [];
    const row = `(select ctid from ${table} order by md5(ctid::text || '${random()}') limit 1)`;
    /** Rather one that has a value there. */
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
      ...{ name: `${table} ${column.column}`, withAllRights },
      sql: `update ${table} m set ${column.column} = ${value} where ctid = ${rowWith(column.column)}
        and (${value}) is distinct from m.${column.column}`,
    };
  });
}

/** What changes no money, with the reason; by table and columns. */
const HARMLESS: readonly (readonly [reason: string, table: string, columns: readonly string[]])[] =
  [
    [
      'says who the payer or user is and what it was shown',
      'deposit_orders',
      [
        ...[
          'user_id',
          'payer_name',
          'payer_mobile',
          'payer_email',
          'payer_bank_code',
          'payer_account_no',
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
      'says what was asked and by when: money that comes is posted as it comes',
      'deposit_orders',
      [
        'requested_amount',
        'amount',
        'expire_at',
        'matched_at',
        'created_at',
        'expected_remark',
        'account_id',
      ],
    ],
    ['is a quote until the deposit is completed', 'deposit_orders', ['fee']],
    ['is an estimate: what it cost is posted', 'deposit_orders', ['estimated_channel_cost']],
    [
      'says what priced it: what it was charged is proved',
      'deposit_orders',
      ['fee_schedule_id', 'fee_volume'],
    ],
    [
      'says what priced it: what it was charged is proved',
      'withdrawal_orders',
      ['fee_schedule_id', 'fee_volume'],
    ],
    [
      'says by which rule it was routed: its account or channel is its own',
      'deposit_orders',
      ['routing_rules_id', 'routing_rule'],
    ],
    [
      'names the channel for people: money is posted by the attempt, which names its own',
      'deposit_orders',
      ['channel_id', 'channel_order_no'],
    ],
    [
      'is what a dry run found, of a statement that is not imported',
      'statement_lines',
      ['rule_id'],
    ],
    [
      'says for which day a line counts: closed days are compared, and the chain has it',
      'ledger_entries',
      ['value_day'],
    ],
    [
      'moves no money: an open or ended order without money stays one',
      'deposit_orders',
      ['status', 'order_no'],
    ],
    [
      'says to whom, and why, for people',
      'withdrawal_orders',
      [
        ...[
          'beneficiary_name',
          'beneficiary_bank_name',
          'beneficiary_bank_branch',
          'review',
          'decide_by',
        ],
        ...[
          'escalated_at',
          'claimed_by',
          'claimed_at',
          'approval_remarks',
          'end_reason',
          'manual_reason',
        ],
        ...[
          'callback_url',
          'extra_data',
          'trace_id',
          'updated_at',
          'processed_at',
          'approved_at',
          'approved_by',
        ],
        ...['needs_manual_intervention', 'channel_order_no', 'estimated_channel_cost', 'order_no'],
        ...['payout_method', 'account_id', 'channel_id', 'bank_reference', 'people_needed'],
      ],
    ],
    [
      'is what the bank wrote beside the money',
      'bank_transfers',
      [
        'bank_reference',
        'dedupe_key',
        'bank_time',
        'payer_name',
        'payer_account',
        'memo',
        'balance_after',
        'source',
      ],
    ],
    ['is why it waits, for people', 'bank_transfers', ['unmatched_reason', 'payer_finding']],
    [
      'says who matched, when, and why',
      'transfer_allocations',
      ['id', 'matched_by', 'reason', 'at'],
    ],
    ['says how surely an amount names its order', 'reserved_amounts', ['used_at', 'contested']],
    [
      'is of a match that was taken back',
      'transfer_allocations',
      ['released_at', 'fee', 'transfer_id', 'deposit_id', 'insert', 'delete'],
    ],
    [
      'is what the bank says: it posts nothing, the payout does',
      'bank_debits',
      [
        ...[
          'id',
          'account_id',
          'amount',
          'currency_code',
          'bank_reference',
          'dedupe_key',
          'bank_time',
          'payee_name',
        ],
        ...[
          'payee_account',
          'memo',
          'balance_after',
          'source',
          'received_at',
          'attempt_id',
          'explained_by',
        ],
        ...['explained_at', 'reason', 'insert', 'delete'],
      ],
    ],
    [
      'is about the talk with the channel, or with the person who pays',
      'payout_attempts',
      [
        ...[
          'id',
          'channel_order_no',
          'claimed_by',
          'claimed_at',
          'sending_at',
          'proof',
          'last_error',
          'sent_at',
        ],
        ...[
          'doubted_at',
          'failure_reported_at',
          'success_reported_at',
          'answered_at',
          'rechecked',
          'recheck_at',
        ],
        ...['wakes', 'woken_at', 'created_at', 'updated_at', 'reference'],
      ],
    ],
    [
      'is of an attempt that has not paid',
      'payout_attempts',
      ['account_id', 'channel_id', 'bank_reference', 'finished_at', 'status', 'cost'],
    ],
    ['is a name of its own', 'payout_aftermaths', ['id']],
    ['is a name of its own', 'receivable_covers', ['id']],
    ['is when it ends: the release posts when it is', 'held_credits', ['release_at']],
    ['says why', 'deposit_recalls', ['reason']],
    ['says when the last of it was used', 'late_receipts', ['ended_at']],
    [
      'says what it is called, who proposed it and why',
      'settlements',
      ['reference', 'reason', 'proposed_by'],
    ],
    ['says why, and who decided alone', 'operator_postings', ['reason', 'posted_by', 'pair_id']],
    [
      'says to whom it goes, who sends it, and why',
      'payer_returns',
      [
        ...['payee_name', 'payee_account', 'payee_bank', 'reason', 'sent_by', 'sending_at'],
        ...['bank_reference', 'bank_debit_id', 'end_reason', 'account_id'],
      ],
    ],
    ['of money that waits moves none until it is paid', 'payer_returns', ['status', 'ended_at']],
    ['is how long an amount rests', 'reserved_amounts', ['free_at']],
    ['belongs to an order that has ended', 'reserved_amounts', ['delete']],
    [
      'says why, and when the order followed',
      'withdrawal_decisions',
      ['id', 'remarks', 'at', 'applied_at'],
    ],
    ['is who rejected what nobody paid', 'withdrawal_decisions', ['operator_id']],
    ['is the order of the lines', 'ledger_entries', ['line']],
    ['is the order of the lines', 'ledger_book_lines', ['line']],
    ['counts the orders that went, for people', 'ledger_books', ['orders']],
    [
      'says when, why and whose figure was compared with',
      'day_closes',
      [...['time_zone', 'outside_source', 'outside_at', 'proposed_at', 'closed_at', 'reason']],
    ],
    [
      'says who looks into a difference, since when, and what was found',
      'close_items',
      ['id', 'owner_id', 'note', 'opened_at', 'ended_by', 'ended_at'],
    ],
    [
      'is what the bank says of itself, and how far it was read: closed days keep what they were compared with',
      'statements',
      [
        ...['file_name', 'format', 'mapping', 'status', 'bytes', 'parts', 'sha256', 'read_items'],
        ...['through_line', 'opening_balance', 'opening_day', 'closing_balance', 'closing_day'],
        ...['problem', 'uploaded_by', 'created_at', 'read_at', 'imported_by', 'imported_at'],
      ],
    ],
    [
      'is what the bank wrote beside the movement that the line names, and how that was found',
      'statement_lines',
      [
        ...['line', 'state', 'problem', 'raw', 'day', 'bank_time', 'bank_reference', 'memo'],
        ...['party_name', 'party_account', 'balance_after', 'line_key', 'nth'],
      ],
    ],
    ['is its number, and whether it goes on', 'statement_rules', ['version', 'active']],
    [
      'is who else has seen it: who may match it asks, and no posting does',
      'bank_transfers',
      ['confirmed_by', 'confirmed_at'],
    ],
    ['is a row of its own name', 'merchant_balances', ['id', 'created_at', 'updated_at']],
  ];

/** Why a mutant changes no money; undefined where it does. */
export const harmlessReason = (name: string): string | undefined =>
  HARMLESS.find(([, table, columns]) =>
    columns.some((column) => `${table} ${column}` === name),
  )?.[0];
