import type { Check } from '../rule';

/** Books that a sandbox's purge has opened. Production has none. */
export const BOOKS: readonly Check[] = [
  {
    name: 'books are opened in a sandbox alone, one after the other',
    each: false,
    faults: `
      select b.id as row_id, 'book ' || b.number as subject,
        case when b.number <> b.place then format('it is the %s. of them', b.place)
          else 'a purge opened it, and this database is no sandbox' end as problem
      from (select id, number, row_number() over (order by number) as place from ledger_books) b
      where b.number <> b.place
        or not exists (select from migrations.release r where r.environment = 'sandbox')`,
  },
  {
    name: 'the first link of a book names the head of the one before',
    each: false,
    faults: `
      select b.id as row_id, 'book ' || b.number as subject,
        format('it was opened behind seal %s, and its first posting is sealed as %s', b.head_seq,
          coalesce(f.seq::text, 'none')) as problem
      from ledger_books b
      left join ledger_transfers t on t.key = 'book-opened:' || b.id
      left join ledger_seals f on f.transfer_id = t.id
      left join ledger_seals h on h.seq = b.head_seq
      where t.id is not null and f.seq is distinct from b.head_seq + 1
        or coalesce(h.hash, (select sha256(convert_to(p.identity::text, 'UTF8')) from platform p where p.id = 1))
          is distinct from b.head_hash or h.seq is null and b.head_seq > 0`,
  },
  {
    name: 'links without a posting are those that books say',
    each: false,
    faults: `
      select null::uuid as row_id, 'the chain of seals' as subject,
        format('%s of its links have no posting; books say %s', s.links, b.links) as problem
      from (select count(*) as links from ledger_seals where transfer_id is null) s,
        (select coalesce(sum(links), 0) as links from ledger_books) b
      where s.links <> b.links`,
  },
  {
    name: 'a book is posted with the versions, balances and days that it carries',
    each: false,
    faults: `
      select b.id as row_id, 'book ' || b.number as subject,
        format('its line on %s differs from what was posted', d.account) as problem
      from ledger_books b
      join ledger_transfers t on t.key = 'book-opened:' || b.id
      join lateral (
        (select account, currency_code, amount, last_version, balance_before, balance_after, value_day
          from ledger_book_lines where book_id = b.id and amount <> 0
        except all
        select account, currency_code, amount, version, balance_before, balance_after, value_day
          from ledger_entries where transfer_id = t.id)) d on true
      union all
      select l.book_id, 'book ' || l.book_id, format('its line on %s is of another currency', l.account)
      from ledger_book_lines l join ledger_books b on b.id = l.book_id
      where l.currency_code <> b.currency_code`,
  },
];
