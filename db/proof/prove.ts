import { TRANSFER_TYPES, type TransferType } from '../../domain/ledger';
import type { Transaction } from '../client';
import { CHECKS } from './checks';
import type { Check, Discrepancy, PostingRule } from './rule';
import { RULES } from './rules';
import { proveSeals } from './seals';

/** The range of a proof. */
export interface ProofScope {
  /** Postings and rows of this time range: `from` is included, `until` is not. All of them by default. */
  readonly from?: Date | undefined;
  readonly until?: Date | undefined;
  /** Only these rows (orders, attempts, bank credits, merchants, change requests), and the postings of the time given. */
  readonly rows?: readonly string[] | undefined;
}

/** The result of a proof, and how much it has checked. */
export interface Proof {
  /** Postings compared with the rows that they are of. */
  readonly postings: number;
  /** Rows whose state demands a posting, compared with their postings. */
  readonly rows: number;
  readonly checks: number;
  readonly discrepancies: readonly Discrepancy[];
}

/** Postings or rows of one statement: bounds its memory. */
const CHUNK = 10_000;
/** The most discrepancies of one check or chunk that are listed: the loss of a whole table must not fill the memory. */
const NAMED_AT_MOST = 1_000;
const FIRST = '00000000-0000-0000-0000-000000000000';
const UUID = '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}';

const prefixOf = (type: TransferType): string => `${type.toLowerCase().replaceAll('_', '-')}:`;

