import type { TransferType } from '../../domain/ledger';

/** A change that must be impossible, or that the proof must report. */
export interface Corruption {
  readonly name: string;
  /** One or several statements; `{…}` is a row of the fixture, see PLACES. */
  readonly sql: string;
  /** Triggers and foreign keys are off, as for a user with all rights. */
  readonly withAllRights?: true;
  /** What refuses it: a constraint or an SQLSTATE. Or what the proof reports: one discrepancy must match. */
  readonly expected: { readonly refused: string } | { readonly seen: RegExp };
}

/** The rows of the fixture that corruptions use. */
export const PLACES: Readonly<Record<string, string>> = {
  completed: `select id from deposit_orders d where status = 'COMPLETED' and fee > 0
    and not exists (select from deposit_recalls r where r.deposit_id = d.id)
    and not exists (select from held_credits h where h.deposit_id = d.id) order by id limit 1`,
  pending: `select id from deposit_orders where status = 'PENDING' order by id limit 1`,
  expired: `select id from deposit_orders where status = 'EXPIRED' order by id limit 1`,
  recalled: `select deposit_id as id from deposit_recalls order by deposit_id limit 1`,
  byHand: `select withdrawal_id as id from payout_attempts where status = 'COMPLETED' order by id limit 1`,
  byChannel: `select withdrawal_id as id from payout_attempts where status = 'SUCCEEDED' order by id limit 1`,
};

const post = (type: string, key: string, of: string, lines: readonly [string, string][]): string =>
  `select post_transfer('${type}', ${key}, ${of}, now(), array[${lines.map(([account]) => account).join(', ')}],
    array[${lines.map(([, amount]) => amount).join(', ')}]::numeric[])`;
const merchantOf = (table: string, id: string): string =>
  `(select 'merchant:' || merchant_id || ':available' from ${table} where id = ${id})`;
const another = (prefix: string): string => `'${prefix}:' || gen_random_uuid()`;

