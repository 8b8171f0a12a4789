import type { Check } from '../rule';

/** The stored sums of the accounts: those of the entries of sealed postings, summed again. */
export const SUMS: readonly Check[] = [
  {
    name: 'the sums of an account are those of its sealed entries',
    each: false,
    faults: `
      with ends as (
        select coalesce(max(seq), 0) as seq from ledger_sum_ends
      ), from_entries as (
        select e.account, e.currency_code, coalesce(sum(e.amount) filter (where e.amount > 0), 0) as credits,
          coalesce(sum(e.amount) filter (where e.amount < 0), 0) as debits
        from ends, ledger_seals s join ledger_entries e on e.transfer_id = s.transfer_id
        where s.seq <= ends.seq group by 1, 2
      )
      select null::uuid as row_id, format('sums of %s %s', account, currency_code) as subject,
        format('stored as %s and %s up to seal %s, the entries say %s and %s', coalesce(s.credits::text, 'nothing'),
          coalesce(s.debits::text, 'nothing'), ends.seq, coalesce(e.credits, 0), coalesce(e.debits, 0)) as problem
      from ends, ledger_sums s full join from_entries e using (account, currency_code)
      where (s.credits, s.debits) is distinct from (e.credits, e.debits)`,
  },
  {
    name: 'the sums end within the chain of seals',
    each: false,
    faults: `
      select null::uuid as row_id, 'sums of the accounts' as subject,
        format('they end at seal %s, the chain at %s', e.seq, coalesce(s.seq, 0)) as problem
      from ledger_sum_ends e cross join (select max(seq) as seq from ledger_seals) s
      where e.seq > coalesce(s.seq, 0)`,
  },
];
