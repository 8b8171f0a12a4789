import type { Sql } from 'postgres';
import { uuidv7 } from 'uuidv7';
import { depositCallbackBody } from '../../domain/callback';
import { depositCredit } from '../../domain/ledger';
import { money } from '../../domain/money';
import type { Database } from '../../db/client';
import { type Credit, creditDeposit, CreditWriter } from '../../db/deposits/credits';
import { verifyLedger } from '../../db/ledger/ledger';
import { type PaidOrder, recordCredit, unpaidDeposits } from '../bank-credits';
import type { Bench } from '../bench';
import type { PeerLedger } from '../floor/peer-ledger';
import { peerVariants } from '../floor/peer-variants';
import { closePeers, openPeers } from '../floor/peers';
import { type Heat, keepBusy, type Sample, type Variant } from '../harness';
import { type BenchMerchant, CURRENCY, type Testbed } from '../testbed';

const MERCHANTS = 500;
const ACCOUNTS = 8;
/** Credits under way at once: as many as a worker runs as local activities. */
const CALLERS = 100;

const WRITER = 'credits of the platform';
const ONE_BY_ONE = 'one transaction each, all at once';
const IN_TURN = 'one transaction each, one after another';
const PAID = "bank's credits recorded, matched and credited by the platform";
const PAID_ONE_BY_ONE = 'the same, each credited in a transaction of its own';

const AMOUNT = money('1000');
const FEE = money('15');

/**
 * The rate for which the first round's deposits are seeded; later rounds get one and a half times the last round's
 * rate.
 */
const FIRST_A_SECOND = 1_000;
/** Deposits of one SQL statement: a pool's statements may take four seconds. */
const CHUNK = 1_000;
/** A credit's two parts, for ledgers of others. */
const PARTS = { part: AMOUNT.minus(FEE), fee: FEE };

/** Matched deposits with their bank credits, as the match leaves them. */
export async function matchedDeposits(
  { sql }: Database,
  accountId: string,
  merchants: readonly BenchMerchant[],
  count: number,
): Promise<Credit[]> {
  const now = new Date();
  const orders = Array.from({ length: count }, (_, n) => ({
    depositId: uuidv7(),
    merchantId: merchants[n % merchants.length]?.id ?? '',
  }));
  for (let from = 0; from < count; from += CHUNK)
    await insertMatched(sql, accountId, orders.slice(from, from + CHUNK), now);
  return orders.map(({ depositId, merchantId }) => ({
    depositId,
    merchantId,
    actual: AMOUNT,
    fee: FEE,
    now,
    postings: depositCredit(merchantId, AMOUNT, FEE),
    callbackBody: depositCallbackBody(
      'COMPLETED',
      {
        orderNo: depositId,
        merchantOrderNo: depositId,
        requestedAmount: AMOUNT,
        actualAmount: AMOUNT,
        currencyCode: CURRENCY,
        matchedAt: now,
        extraData: null,
      },
      now,
    ),
  }));
}

async function insertMatched(
  sql: Sql,
  accountId: string,
  orders: readonly { readonly depositId: string; readonly merchantId: string }[],
  now: Date,
): Promise<void> {
  await sql`
    with orders as (
      select * from unnest(${orders.map((order) => order.depositId)}::uuid[],
        ${orders.map((order) => order.merchantId)}::uuid[]) as o(id, merchant_id)
    ), numbers as (
      insert into merchant_order_numbers (merchant_id, merchant_order_no, noun, order_id)
      select merchant_id, id::text, 'deposit', id from orders
    )
    insert into deposit_orders
      (id, order_no, merchant_id, merchant_order_no, order_type, account_id, requested_amount, amount, fee,
       actual_amount, currency_code, expected_remark, status, expire_at, matched_at, callback_url,
       payment_snapshot, created_at, updated_at)
    select id, id::text, merchant_id, id::text, 'DIRECT', ${accountId}, ${AMOUNT.toFixed()}::numeric,
      ${AMOUNT.toFixed()}::numeric, ${FEE.toFixed()}::numeric, 0, ${CURRENCY}, id::text, 'MATCHED', ${now}, ${now},
      'https://merchant.example/payments/callbacks', '{}', ${now}, ${now}
    from orders`;
  // The id of a deposit is also that of its bank credit, allocation and posting.
  const ids = orders.map(({ depositId }) => depositId);
  await sql`
    with credits as (
      insert into bank_transfers (id, account_id, direction, amount, currency_code, dedupe_key, bank_time, memo, source,
        received_at)
      select id, ${accountId}, 'CREDIT', ${AMOUNT.toFixed()}::numeric, ${CURRENCY}, id::text, ${now}, '', 'bench', ${now}
      from unnest(${ids}::uuid[]) id
    ), allocations as (
      insert into transfer_allocations (id, transfer_id, deposit_id, fee, matched_by, at)
      select id, id, id, ${FEE.toFixed()}::numeric, 'system', ${now} from unnest(${ids}::uuid[]) id
    ), posted as (
      insert into ledger_transfers (id, type, key, currency_code, bank_transfer_id, at)
      select id, 'BANK_CREDIT', 'bank-credit:' || id, ${CURRENCY}, id, ${now} from unnest(${ids}::uuid[]) id
    )
    insert into ledger_entries (transfer_id, line, account, currency_code, amount)
    select id, l.line, l.account, ${CURRENCY}, l.sign * ${AMOUNT.toFixed()}::numeric
    from unnest(${ids}::uuid[]) id
    cross join (values (1, ${`bank:${accountId}`}, -1), (2, 'suspense', 1)) as l(line, account, sign)`;
}