/** Corruptions that a review tried, and that nothing reported then. */
export const REVIEWED: readonly Corruption[] = [
  {
    name: '1 a deposit becomes COMPLETED without money',
    sql: `update deposit_orders set status = 'COMPLETED', matched_at = created_at, completed_at = created_at,
      actual_amount = amount where id = {pending}`,
    expected: { seen: /DEPOSIT_CREDIT was never posted/ },
  },
  {
    name: '2 a deposit is credited twice, under another key',
    sql: post('DEPOSIT_CREDIT', another('deposit-credit'), "'THB', {completed}, null", [
      ["'suspense'", '-5'],
      [merchantOf('deposit_orders', '{completed}'), '5'],
    ]),
    expected: { refused: 'ledger_transfers_key' },
  },
  {
    name: '3 5,000 are credited for no order',
    sql: post('DEPOSIT_CREDIT', another('deposit-credit'), "'THB', null, null", [
      ["'suspense'", '-5000'],
      [merchantOf('deposit_orders', '{completed}'), '5000'],
    ]),
    expected: { refused: 'ledger_transfers_key' },
  },
  {
    name: '4 a posting of an invented type creates money',
    sql: post('FREE_MONEY', another('free-money'), "'THB', null, null", [
      ["'loss'", '-9999'],
      [merchantOf('deposit_orders', '{completed}'), '9999'],
    ]),
    expected: { refused: 'ledger_transfers_type' },
  },
  {
    name: '4b a posting of an invented type creates money, after its constraint was dropped',
    sql: `alter table ledger_transfers drop constraint ledger_transfers_type; ${post(
      ...(['FREE_MONEY', another('free-money'), "'THB', null, null"] as const),
      [
        ["'loss'", '-9999'],
        [merchantOf('deposit_orders', '{completed}'), '9999'],
      ],
    )}`,
    expected: { seen: /no row demands postings of type FREE_MONEY/ },
  },
  {
    name: '5 an order moves to another merchant',
    sql: `update deposit_orders d set merchant_id = (select id from merchants m where m.id <> d.merchant_id limit 1)
      where id = {completed}`,
    expected: { refused: 'deposit_orders_number' },
  },
  {
    name: '5b an order is credited to another merchant',
    withAllRights: true,
    sql: `update ledger_entries e set account = 'merchant:' ||
      (select m.id from merchants m where not exists (select from ledger_entries o
        where o.account = 'merchant:' || m.id || ':available' and o.version = e.version)
        order by m.id limit 1) || ':available'
      where account like 'merchant:%' and transfer_id =
        (select id from ledger_transfers where key = 'deposit-credit:' || {completed})`,
    expected: { seen: /posted as .*merchant:.*, due as / },
  },
  {
    name: '6 a used bank credit is allocated again, to an EXPIRED order',
    sql: `insert into transfer_allocations (id, transfer_id, deposit_id, fee, matched_by, at)
      select gen_random_uuid(), transfer_id, {expired}, 0, 'system', now()
      from transfer_allocations where deposit_id = {completed} and released_at is null`,
    expected: { refused: 'transfer_allocations_once' },
  },
  {
    name: '6b a used bank credit is released and then allocated again',
    sql: `update transfer_allocations set released_at = now() where deposit_id = {completed};
      insert into transfer_allocations (id, transfer_id, deposit_id, fee, matched_by, at)
      select gen_random_uuid(), transfer_id, {expired}, 0, 'system', now()
      from transfer_allocations where deposit_id = {completed}`,
    expected: { seen: /it is EXPIRED, and bank credit .* is allocated to it/ },
  },
  {
    name: '7 the version of a balance is raised',
    sql: `update merchant_balances set version = version + 1 where version > 0 and id =
      (select id from merchant_balances where version > 0 order by id limit 1)`,
    expected: { seen: /stored available .* version/ },
  },
  {
    name: '7b a balance is raised',
    sql: `update merchant_balances set frozen = frozen + 1 where id =
      (select id from merchant_balances where version > 0 order by id limit 1)`,
    expected: { seen: /stored available .* frozen/ },
  },
  {
    name: '8 a bank credit is recorded but not posted',
    sql: `insert into bank_transfers (id, account_id, direction, amount, currency_code, dedupe_key, bank_time, memo,
        source, unmatched_reason, received_at)
      select gen_random_uuid(), account_id, 'CREDIT', 5, 'THB', 'corrupt', now(), '', 'x', 'NO_REMARK', now()
      from bank_transfers limit 1`,
    expected: { seen: /BANK_CREDIT was never posted/ },
  },
  {
    name: '8b a bank credit is posted twice, under another key',
    sql: `select post_transfer('BANK_CREDIT', 'bank-credit:' || gen_random_uuid(), currency_code, null, id, now(),
      array['bank:' || account_id, 'suspense'], array[-amount, amount]) from bank_transfers limit 1`,
    expected: { refused: 'ledger_transfers_key' },
  },
  {
    name: '9 the amount of a bank credit is halved',
    sql: `update bank_transfers set amount = amount / 2 where id =
      (select transfer_id from transfer_allocations where deposit_id = {completed})`,
    expected: { seen: /BANK_CREDIT: posted as .*, due as / },
  },
  {
    name: '9b 88,888 are credited from a bank credit of 10',
    withAllRights: true,
    sql: `update bank_transfers set amount = 10 where id =
        (select transfer_id from transfer_allocations where deposit_id = {completed});
      update ledger_entries set amount = sign(amount) * 10 where transfer_id in (select t.id from ledger_transfers t
        join transfer_allocations a on a.transfer_id = t.bank_transfer_id where a.deposit_id = {completed})`,
    expected: { seen: /its bank credit brought 10/ },
  },
  {
    name: '10 money leaves twice, the second time as a charge',
    sql: post('CHANNEL_COST', another('channel-cost'), "'THB', {byHand}, null", [
      ["'channel_cost'", '-500'],
      ["(select 'bank:' || account_id from withdrawal_orders where id = {byHand})", '500'],
    ]),
    expected: { seen: /posting channel-cost:.* has no row that demands it/ },
  },
  {
    name: '10b a channel charges more for a deposit than the deposit and what was agreed',
    sql: `update deposit_orders set estimated_channel_cost = 1, actual_channel_cost = amount + 1.01 where id = {completed}`,
    expected: { refused: 'deposit_orders_channel_cost' },
  },
  {
    name: '10c a channel charges more for a payout than the payout and what was agreed',
    sql: `update withdrawal_orders set estimated_channel_cost = 1, actual_channel_cost = amount + 1.01 where id = {byChannel}`,
    expected: { refused: 'withdrawal_orders_channel_cost' },
  },
  {
    name: '11 a withdrawal is COMPLETED although its only attempt is CANCELLED',
    sql: `update payout_attempts set status = 'CANCELLED' where withdrawal_id = {byHand}`,
    expected: { seen: /it is COMPLETED, paid .* its attempts are .*CANCELLED/ },
  },
  {
    name: '11b a payout attempt names another account and reference',
    sql: `update payout_attempts p set bank_reference = 'another', account_id =
        (select id from bank_accounts b where b.id <> p.account_id limit 1) where withdrawal_id = {byHand}`,
    expected: { seen: /it is COMPLETED, paid / },
  },
  {
    name: '12 the currency of a posted order changes',
    sql: `update deposit_orders set currency_code = 'KWD' where id = {completed}`,
    expected: { seen: /posted in THB, due in KWD/ },
  },
  {
    name: '12b an order is credited again, in another currency',
    sql: post('DEPOSIT_CREDIT', another('deposit-credit'), "'KWD', {completed}, null", [
      ["'suspense'", '-99000'],
      ["'fee_income'", '99000'],
    ]),
    expected: { refused: 'ledger_transfers_key' },
  },
  {
    name: '13 a callback that was attempted is deleted',
    sql: `with log as (
        insert into notification_logs (id, order_id, order_no, merchant_id, notification_type, target_url,
          request_body, status, attempt_count, total_attempts, generation, created_at, updated_at)
        select gen_random_uuid(), id, order_no, merchant_id, 'deposit_completed', 'https://x.example', '{}',
          'SUCCESS', 1, 1, 1, now(), now() from deposit_orders where id = {completed} returning id)
      insert into callback_attempts (notification_id, generation, attempt, started_at)
      select id, 1, 1, now() from log; delete from notification_logs`,
    expected: { refused: 'callback_attempts_notification_id_notification_logs_id_fk' },
  },
  {
    name: '14 the used quota of an account is wrong',
    sql: 'update account_days set amount = amount + 1',
    expected: { seen: /^quota of account .*counted/ },
  },
  {
    name: '14f the received amount of an account is wrong',
    sql: 'update account_days set received = received + 1',
    expected: { seen: /^what account .* received on .*: counted/ },
  },
  {
    name: '14g a bank credit counts to another day than its account’s',
    sql: 'update bank_transfers set counted_day = counted_day + 1 where counted_day is not null',
    expected: { seen: /^what account .* received on .*: counted/ },
  },
  {
    name: '14h a deposit keeps its share although its money arrived',
    sql: `with kept as (
        update deposit_orders d set quota_day = b.counted_day from transfer_allocations a
        join bank_transfers b on b.id = a.transfer_id
        where a.deposit_id = d.id and a.released_at is null and b.counted_day is not null
        returning d.account_id, d.quota_day, d.amount),
      sums as (select account_id, quota_day, sum(amount) as amount, count(*)::int as deposits from kept group by 1, 2)
      update account_days k set amount = k.amount + s.amount, deposits = k.deposits + s.deposits
      from sums s where (s.account_id, s.quota_day) = (k.account_id, k.day)`,
    expected: { seen: /its money is counted, and it has a share of/ },
  },
  {
    name: '14i the used quota of a channel is wrong',
    sql: 'update channel_days set amount = amount + 1',
    expected: { seen: /^quota of channel .* in USD on .*counted/ },
  },
  {
    name: '14j the received amount of a channel is wrong',
    sql: 'update channel_days set received = received + 1',
    expected: { seen: /^what channel .* in USD received on .*: counted/ },
  },
  {
    name: '14k the receipt of a channel counts to another day',
    sql: 'update deposit_attempts set counted_day = counted_day + 1 where counted_day is not null',
    expected: { seen: /^what channel .* received on .*: counted/ },
  },
  {
    name: '14l a deposit keeps its share at a channel that received its money',
    sql: `with kept as (
        update deposit_orders d set quota_day = a.counted_day from deposit_attempts a
        where a.deposit_id = d.id and a.counted_day is not null
        returning d.channel_id, d.currency_code, d.quota_day, d.amount)
      update channel_days k set amount = k.amount + s.amount, deposits = k.deposits + 1
      from kept s where (s.channel_id, s.currency_code, s.quota_day) = (k.channel_id, k.currency_code, k.day)`,
    expected: { seen: /its money is counted, and it has a share of/ },
  },
  {
    name: '14b a reserved amount is assigned to another deposit',
    sql: `update reserved_amounts set deposit_id = {completed} where deposit_id =
      (select deposit_id from reserved_amounts order by deposit_id limit 1)`,
    expected: { seen: /is given out to/ },
  },
  {
    name: '14c the count of a day is wrong',
    sql: 'update withdrawal_days set orders = orders + 1',
    expected: { seen: /^withdrawals of .*counted/ },
  },
  {
    name: '14d late money is used twice',
    sql: `update operator_postings set amount = amount + 1 where kind = 'LATE_RETURNED'`,
    expected: { seen: /of 100.0000 101.0000 are used/ },
  },
  {
    name: '14e late money is deleted together with its posting',
    withAllRights: true,
    sql: `delete from ledger_entries where transfer_id in (
        select t.id from ledger_transfers t join late_receipts l on t.key like '%:' || l.attempt_id where l.ended_at is null);
      delete from ledger_transfers t using late_receipts l where t.key like '%:' || l.attempt_id and l.ended_at is null;
      delete from late_receipts where ended_at is null`,
    expected: { seen: /its order is CANCELLED, and its 100.0000 are nowhere/ },
  },
  {
    name: '15 the newest posting is removed',
    sql: `delete from ledger_entries where transfer_id = (select id from ledger_transfers order by id desc limit 1)`,
    expected: { refused: 'CW001' },
  },
  {
    name: '15b the newest credit of a deposit is removed with all rights and the balance restored',
    withAllRights: true,
    sql: `create temp table newest on commit drop as
        select e.* from ledger_entries e where account like 'merchant:%' and not exists (
          select from ledger_entries l where l.account = e.account and l.version > e.version)
        and transfer_id in (select id from ledger_transfers where type = 'DEPOSIT_CREDIT') limit 1;
      update merchant_balances b set available = n.balance_before, version = b.version - 1 from newest n
      where n.account = 'merchant:' || b.merchant_id || ':available' and b.currency_code = n.currency_code;
      delete from ledger_entries where transfer_id in (select transfer_id from newest);
      delete from ledger_transfers where id in (select transfer_id from newest)`,
    expected: { seen: /DEPOSIT_CREDIT was never posted/ },
  },
  {
    name: '16 a recall has no row',
    sql: 'delete from deposit_recalls where deposit_id = {recalled}',
    expected: { seen: /posting deposit-recalled:.* has no row that demands it/ },
  },
  {
    name: '17 a loss is posted as the late payment of an order that never failed',
    sql: post(
      ...([
        'WITHDRAWAL_LATE_PAID',
        "'withdrawal-late-paid:' || (select id from payout_attempts where withdrawal_id = {byChannel} limit 1)",
        "'THB', {byChannel}, null",
      ] as const),
      [
        ["'loss'", '-7'],
        ["(select 'channel:' || channel_id from withdrawal_orders where id = {byChannel})", '7'],
      ],
    ),
    expected: { seen: /posting withdrawal-late-paid:.* has no row that demands it/ },
  },
  {
    name: '18 a posting names a channel that does not exist',
    withAllRights: true,
    sql: `update ledger_entries set account = 'channel:' || gen_random_uuid() where account like 'channel:%'`,
    expected: { seen: /posted as channel:.*, due as channel:/ },
  },
  {
    name: '19 the fee of a match is not the charged fee',
    sql: `update transfer_allocations set fee = fee + 0.01 where deposit_id = {completed}`,
    expected: { seen: /and the match says a fee of/ },
  },
  {
    name: '20 a credited order becomes MATCHED again',
    sql: `update deposit_orders set status = 'MATCHED', completed_at = null, actual_amount = 0 where id = {completed}`,
    expected: { seen: /posting deposit-credit:.* has no row that demands it/ },
  },
];

