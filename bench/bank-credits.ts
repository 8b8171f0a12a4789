import { uuidv7 } from 'uuidv7';
import { depositCallbackBody } from '../domain/callback';
import { bankCredit, depositCredit } from '../domain/ledger';
import { money } from '../domain/money';
import type { Database } from '../db/client';
import type { Credit } from '../db/deposits/credits';
import { findFactsOfReports, recordTransfers, type TransferReport } from '../db/transfers/bank-transfers';
import { type BenchMerchant, CURRENCY } from './testbed';

const FEE = money('15');
/** Payers of one account pay different amounts within the days in which equal credits are compared. */
const AMOUNT = money('1000');
const CENT = money('0.01');
const NEAR_SECONDS = 3 * 86_400;

/** A PENDING deposit with the fields of the bank's report and of its credit. */
export interface PaidOrder {
  readonly report: TransferReport;
  readonly credit: Credit;
}

let number = 0;

function paidOrder(accountId: string, merchantId: string, now: Date): PaidOrder {
  const depositId = uuidv7();
  const amount = AMOUNT.plus(CENT.times(number++ % 1_000_000));
  const order = { orderNo: depositId, merchantOrderNo: depositId, requestedAmount: amount };
  return {
    report: {
      id: uuidv7(),
      accountId,
      amount,
      currencyCode: CURRENCY,
      dedupeKey: depositId,
      bankReference: null,
      bankTime: now,
      payerName: null,
      payerAccount: null,
      payerAccountIndex: null,
      memo: depositId,
      balanceAfter: null,
      source: 'bench',
      receivedAt: now,
      remarks: [depositId],
      nearSeconds: NEAR_SECONDS,
      agentKeyId: null,
      creditedSince: null,
    },
    credit: {
      depositId,
      merchantId,
      actual: amount,
      fee: FEE,
      now,
      postings: depositCredit(merchantId, amount, FEE),
      callbackBody: depositCallbackBody(
        'COMPLETED',
        { ...order, actualAmount: amount, currencyCode: CURRENCY, matchedAt: now, extraData: null },
        now,
      ),
    },
  };
}

/** Deposits of one SQL statement: a pool's statements may take four seconds. */
const CHUNK = 1_000;

/** PENDING deposits of these merchants on these accounts, and the bank's report of each. */
export async function unpaidDeposits(
  { sql }: Database,
  accountIds: readonly string[],
  merchants: readonly BenchMerchant[],
  count: number,
): Promise<PaidOrder[]> {
  const now = new Date();
  const orders = Array.from({ length: count }, (_, n) =>
    paidOrder(accountIds[n % accountIds.length] ?? '', merchants[n % merchants.length]?.id ?? '', now),
  );
  for (let from = 0; from < count; from += CHUNK) {
    const some = orders.slice(from, from + CHUNK);
    await sql`
      with orders as (
        select * from unnest(${some.map(({ credit }) => credit.depositId)}::uuid[],
          ${some.map(({ credit }) => credit.merchantId)}::uuid[],
          ${some.map(({ report }) => report.accountId)}::uuid[],
          ${some.map(({ report }) => report.amount.toFixed())}::numeric[])
          as o(id, merchant_id, account_id, amount)
      ), numbers as (
        insert into merchant_order_numbers (merchant_id, merchant_order_no, noun, order_id)
        select merchant_id, id::text, 'deposit', id from orders
      )
      insert into deposit_orders
        (id, order_no, merchant_id, merchant_order_no, order_type, account_id, requested_amount, amount, fee,
         actual_amount, currency_code, expected_remark, status, expire_at, callback_url, payment_snapshot,
         created_at, updated_at)
      select id, id::text, merchant_id, id::text, 'DIRECT', account_id, amount, amount, ${FEE.toFixed()}::numeric,
        0, ${CURRENCY}, id::text, 'PENDING', ${new Date(now.getTime() + 86_400_000)},
        'https://merchant.example/payments/callbacks', '{}', ${now}, ${now}
      from orders`;
  }
  return orders;
}

/**
 * Records the bank's credit, which is matched to its deposit, as an agent's report is: first the facts are read, then
 * it is recorded.
 * @throws if the facts changed meanwhile
 */
export async function recordCredit(database: Database, { report, credit: { depositId } }: PaidOrder): Promise<void> {
  const facts = (await findFactsOfReports(database, [report])).get(report.id);
  if (!facts) throw new Error(`${report.id} has no facts`);
  const verdict = {
    match: { matched: true, depositId, fee: FEE, payer: null },
    noteBalance: false,
    pause: null,
    postings: bankCredit(report.accountId, report.amount),
  } as const;
  const [changed] = await recordTransfers(database.sql, [{ report, facts: facts.raw, verdict }]);
  if (changed) throw new Error(`the facts of ${depositId} changed`);
}