/** Credits seeded deposits until they or the time are used up. @throws if a deposit was not credited */
async function creditAll(
  seeded: Credit[],
  seconds: number,
  callers: number,
  credit: (credit: Credit) => Promise<boolean>,
): Promise<Sample> {
  return await keepBusy(callers, seconds, () => {
    const next = seeded.pop();
    return next && mustBeDone(credit(next));
  });
}

async function mustBeDone(step: Promise<boolean>): Promise<void> {
  if (!(await step)) throw new Error('a matched deposit was not credited');
}

interface Place {
  readonly testbed: Testbed;
  readonly accountId: string;
  readonly writer: CreditWriter;
  /** The deposits that each variant has seeded, and not credited. */
  readonly seeds: Credit[][];
  /** The ledgers of others. */
  readonly others: readonly PeerLedger[];
}

function heat(name: string, atLeast: number, place: Place, merchants: readonly BenchMerchant[]): Heat {
  const { testbed, accountId, writer, seeds, others } = place;
  const peers = others.flatMap((peer) => peerVariants(peer, testbed, merchants.length, CALLERS, PARTS));
  const { database, servers } = testbed;
  const variant = (variantName: string, callers: number, credit: (credit: Credit) => Promise<boolean>): Variant => {
    const seeded: Credit[] = [];
    seeds.push(seeded);
    let aSecond = FIRST_A_SECOND;
    return {
      name: variantName,
      watched: servers.own,
      prepare: async (seconds) => {
        await database.sql`truncate outbox`;
        const wanted = Math.max(0, Math.ceil(seconds * aSecond * 1.5) - seeded.length);
        seeded.push(...(await matchedDeposits(database, accountId, merchants, wanted)));
        await testbed.settle();
      },
      run: async (seconds) => {
        const sample = await creditAll(seeded, seconds, callers, credit);
        aSecond = sample.done / sample.seconds;
        return sample;
      },
    };
  };
  return {
    name,
    unit: `credits a second, ${CALLERS} under way`,
    variants: [
      variant(WRITER, CALLERS, async (credit) => await writer.credit(credit)),
      variant(ONE_BY_ONE, CALLERS, async (credit) => await creditDeposit(database, credit)),
      variant(IN_TURN, 1, async (credit) => await creditDeposit(database, credit)),
      ...peers,
    ],
    aims: [
      { of: WRITER, beside: ONE_BY_ONE, atLeast },
      { of: WRITER, beside: IN_TURN },
      ...peers.map(({ name: beside, atLeast: limit }) => ({
        of: WRITER,
        beside,
        ...(limit !== undefined && { atLeast: limit }),
      })),
    ],
  };
}

/** The bank's report too: each is posted bank → suspense under its account's lock, and then credited. */
function paidHeat(
  { testbed, writer }: Place,
  merchants: readonly BenchMerchant[],
  accountIds: readonly string[],
): Heat {
  const { database, servers } = testbed;
  const variant = (name: string, credit: (credit: Credit) => Promise<boolean>): Variant => {
    const seeded: PaidOrder[] = [];
    let aSecond = FIRST_A_SECOND / 2;
    return {
      name,
      watched: servers.own,
      prepare: async (seconds) => {
        await database.sql`truncate outbox`;
        const wanted = Math.max(0, Math.ceil(seconds * aSecond * 1.5) - seeded.length);
        seeded.push(...(await unpaidDeposits(database, accountIds, merchants, wanted)));
        await testbed.settle();
      },
      run: async (seconds) => {
        const sample = await keepBusy(CALLERS, seconds, () => {
          const next = seeded.pop();
          return next && recordCredit(database, next).then(() => mustBeDone(credit(next.credit)));
        });
        aSecond = sample.done / sample.seconds;
        return sample;
      },
    };
  };
  return {
    name: `bank's credits for ${merchants.length} merchants on ${accountIds.length} accounts`,
    unit: `a second, ${CALLERS} under way`,
    variants: [
      variant(PAID, async (credit) => await writer.credit(credit)),
      variant(PAID_ONE_BY_ONE, async (credit) => await creditDeposit(database, credit)),
    ],
    aims: [{ of: PAID, beside: PAID_ONE_BY_ONE }],
  };
}

export const ledger: Bench = {
  sentence:
    "ledger postings (MATCHED deposits credited) on one hot balance and over 500 merchants, and with the bank's credits, beside one transaction each",
  needs: { temporal: false, countStatements: false },
  async open(testbed, { short, peers }) {
    const merchants = await testbed.merchants(short ? 10 : MERCHANTS);
    const accountIds = await testbed.accounts(ACCOUNTS);
    const [accountId = ''] = accountIds;
    const writer = new CreditWriter(testbed.database);
    const others = await openPeers(testbed, peers);
    const place: Place = { testbed, accountId, writer, seeds: [], others };
    return {
      heats: [
        heat('one hot balance', 5, place, merchants.slice(0, 1)),
        heat(`${merchants.length} merchants`, 3, place, merchants),
        paidHeat(place, merchants, accountIds),
      ],
      close: async () => {
        await closePeers(others);
        // A minute later the sweep would start a workflow for each, and a later bench would wait for them.
        const left = place.seeds.flat();
        await creditAll(left, Infinity, CALLERS, async (credit) => await writer.credit(credit));
        await testbed.database.sql`
          update deposit_orders set status = 'EXPIRED' where status = 'PENDING'`;
        const discrepancies = await verifyLedger(testbed.database);
        if (discrepancies.length > 0)
          throw new Error(`the ledger does not add up: ${JSON.stringify(discrepancies[0])}`);
        console.log('the ledger adds up: discrepancies=0');
      },
    };
  },
};