/** Corruptions of split and combined credits. */
export const IN_PARTS: readonly Corruption[] = [
  {
    name: 'a part exceeds the credited amount',
    sql: `update transfer_allocations set amount = amount + 1 where id =
      (select id from transfer_allocations where amount is not null order by id limit 1)`,
    expected: { seen: /its bank credit brought|are used/ },
  },
  {
    name: 'a part of a split credit becomes the whole credit',
    sql: `update transfer_allocations set amount = null where id = (select id from transfer_allocations a
      where amount is not null and exists (select from bank_transfers b where b.id = a.transfer_id
        and b.unmatched_reason is not null) order by id limit 1)`,
    expected: { seen: /its bank credit brought|are used/ },
  },
  {
    name: 'a combined credit is released from its order',
    sql: `update transfer_allocations set released_at = now() where id = (select id from transfer_allocations a
      where amount is not null and exists (select from bank_transfers b where b.id = a.transfer_id
        and b.unmatched_reason is null) order by id limit 1)`,
    expected: { seen: /its bank credit brought/ },
  },
  {
    name: 'a credit pays an order twice',
    sql: `insert into transfer_allocations (id, transfer_id, deposit_id, amount, fee, matched_by, at)
      select gen_random_uuid(), transfer_id, deposit_id, amount, fee, matched_by, at
      from transfer_allocations where amount is not null order by id limit 1`,
    expected: { refused: 'transfer_allocations_part' },
  },
];

