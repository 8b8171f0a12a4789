import type { Check } from '../rule';

/** Lines of books that carry forward versions of a balance b. */
const carriedOf = (b: string): string => `ledger_book_lines l
          where l.account in ('merchant:' || ${b}.merchant_id || ':available', 'merchant:' || ${b}.merchant_id || ':frozen')
            and l.currency_code = ${b}.currency_code`;

/**
 * Merchants' balances: the stored row equals its entries. The entries of one part form a chain, and the versions of
 * both parts together are 1, 2, 3 … up to the row's, except those that a book carries forward.
 */
export const BALANCES: readonly Check[] = [
  {
    name: 'a balance is what its entries say',
    each: false,
    faults: `
      select b.merchant_id as row_id, 'balance ' || b.merchant_id || ' ' || b.currency_code as subject,
        format('stored available %s, frozen %s, owed %s, version %s; the entries say %s, %s, %s, %s',
          b.available, b.frozen, b.receivable, b.version, e.available, e.frozen, o.owed, e.version) as problem
      from merchant_balances b
      cross join lateral (
        select coalesce(sum(e.amount) filter (where e.account like '%:available'), 0)::numeric(20, 4) as available,
          coalesce(sum(e.amount) filter (where e.account like '%:frozen'), 0)::numeric(20, 4) as frozen,
          greatest(max(e.version), (select max(l.last_version) from ${carriedOf('b')}), 0) as version
        from ledger_entries e
        where e.account in ('merchant:' || b.merchant_id || ':available', 'merchant:' || b.merchant_id || ':frozen')
          and e.currency_code = b.currency_code) e
      cross join lateral (
        select coalesce(-sum(e.amount), 0)::numeric(20, 4) as owed from ledger_entries e
        where e.account = 'merchant_receivable:' || b.merchant_id and e.currency_code = b.currency_code) o
      where (b.available, b.frozen, b.receivable, b.version) is distinct from
        (e.available, e.frozen, o.owed, e.version)`,
  },
  {
    name: 'the entries of a balance are a chain, its versions have no gap',
    each: false,
    faults: `
      select b.merchant_id as row_id,
        format('entry %s line %s on %s', c.transfer_id, c.line, c.account) as subject,
        case when c.balance_before is distinct from c.previous or c.balance_after is distinct from c.balance_before + c.amount
          then format('%s + %s = %s does not follow from %s', c.balance_before, c.amount, c.balance_after, c.previous)
          else format('version %s of %s follows %s of %s', c.version, c.transfer_id, c.version_before, c.transfer_before)
          end as problem
      from merchant_balances b
      cross join lateral (
        select e.transfer_id, e.line, e.account, e.amount, e.balance_before, e.balance_after, e.version,
          lag(e.balance_after, 1, 0::numeric) over (partition by e.account order by e.version) as previous,
          lag(e.version, 1, 0::bigint) over both_parts as version_before,
          lag(e.transfer_id) over both_parts as transfer_before
        from ledger_entries e
        where e.account in ('merchant:' || b.merchant_id || ':available', 'merchant:' || b.merchant_id || ':frozen')
          and e.currency_code = b.currency_code
        window both_parts as (order by e.version, e.transfer_id)) c
      where c.balance_before is distinct from c.previous or c.balance_after is distinct from c.balance_before + c.amount
        or c.version - c.version_before > 1 and c.version - c.version_before - 1 <> (
          select coalesce(sum(least(r.last_version, c.version - 1)
            - greatest(r.first_version, c.version_before + 1) + 1), 0)
          from (select distinct l.book_id, l.first_version, l.last_version from ${carriedOf('b')}
            and l.first_version < c.version and l.last_version > c.version_before) r)
        or c.version = c.version_before and c.transfer_id <> c.transfer_before`,
  },
  {
    name: 'a balance is where its newest entries have left it',
    each: true,
    faults: `
      select b.merchant_id as row_id, 'balance ' || b.merchant_id || ' ' || b.currency_code as subject,
        format('stored available %s, frozen %s, version %s; its newest entries say %s, %s, %s', b.available, b.frozen,
          b.version, coalesce(a.balance_after, 0), coalesce(f.balance_after, 0),
          greatest(a.version, f.version, k.version, 0)) as problem
      from merchant_balances b
      left join lateral (
        select e.balance_after, e.version from ledger_entries e
        where e.account = 'merchant:' || b.merchant_id || ':available' and e.currency_code = b.currency_code
        order by e.version desc limit 1) a on true
      left join lateral (
        select e.balance_after, e.version from ledger_entries e
        where e.account = 'merchant:' || b.merchant_id || ':frozen' and e.currency_code = b.currency_code
        order by e.version desc limit 1) f on true
      cross join lateral (select max(l.last_version) as version from ${carriedOf('b')}) k
      where (b.available, b.frozen, b.version) is distinct from
        (coalesce(a.balance_after, 0), coalesce(f.balance_after, 0), greatest(a.version, f.version, k.version, 0))`,
  },
  {
    name: 'what a merchant in debt has covers the debt',
    each: true,
    faults: `
      select merchant_id as row_id, 'balance ' || merchant_id || ' ' || currency_code as subject,
        format('it owes %s and has %s available, which covers that first', receivable, available) as problem
      from merchant_balances where receivable > 0 and available > 0`,
  },
  {
    name: 'every currency of a merchant has its balance',
    each: false,
    faults: `
      select c.merchant_id as row_id, 'balance ' || c.merchant_id || ' ' || c.currency_code as subject,
        'the merchant uses the currency and has no balance in it' as problem
      from merchant_currencies c
      where not exists (select from merchant_balances b
        where b.merchant_id = c.merchant_id and b.currency_code = c.currency_code)`,
  },
];
