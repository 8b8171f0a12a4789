import type { Database } from '../../db/client';
import { verifyLedger } from '../../db/ledger/ledger';
import { BALANCES } from '../../db/proof/checks/balances';
import { Decimal } from '../../domain/money';
import type { Tenant } from './tenant';

/**
 * Checks the whole ledger: no findings of verifyLedger, zero-sum per currency, each merchant's balance the
 * sum of its entries, and suspense the sum of the credits that no deposit and no operator has used.
 */
export async function expectWholeLedger({ database }: Tenant): Promise<void> {
  expect(await verifyLedger(database)).toEqual([]);
  const sums = await database.sql<{ currency: string; sum: string }[]>`
    select currency_code as currency, sum(amount)::text as sum from ledger_entries group by 1`;
  expect(sums.filter(({ sum }) => !new Decimal(sum).isZero())).toEqual([]);
  const balances = await database.sql<{ available: string; rebuilt: string }[]>`
    select b.available::text, coalesce(sum(e.amount), 0)::numeric(20, 4)::text as rebuilt
    from merchant_balances b
    left join ledger_entries e on e.account = 'merchant:' || b.merchant_id || ':available'
      and e.currency_code = b.currency_code
    group by b.id`;
  expect(balances.filter(({ available, rebuilt }) => available !== rebuilt)).toEqual([]);
  const [suspense] = await database.sql<{ posted: string; waiting: string }[]>`
    select coalesce((select sum(amount) from ledger_entries where account = 'suspense'), 0)::numeric(20, 4)::text as posted,
      (coalesce((select sum(t.amount) from bank_transfers t where not exists (
        select from transfer_allocations a join deposit_orders d on d.id = a.deposit_id
        where a.transfer_id = t.id and a.released_at is null and d.status = 'COMPLETED')), 0)
      - coalesce((select sum(p.amount) from operator_postings p
        where p.bank_transfer_id is not null and p.reversed_at is null), 0)
      + coalesce((select sum(l.amount) from late_receipts l), 0)
      - coalesce((select sum(p.amount) from operator_postings p
        where p.deposit_attempt_id is not null and p.reversed_at is null), 0)
      - coalesce((select sum(r.amount) from payer_returns r
        where r.bank_transfer_id is not null and r.status = 'COMPLETED'), 0))::numeric(20, 4)::text as waiting`;
  expect(suspense?.posted).toBe(suspense?.waiting);
}

/** The errors of merchants' balances as text, where postings have no source row: the whole proof names those. */
export async function balanceFaults({ sql }: Database): Promise<string[]> {
  const found: string[] = [];
  for (const { faults } of BALANCES)
    for (const { subject, problem } of await sql.unsafe<{ subject: string; problem: string }[]>(faults))
      found.push(`${subject}: ${problem}`);
  return found;
}