const closedDay = `select c.id from day_closes c where c.credits > 0 and c.account_id is not null order by c.id limit 1`;
const lineOf = (state: string): string =>
  `(select l.ctid from statement_lines l where l.state = '${state}' and l.transfer_id is not null
    order by l.amount desc, l.line limit 1)`;
const [RECORDED, KNOWN, PAIRED] = [lineOf('RECORDED'), lineOf('KNOWN'), lineOf('PAIRED')];
/** Another bank credit of the line's account and amount, which another line names. */
const alike = `(select t.id from bank_transfers t join statement_lines l on l.account_id = t.account_id
  where l.ctid = m.ctid and t.amount = l.amount and t.id <> l.transfer_id limit 1)`;

/** Corruptions of closed days, of statements, and of postings by statement rules. */
export const CLOSED: readonly Corruption[] = [
  {
    name: 'a figure of a closed day changes',
    sql: `update day_closes set credits = credits + 1, closing = closing + 1 where id = (${closedDay})`,
    expected: { refused: 'CW001' },
  },
  ...['credits', 'debits'].map((figure): Corruption => ({
    name: `the ${figure} of a closed day change with all rights`,
    withAllRights: true,
    sql: `update day_closes set ${figure} = ${figure} + 1,
      closing = closing ${figure === 'credits' ? '+' : '-'} 1 where id = (${closedDay})`,
    expected: { seen: /^close of bank:.* postings say/ },
  })),
  {
    name: 'the opening and closing balance of a closed day change with all rights',
    withAllRights: true,
    sql: `update day_closes set opening = opening + 1, closing = closing + 1, outside = outside + 1
      where id = (${closedDay})`,
    expected: { seen: /^close of bank:.* postings say/ },
  },
  {
    name: 'the figures of a closed day do not add up',
    withAllRights: true,
    sql: `update day_closes set opening = opening + 1 where id = (${closedDay})`,
    expected: { refused: 'day_closes_sum' },
  },
  {
    name: "the bank's figure of a closed day changes with all rights",
    withAllRights: true,
    sql: `update day_closes set outside = outside + 1 where outside is not null`,
    expected: { seen: /^close of bank:.* it differs by/ },
  },
  {
    name: 'a closed day is deleted with its item',
    withAllRights: true,
    sql: `delete from close_items; delete from day_closes where outside is not null`,
    expected: { seen: /^close .* a person closed this day/ },
  },
  {
    name: 'a closed day is opened again with all rights',
    withAllRights: true,
    sql: `update day_closes set status = 'PROPOSED', closed_at = null, closed_by = null where id = (${closedDay})`,
    expected: { seen: /^close .* a person closed this day/ },
  },
  {
    name: 'a day becomes closed without an approval',
    sql: `insert into day_closes (id, account, account_id, currency_code, day, time_zone, opening, credits, debits,
        closing, status, proposed_at, closed_by, closed_at)
      select gen_random_uuid(), account, account_id, currency_code, day + 1, time_zone, closing, 0, 0, closing,
        'CLOSED', now(), 'nobody', now() from day_closes where id = (${closedDay})`,
    expected: { seen: /and nobody closed it/ },
  },
  {
    name: 'a posting moves into a closed day',
    withAllRights: true,
    sql: `update ledger_entries e set value_day = c.day from day_closes c where c.account = e.account
      and c.currency_code = e.currency_code and e.value_day > c.day`,
    expected: { seen: /^close of .* postings say/ },
  },
  {
    name: 'a posting moves out of a closed day',
    withAllRights: true,
    sql: `update ledger_entries e set value_day = c.day + 1 from day_closes c where c.account = e.account
      and c.id = (${closedDay}) and e.value_day = c.day`,
    expected: { seen: /^close of .* postings say/ },
  },
  {
    name: 'the amount of a difference changes',
    sql: `update close_items set amount = amount + 1`,
    expected: { seen: /its item is of/ },
  },
  {
    name: 'a difference is deleted',
    sql: `delete from close_items`,
    expected: { seen: /its item is of/ },
  },
  {
    name: 'a difference ends without a note',
    sql: `update close_items set ended_at = now(), ended_by = 'nobody'`,
    expected: { refused: 'close_items_ended' },
  },
  {
    name: 'a line names a bank credit of another amount',
    sql: `update statement_lines m set transfer_id = (select id from bank_transfers t where t.amount <> m.amount
      order by id limit 1) where m.ctid = ${RECORDED}`,
    expected: { seen: /^statement .* it names a movement of another/ },
  },
  {
    name: 'a recorded line names another bank credit of its amount',
    sql: `update statement_lines set transfer_id = null, state = 'NEW'
        where state in ('RECORDED', 'KNOWN') and amount = 60 and line = 4;
      update statement_lines m set transfer_id = ${alike} where m.ctid = ${RECORDED}`,
    expected: { seen: /^statement .* which was recorded of something else/ },
  },
  {
    name: 'a known line names another bank credit of its amount',
    sql: `delete from statement_lines where state = 'KNOWN' and line = 4;
      update statement_lines m set transfer_id = ${alike} where m.ctid = ${KNOWN}`,
    expected: { seen: /^statement .* has the same line for another movement/ },
  },
  {
    name: 'two lines of a statement name one bank credit',
    sql: `update statement_lines m set transfer_id = ${alike} where m.ctid = ${RECORDED}`,
    expected: { refused: 'statement_lines_transfer' },
  },
  {
    name: 'the amount of a line changes',
    sql: `update statement_lines m set amount = amount + 1 where m.ctid = ${PAIRED}`,
    expected: { seen: /^statement .* it names a movement of another/ },
  },
  {
    name: 'a line loses its bank credit',
    sql: `update statement_lines m set transfer_id = null where m.ctid = ${PAIRED}`,
    expected: { refused: 'statement_lines_links' },
  },
  {
    name: 'a line becomes new again',
    sql: `update statement_lines m set transfer_id = null, state = 'NEW' where m.ctid = ${PAIRED}`,
    expected: { seen: /^statement .* nothing became of the line/ },
  },
  {
    name: 'a line is deleted',
    sql: `delete from statement_lines m where m.ctid = ${PAIRED}`,
    expected: { seen: /^statement .* of 6 lines are there/ },
  },
  {
    name: 'a line is added',
    sql: `insert into statement_lines (statement_id, line, account_id, currency_code, state, problem)
      select statement_id, 99, account_id, currency_code, 'BAD', 'x' from statement_lines limit 1`,
    expected: { seen: /^statement .* 7 of 6 lines are there/ },
  },
  {
    name: 'a line belongs to another account than its statement',
    sql: `update statement_lines m set account_id = (select id from bank_accounts a where a.id <> m.account_id limit 1)
      where m.state = 'BAD'`,
    expected: { seen: /^statement .* it is of another account or currency/ },
  },
  {
    name: 'a bank credit is confirmed by a statement that does not contain it',
    sql: `update bank_transfers set confirmed_at = now(), confirmed_by = 'statement:' || gen_random_uuid()
      where id = (select id from bank_transfers order by id limit 1)`,
    expected: { seen: /^bank credit .* which does not tell of it/ },
  },
  {
    name: 'a rule posts more than its limit',
    sql: `update statement_rules set max_amount = 1`,
    expected: { seen: /^posting .* makes no BANK_CHARGED of 3/ },
  },
  {
    name: 'a rule has a higher limit than was approved',
    sql: `update statement_rules set max_day_amount = 1000000`,
    expected: { seen: /^statement rule charges version 1: nobody agreed on it/ },
  },
  {
    name: 'a rule exists that was never approved',
    sql: `insert into statement_rules select (jsonb_populate_record(r,
      jsonb_build_object('id', gen_random_uuid(), 'name', 'free'))).* from statement_rules r`,
    expected: { seen: /^statement rule free version 1: nobody agreed on it/ },
  },
  {
    name: 'a rule posts another type than its own',
    sql: `update statement_rules set action = 'INTEREST', direction = 'CREDIT'`,
    expected: { seen: /^posting .* makes no BANK_CHARGED/ },
  },
  {
    name: 'a posting by a person is attributed to a rule',
    sql: `update operator_postings set rule_id = (select id from statement_rules)
      where kind = 'BANK_CHARGED' and rule_id is null`,
    expected: { seen: /^posting .* no line of a statement says/ },
  },
  {
    name: 'a posting by a rule is attributed to a person',
    sql: `update operator_postings set rule_id = null`,
    expected: { seen: /^statement .* has posted nothing of it/ },
  },
  {
    name: 'a line loses the rule that explains it',
    sql: `update statement_lines set rule_id = null`,
    expected: { seen: /^posting .* no line of a statement says/ },
  },
];