/** The lowest id of a time: ids begin with their milliseconds. */
const idAt = (time: Date): string => {
  const hex = time.getTime().toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}-0000-0000-000000000000`;
};
const LAST = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

const POSTED_LINES = `(
  select array_agg(e.account || ' ' || e.amount order by e.account, e.amount) from ledger_entries e
  where e.transfer_id = c.id and e.currency_code = c.currency_code)`;
const DEMANDED_LINES = `(
  select array_agg(l.account || ' ' || l.amount::numeric(20, 4) order by l.account, l.amount)
  from unnest(d.accounts, d.amounts) as l(account, amount) where l.amount <> 0)`;

/**
 * Compares postings of a type with the rows that their keys name. The row is looked up for each: nothing is sorted or
 * hashed, so that memory does not grow with the books.
 */
const postingsOf = (type: TransferType, { rows, rowOf }: PostingRule): string => `
  with chunk as materialized (
    select * from ledger_transfers where type = '${type}' and id > $1 and id < $2 order by id limit ${CHUNK}
  ), named as (
    select c.*, ${rowOf ?? `case when c.key ~ '^${prefixOf(type)}${UUID}$' then substr(c.key, ${prefixOf(type).length + 1})::uuid end`} as row_id
    from chunk c
  ), compared as (
    select c.id, c.key, d.subject,
      case
        when d.row_id is null then format('posting %s of type ${type} has no row that demands it', c.key)
        when c.currency_code <> d.currency then format('posted in %s, due in %s', c.currency_code, d.currency)
        when (c.order_id, c.bank_transfer_id) is distinct from (d.order_id, d.bank_transfer_id)
          then format('posted for order %s and bank credit %s', c.order_id, c.bank_transfer_id)
        when c.at is distinct from d.at then format('posted at %s, due at %s', c.at, d.at)
        -- An id is made of the time a moment later.
        when uuid_extract_timestamp(c.id) not between c.at - interval '1 minute' and c.at + interval '1 minute'
          then format('posted at %s under an id of %s', c.at, uuid_extract_timestamp(c.id))
        when ${POSTED_LINES} is distinct from ${DEMANDED_LINES}
          then format('posted as %s, due as %s', array_to_string(${POSTED_LINES}, ', ', '?'),
            array_to_string(${DEMANDED_LINES}, ', ', '?'))
        when (select count(*) from ledger_entries e where e.transfer_id = c.id) <> cardinality(${POSTED_LINES})
          then 'posted with lines of another currency'
      end as problem
    from named c
    left join lateral (select * from (${rows}) r where r.row_id = c.row_id offset 0) d on true
  )
  select count(*)::int as seen, (array_agg(id order by id desc))[1] as last,
    coalesce((select jsonb_agg(jsonb_build_object('subject', f.subject, 'problem', f.problem)) from (
      select coalesce(subject, 'ledger transfer ' || id) as subject, '${type}: ' || problem as problem from compared
      where problem is not null order by id limit ${NAMED_AT_MOST}) f), '[]') as faults
  from compared`;

/** Looks up the posting that each row demands. */
const rowsOf = (type: TransferType, { rows, key }: PostingRule, where: string): string => `
  with chunk as materialized (
    select r.row_id, r.subject, ${key ?? `'${prefixOf(type)}' || r.row_id`} as key
    from (${rows}) r where ${where} order by r.row_id limit ${CHUNK}
  )
  select count(*)::int as seen, (array_agg(row_id order by row_id desc))[1] as last,
    coalesce((select jsonb_agg(jsonb_build_object('subject', f.subject, 'problem', f.problem)) from (
      select c.subject, '${type} was never posted' as problem from chunk c
      where not exists (select from ledger_transfers t where t.key = c.key and t.type = '${type}')
      order by c.row_id limit ${NAMED_AT_MOST}) f), '[]') as faults
  from chunk`;

/** New entries of merchants' balances follow from the previous ones. A whole proof walks the chains instead. */
const NEW_LINKS = `
  select format('entry %s line %s on %s', e.transfer_id, e.line, e.account) as subject,
    format('%s + %s = %s does not follow from %s', e.balance_before, e.amount, e.balance_after, p.balance_after) as problem
  from ledger_entries e
  left join lateral (
    select p.balance_after from ledger_entries p
    where p.account = e.account and p.currency_code = e.currency_code and p.version < e.version
    order by p.version desc limit 1) p on true
  where e.transfer_id > $1 and e.transfer_id < $2 and e.account like 'merchant:%'
    and e.balance_before is distinct from coalesce(p.balance_after, 0)
  limit ${NAMED_AT_MOST}`;

const POSTING_QUERIES = TRANSFER_TYPES.map((type) => postingsOf(type, RULES[type]));
const ROW_QUERIES = {
  all: TRANSFER_TYPES.map((type) => rowsOf(type, RULES[type], 'r.row_id > $1')),
  time: TRANSFER_TYPES.map((type) => rowsOf(type, RULES[type], 'r.row_id > $1 and r.at >= $2 and r.at < $3')),
  some: TRANSFER_TYPES.map((type) => rowsOf(type, RULES[type], 'r.row_id > $1 and r.row_id = any($2::uuid[])')),
};
/** Types that the rules do not know are refused by a constraint; if that is gone, this names them. */
const UNKNOWN_TYPES = `
  select 'ledger transfer ' || id as subject, format('no row demands postings of type %s', type) as problem
  from ledger_transfers
  where type not in (${TRANSFER_TYPES.map((type) => `'${type}'`).join(', ')}) and id > $1 and id < $2
  limit ${NAMED_AT_MOST}`;
const checkQuery = (check: Check, where: string): string =>
  `select c.subject, c.problem from (${check.faults}) c ${where} limit ${NAMED_AT_MOST}`;

interface Chunk {
  readonly seen: number;
  readonly last: string | null;
  readonly faults: readonly Discrepancy[];
}

/**
 * Proves the books: every row about money has exactly the postings that its state demands, and every posting has
 * exactly one such row; balances, counts and accounts equal the sums of the rows. Each statement sees one snapshot of
 * the books, so a proof may run during traffic. @param tx without a statement timeout, isolation level read committed
 * @param onChunk after each part, for heartbeats
 */
export async function prove(
  tx: Transaction,
  scope: ProofScope = {},
  onChunk: () => void = () => undefined,
): Promise<Proof> {
  const discrepancies: Discrepancy[] = [];
  const { rows, from, until } = scope;
  const [low, high] = [from ? idAt(from) : FIRST, until ? idAt(until) : LAST];
  const ask = async (query: string, parameters: unknown[]): Promise<Discrepancy[]> =>
    await tx.unsafe<Discrepancy[]>(query, parameters as never[], { prepare: true });

  async function chunks(query: string, first: string, parameters: unknown[]): Promise<number> {
    let seen = 0;
    for (let last = first; ;) {
      const [chunk] = await tx.unsafe<Chunk[]>(query, [last, ...parameters] as never[], {
        prepare: true,
      });
      onChunk();
      seen += chunk?.seen ?? 0;
      discrepancies.push(...(chunk?.faults ?? []));
      if (!chunk?.last || chunk.seen < CHUNK) return seen;
      ({ last } = chunk);
    }
  }

  let [postings, demanded, checks] = [0, 0, 0];
  for (const query of POSTING_QUERIES) postings += await chunks(query, low, [high]);
  discrepancies.push(...(await ask(UNKNOWN_TYPES, [low, high])));
  const time = [from ?? new Date(0), until ?? new Date(8.64e14)];
  const [kind, parameters] = rows
    ? (['some', [rows]] as const)
    : from || until
      ? (['time', time] as const)
      : (['all', []] as const);
  for (const query of ROW_QUERIES[kind]) demanded += await chunks(query, FIRST, [...parameters] as unknown[]);
  if (rows || from) discrepancies.push(...(await ask(NEW_LINKS, [low, high])));
  for (const check of CHECKS) {
    if (rows && !check.each) continue;
    checks++;
    discrepancies.push(
      ...(rows
        ? await ask(checkQuery(check, 'where c.row_id = any($1::uuid[])'), [rows])
        : await ask(checkQuery(check, ''), [])),
    );
    onChunk();
  }
  if (!rows && !from && !until) discrepancies.push(...(await proveSeals(tx, 1n, onChunk)));
  return { postings, rows: demanded, checks, discrepancies };
}
