import type { PostingRule } from '../rule';

/** A book that a sandbox's purge has opened: what it carries forward. Lines of zero are not posted. */
export const BOOK_OPENED: PostingRule = {
  rows: `
    select b.id as row_id, 'book ' || b.number as subject, null::uuid as order_id, null::uuid as bank_transfer_id,
      b.currency_code as currency, b.opened_at as at, l.accounts, l.amounts
    from ledger_books b
    join lateral (
      select array_agg(x.account) as accounts, array_agg(x.amount) as amounts
      from ledger_book_lines x where x.book_id = b.id and x.amount <> 0) l on l.accounts is not null`,
};