/** Corruptions of one posting of each type, with all rights where the tables refuse them otherwise. */
export const ofEachType = (type: TransferType): readonly Corruption[] => {
  const one = `(select id from ledger_transfers where type = '${type}' order by id limit 1)`;
  return [
    {
      name: `${type} is removed`,
      withAllRights: true,
      sql: `delete from ledger_entries where transfer_id = ${one}; delete from ledger_transfers where id = ${one}`,
      expected: { seen: new RegExp(`${type} was never posted`) },
    },
    {
      name: `${type} has another amount`,
      withAllRights: true,
      sql: `update ledger_entries set amount = amount * 2, balance_after = balance_before + amount * 2
        where transfer_id = ${one}`,
      expected: { seen: new RegExp(`${type}: posted as .*, due as`) },
    },
    {
      name: `${type} belongs to another order`,
      withAllRights: true,
      sql: `alter table ledger_transfers drop constraint if exists ledger_transfers_key;
        update ledger_transfers set order_id = gen_random_uuid() where id = ${one}`,
      expected: { seen: new RegExp(`${type}: posted for order`) },
    },
    {
      name: `${type} is posted again, under another key`,
      sql: `alter table ledger_transfers drop constraint if exists ledger_transfers_key;
        select post_transfer(type, split_part(key, ':', 1) || ':' || gen_random_uuid(), currency_code, order_id,
          bank_transfer_id, at, array['loss', 'suspense'], array[-1, 1])
        from ledger_transfers where id = ${one}`,
      expected: { seen: new RegExp(`${type}: posting .* has no row that demands it`) },
    },
  ];
};

/** Corruptions of fee schedules, held fees and volumes. */
export const PRICED: readonly Corruption[] = [
  {
    name: 'a held fee is deleted with its order',
    sql: `update deposit_orders set fee_held = null where fee_held is not null and status = 'PENDING'`,
    expected: { seen: /posting fee-held:.* has no row that demands it/ },
  },
  {
    name: 'an open order holds another fee than its own',
    sql: `update deposit_orders set fee_held = fee_held + 1 where fee_held is not null and status = 'PENDING'`,
    expected: { seen: /^deposit .* and its balance held/ },
  },
  {
    name: 'a fee stays held after its order ended',
    sql: `update deposit_orders set fee_released_at = null where status = 'CANCELLED' and fee_held is not null`,
    expected: { refused: 'deposit_orders_held_fee' },
  },
  {
    name: 'a fee is released while its order is open',
    sql: `update deposit_orders set fee_released_at = now() where status = 'PENDING' and fee_held is not null`,
    expected: { seen: /FEE_RELEASED was never posted/ },
  },
  {
    name: 'less of a held fee is captured than the order costs',
    sql: `update deposit_orders set fee_captured = fee_captured - 1 where fee_captured is not null`,
    expected: { refused: 'deposit_orders_held_fee' },
  },
  {
    name: 'a held fee is recorded as the fee of a credit',
    sql: `update deposit_orders set fee_held = null, fee_captured = null where fee_captured is not null`,
    expected: { seen: /DEPOSIT_CREDIT: posted as .*, due as/ },
  },
  {
    name: 'a month has more volume than its orders',
    sql: `update merchant_volumes set amount = amount + 1`,
    expected: { seen: /^DEPOSIT volume of .*: counted/ },
  },
  {
    name: 'a month counts an order too many',
    sql: `update merchant_volumes set orders = orders + 1`,
    expected: { seen: /^DEPOSIT volume of .*: counted/ },
  },
  {
    name: 'the volume of a month is missing',
    sql: `delete from merchant_volumes`,
    expected: { seen: /^DEPOSIT volume of .*: counted/ },
  },
  {
    name: 'an order counts to another month',
    sql: `update deposit_orders set volume_month = volume_month - interval '2 months' where volume_month is not null`,
    expected: { seen: /^deposit .* and counts to/ },
  },
  {
    name: 'an open order counts to a month',
    sql: `update deposit_orders set volume_month = '2026-01-01' where status = 'PENDING'`,
    expected: { refused: 'deposit_orders_volume_month' },
  },
  {
    name: 'an order is not counted although its schedule uses the month’s volume',
    sql: `update fee_schedules set created_at = created_at - interval '2 hours' where tier_by = 'MONTH_VOLUME';
      update merchant_volumes v set orders = orders - 1, amount = amount - 200 where amount > 200;
      update deposit_orders set volume_month = null where volume_month is not null and actual_amount = 200`,
    withAllRights: true,
    expected: { seen: /^deposit .* and counts to no month/ },
  },
  {
    name: 'a schedule uses the amount instead of the month’s volume',
    sql: `update fee_schedules set tier_by = 'AMOUNT' where tier_by = 'MONTH_VOLUME'`,
    withAllRights: true,
    expected: { seen: /^fee schedule .* version 1: nobody agreed on it/ },
  },
  {
    name: 'a fee schedule changes',
    sql: `update fee_schedules set percent = 9`,
    expected: { refused: 'CW001' },
  },
  {
    name: 'a fee schedule costs more than was approved',
    sql: `update fee_schedules set percent = 9 where version = 2`,
    withAllRights: true,
    expected: { seen: /^fee schedule .* version 2: nobody agreed on it/ },
  },
  {
    name: 'a tier of a fee schedule changes',
    sql: `update fee_schedules set tier_fixeds = array[9]::numeric[] where version = 1`,
    withAllRights: true,
    expected: { seen: /^fee schedule .* version 1: nobody agreed on it/ },
  },
  {
    name: 'a fee schedule begins earlier',
    sql: `update fee_schedules set created_at = created_at - interval '1 day',
      effective_from = effective_from - interval '1 day' where version = 1`,
    withAllRights: true,
    expected: { seen: /^fee schedule .* version 1: nobody agreed on it/ },
  },
  {
    name: 'a fee schedule exists that was never approved',
    sql: `insert into fee_schedules select (jsonb_populate_record(f,
      jsonb_build_object('id', gen_random_uuid(), 'version', 3, 'change_id', (select id from change_requests
        where kind <> 'PUT_FEE_SCHEDULE' limit 1)))).* from fee_schedules f where version = 2`,
    expected: { seen: /^fee schedule .* version 3: nobody agreed on it/ },
  },
  {
    name: 'an older version of a fee schedule replaces a newer one',
    sql: `update fee_schedules set version = 3 where version = 1`,
    withAllRights: true,
    expected: { seen: /^fee schedule .* version 3: nobody agreed on it/ },
  },
];

const commissionRate = (what: string, change: string): Corruption => ({
  name: `a commission rate ${what}`,
  sql: `update commission_rates set ${change} where version = 2`,
  withAllRights: true,
  expected: { seen: /^commission rate .* version 2: nobody agreed on it/ },
});

/** Corruptions of commission rates, commissions and their payments. */
export const SHARED: readonly Corruption[] = [
  commissionRate('is higher than people agreed on', 'percent = 99'),
  commissionRate('is of another reseller', 'reseller_id = gen_random_uuid()'),
  commissionRate('ends', 'ends = true'),
  commissionRate(
    'begins earlier',
    `created_at = created_at - interval '1 day', effective_from = effective_from - interval '1 day'`,
  ),
  {
    name: 'a commission rate changes',
    sql: 'update commission_rates set percent = 9',
    expected: { refused: 'CW001' },
  },
  {
    name: 'a commission rate exists that was never approved',
    sql: `insert into commission_rates select (jsonb_populate_record(f,
      jsonb_build_object('id', gen_random_uuid(), 'version', 3, 'change_id', (select id from change_requests
        where kind <> 'PUT_COMMISSION_RATE' limit 1)))).* from commission_rates f where version = 2`,
    expected: { seen: /^commission rate .* version 3: nobody agreed on it/ },
  },
  {
    name: 'a fee brings no commission',
    sql: `delete from commissions where source = 'DEPOSIT'`,
    expected: { seen: /of a fee of .* was never earned/ },
  },
  {
    name: 'an order loses its rate but keeps its commission',
    sql: `update deposit_orders d set commission_rate_id = null from commissions c where c.id = d.id`,
    expected: { seen: /^commission .*: no fee brought it/ },
  },
  {
    name: 'a commission exceeds its fee',
    sql: 'update commissions set amount = fee + 1',
    expected: { refused: 'commissions_amount' },
  },
  {
    name: 'a commission belongs to another fee',
    sql: `update commissions set fee = fee + 1 where source = 'LATE_CREDIT'`,
    expected: { seen: /^commission .*: it is .* due are/ },
  },
  {
    name: 'a commission goes to another reseller',
    sql: `insert into resellers (id, name, created_by, created_at) values (gen_random_uuid(), 'another', 'x', now());
      update commissions set reseller_id = (select id from resellers where name = 'another')`,
    expected: { refused: 'commissions_rate' },
  },
  {
    name: 'a commission is reversed although its fee stays',
    sql: `update commissions set reversed_at = at, reversed_by = id where source = 'DEPOSIT'`,
    expected: { seen: /^commission .*: it was taken back at/ },
  },
  {
    name: 'a fee is reversed although its commission stays',
    sql: `update commissions set reversed_at = null, reversed_by = null where reversed_at is not null`,
    expected: { seen: /it gave a fee back, and the commission stayed/ },
  },
  {
    name: 'a payment names no reseller',
    sql: `update operator_postings set reseller_id = null where kind = 'COMMISSION_PAID'`,
    expected: { refused: 'operator_postings_kind' },
  },
];

/** A statement whose postings all exist: the sum of purged postings cannot be checked again. */
const billed = `(
  select l.statement_id from billing_statement_lines l join billing_statements s on s.id = l.statement_id
  where l.type = 'DEPOSIT_CREDIT' and not exists (
    select from ledger_transfers o join ledger_entries e on e.transfer_id = o.id
    where o.type = 'BOOK_OPENED' and e.account like 'merchant%:' || s.merchant_id || '%')
  order by 1 limit 1)`;
/** A statement that is not the last one of its balance. */
const billedFirst = `(select id from billing_statements where number = 1 order by id limit 1)`;

/** Corruptions of billing statements. */
export const BILLED: readonly Corruption[] = [
  {
    name: 'a line of a billing statement changes',
    sql: `update billing_statement_lines set postings = 9`,
    expected: { refused: 'CW001' },
  },
  {
    name: 'the amount of a billing statement’s line is too high',
    sql: `update billing_statement_lines set amount = amount + 1, fee = fee + 1
      where type = 'DEPOSIT_CREDIT' and statement_id = ${billed}`,
    withAllRights: true,
    expected: { seen: /^billing statement .*, DEPOSIT_CREDIT: it says/ },
  },
  {
    name: 'a line of a billing statement is missing',
    sql: `delete from billing_statement_lines where type = 'DEPOSIT_CREDIT' and statement_id = ${billed}`,
    withAllRights: true,
    expected: { seen: /^billing statement .*: it does not go on/ },
  },
  {
    name: 'the closing balance of a billing statement is too high',
    sql: `update billing_statements set closing_available = closing_available + 1 where id = ${billed}`,
    withAllRights: true,
    expected: { seen: /^billing statement .*: it does not go on/ },
  },
  {
    name: 'the opening balance of the first billing statement is too high',
    sql: `update billing_statements set closing_frozen = closing_frozen + 1,
        opening_frozen = opening_frozen + case when number > 1 then 1 else 0 end;
      update billing_statement_lines set amount = amount + 1, frozen = frozen + 1
        where statement_id in (select id from billing_statements where number = 1)`,
    withAllRights: true,
    expected: { seen: /^billing statement .*: it closes with/ },
  },
  {
    name: 'a billing statement ends a moment later',
    sql: `update billing_statements set ends_at = ends_at + interval '1 ms' where id = ${billedFirst}`,
    withAllRights: true,
    expected: { seen: /^billing statement .*: it does not go on/ },
  },
  {
    name: 'a billing statement is missing',
    sql: `delete from billing_statement_lines where statement_id = ${billedFirst};
      delete from billing_statements where id = ${billedFirst}`,
    withAllRights: true,
    expected: { seen: /^billing statement .*: it does not go on/ },
  },
  {
    name: 'a posting differs from the amount in its billing statement',
    sql: `update ledger_entries set amount = amount + sign(amount), balance_after = balance_after + sign(amount)
      where transfer_id = (select l.transfer_id from ledger_seals l join ledger_transfers t on t.id = l.transfer_id
        where t.type = 'BALANCE_TOP_UP' order by l.seq limit 1)`,
    withAllRights: true,
    expected: { seen: /^billing statement .*, BALANCE_TOP_UP: it says/ },
  },
];

/** Corruptions of payer rules, and of the returns that they cause. */
export const OF_PAYERS: readonly Corruption[] = [
  {
    name: 'payer rules change',
    sql: `update payer_rules set currency_code = 'EUR'`,
    expected: { refused: 'CW001' },
  },
  {
    name: 'a return by payer rules goes to another account than the payer’s',
    sql: `update payer_returns r set payee_account = '999' from payer_rules p where p.change_id = r.change_id`,
    expected: { seen: /^return .*: change request .* PUT_PAYER_RULES/ },
  },
  {
    name: 'a return by payer rules goes to another account, which is in clear',
    sql: `update payer_returns r set payee_account = '999', payee_account_index = null
      from payer_rules p where p.change_id = r.change_id`,
    expected: { seen: /^return .*: change request .* PUT_PAYER_RULES/ },
  },
  {
    name: 'payer rules return a part of a credit',
    sql: `update payer_returns r set amount = r.amount - 1 from payer_rules p where p.change_id = r.change_id`,
    expected: { seen: /^return .*: change request .* PUT_PAYER_RULES/ },
  },
  {
    name: 'a return is caused by payer rules that no longer return money',
    sql: `update payer_rules set rules = rules || '{"comparison": "WAIT"}'`,
    withAllRights: true,
    expected: { seen: /^return .*: change request .* PUT_PAYER_RULES/ },
  },
];
