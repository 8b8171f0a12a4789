import fc from 'fast-check';
import type { Sql } from 'postgres';
import type { Transaction } from '../../db/client';
import { issueBillingStatement } from '../../db/billing/statements';
import { sealLedger } from '../../db/proof/seals';
import { BILLED_TYPES, BILLING_LINES } from '../../domain/billing';
import { TRANSFER_TYPES } from '../../domain/ledger';
import { startOfDay } from '../../domain/zone';
import { issueBilling, type LoosePosting, postLoose, postMany, recountBilling } from '../support/billing';
import { Tenant } from '../support/tenant';

/** The number of movements of the largest statement. */
const MOVEMENTS = Number(process.env['BILLING_MOVEMENTS'] ?? 1_000);
const HOUR = 3_600_000;
const DAY = 24 * HOUR;

/** A generator of numbers between 0 and 1: the same seed gives the same numbers. */
const seeded = (seed: number) => (): number => {
  seed = (seed * 48_271) % 2_147_483_647;
  return seed / 2_147_483_647;
};

describe('billing statements', () => {
  let tenant: Tenant;
  let sql: Sql;
  beforeEach(async () => {
    tenant = await Tenant.create();
    ({ sql } = tenant.database);
  });
  afterEach(async () => {
    await tenant.close();
  });

  const merchantIn = async (timeZone: string): Promise<string> => {
    const { id } = await tenant.merchant();
    await sql`update merchants set time_zone = ${timeZone} where id = ${id}`;
    return id;
  };
  const post = async (merchantId: string, at: string | Date, amount = '10'): Promise<void> => {
    await tenant.database.transaction(async (tx) => {
      await postLoose(tx, merchantId, { type: 'BALANCE_TOP_UP', amount, now: new Date(at) });
    });
  };
  const statementsOf = async (merchantId: string) =>
    await sql<{ number: number; month: string; opening: string; closing: string; postings: number }[]>`
      select number, month::text, opening_available::text as opening, closing_available::text as closing, postings
      from billing_statements where merchant_id = ${merchantId} order by number`;

  it('have a line for every type of posting that changes a balance', () => {
    expect(Object.keys(BILLING_LINES).sort()).toEqual([...TRANSFER_TYPES].sort());
    const titles = BILLED_TYPES.map((type) => BILLING_LINES[type].title);
    expect(new Set(titles).size).toBe(BILLED_TYPES.length);
  });

  it('are issued from an hour after the end of each month, without a gap', async () => {
    const id = await merchantIn('Asia/Bangkok');
    await post(id, '2026-01-31T16:59:59.999Z', '1');
    await post(id, '2026-01-31T17:00:00.000Z', '20');
    expect(await issueBilling(tenant.database, new Date('2026-01-31T17:59:59Z'))).toBe(0);
    expect(await issueBilling(tenant.database, new Date('2026-01-31T18:00:00Z'))).toBe(1);
    expect(await issueBilling(tenant.database, new Date('2026-01-31T18:00:00Z'))).toBe(0);
    expect(await issueBilling(tenant.database, new Date('2026-04-30T18:00:00Z'))).toBe(3);
    expect(await statementsOf(id)).toEqual([
      { number: 1, month: '2026-01-01', opening: '0.0000', closing: '1.0000', postings: 1 },
      { number: 2, month: '2026-02-01', opening: '1.0000', closing: '21.0000', postings: 1 },
      { number: 3, month: '2026-03-01', opening: '21.0000', closing: '21.0000', postings: 0 },
      { number: 4, month: '2026-04-01', opening: '21.0000', closing: '21.0000', postings: 0 },
    ]);
    expect((await recountBilling(sql)).differences).toEqual([]);
  });

  it('are issued once per month, also by concurrent calls', async () => {
    const id = await merchantIn('UTC');
    await post(id, '2026-01-05T00:00:00Z');
    const now = new Date('2026-02-01T02:00:00Z');
    await sealLedger(tenant.database, true, now);
    const answers = await Promise.all(
      [1, 2, 3, 4].map(
        async () => await issueBillingStatement(tenant.database, { merchantId: id, currencyCode: 'THB' }, now),
      ),
    );
    expect(answers.sort()).toEqual(['ISSUED', 'NOT_DUE', 'NOT_DUE', 'NOT_DUE']);
  });

  it('wait until all committed postings are sealed', async () => {
    const id = await merchantIn('UTC');
    const now = new Date('2026-02-01T02:00:00Z');
    await post(id, '2026-01-05T00:00:00Z');
    await sealLedger(tenant.database, true, now);
    await post(id, '2026-01-31T23:59:59Z');
    const issue = async () =>
      await issueBillingStatement(tenant.database, { merchantId: id, currencyCode: 'THB' }, now);
    expect(await issue()).toBe('UNSEALED');
    await sealLedger(tenant.database, true, now);
    expect(await issue()).toBe('ISSUED');
    expect(await statementsOf(id)).toMatchObject([{ postings: 2, closing: '20.0000' }]);
  });

  it('list a posting that commits after its month was issued in the next statement', async () => {
    const id = await merchantIn('UTC');
    await post(id, '2026-01-05T00:00:00Z', '1');
    // Days late, minutes late, and within the hour before the month's end, at which the search begins.
    for (const at of ['2026-01-05T00:00:00Z', '2026-01-31T22:59:59Z', '2026-01-31T23:59:59Z']) {
      const number = (await statementsOf(id)).length;
      const now = new Date(Date.UTC(2026, number + 1, 1, 2));
      let commit = (): void => undefined;
      const holding = new Promise<void>((resolve) => {
        commit = resolve;
      });
      let posted = (): void => undefined;
      const waiting = new Promise<void>((resolve) => {
        posted = resolve;
      });
      const late = tenant.database.transaction(async (tx: Transaction) => {
        const own = new Date(Date.parse(at) + (Date.UTC(2026, number + 1) - Date.UTC(2026, 1)));
        await postLoose(tx, id, { type: 'BALANCE_TOP_UP', amount: '100', now: own });
        posted();
        await holding;
      });
      await waiting;
      expect(await issueBilling(tenant.database, now)).toBe(1);
      commit();
      await late;
    }
    expect(await issueBilling(tenant.database, new Date('2026-05-01T02:00:00Z'))).toBe(1);
    const counts = (await statementsOf(id)).map(({ postings }) => postings);
    expect(counts).toEqual([1, 1, 1, 1]);
    expect(await recountBilling(sql)).toEqual({ statements: 4, postings: 4, differences: [] });
  });

  it('continue from the end of the previous one when the merchant’s zone changes', async () => {
    const id = await merchantIn('Pacific/Kiritimati');
    await post(id, '2025-12-31T09:59:59.999Z');
    await post(id, '2026-01-31T09:59:59.999Z');
    await post(id, '2026-01-31T10:00:00Z');
    expect(await issueBilling(tenant.database, new Date('2026-01-31T11:00:00Z'))).toBe(2);
    await sql`update merchants set time_zone = 'America/Los_Angeles' where id = ${id}`;
    await post(id, '2026-03-01T07:59:59.999Z');
    await post(id, '2026-03-01T08:00:00Z');
    expect(await issueBilling(tenant.database, new Date('2026-04-01T08:00:00Z'))).toBe(2);
    expect((await statementsOf(id)).map(({ postings }) => postings)).toEqual([1, 1, 2, 1]);
    expect((await recountBilling(sql)).differences).toEqual([]);
  });

  it('never change, and accept no further, missing or wrong line', async () => {
    const id = await merchantIn('UTC');
    await post(id, '2026-01-05T00:00:00Z');
    await issueBilling(tenant.database, new Date('2026-02-01T02:00:00Z'));
    for (const statement of [
      'update billing_statements set postings = 2',
      'delete from billing_statement_lines',
      'truncate billing_statements, billing_statement_lines',
    ])
      await expect(sql.unsafe(statement)).rejects.toMatchObject({ code: 'CW001' });
    const line = `insert into billing_statement_lines
      select id, 'CREDIT_HELD', 1, 0, 0, 0, 0, 0 from billing_statements`;
    await expect(sql.unsafe(line)).rejects.toMatchObject({ code: 'CW002' });
    const copy = (set: string): string => `insert into billing_statements (${COLUMNS}) select ${set}
      from (select gen_random_uuid() as id, merchant_id, currency_code, number + 1 as number, date '2026-02-01' as month,
        time_zone, ends_at as begins_at, ends_at + interval '1 month' as ends_at, through_seq as from_seq, through_seq,
        closing_available as opening_available, closing_frozen as opening_frozen,
        closing_receivable as opening_receivable, closing_available, closing_frozen, closing_receivable, 0 as lines,
        0 as postings, ends_at + interval '2 months' as issued_at from billing_statements) s`;
    const set = (column: string, value: string): string =>
      copy(
        COLUMNS.split(', ')
          .map((name) => (name === column ? value : name))
          .join(', '),
      );
    const refusals: readonly (readonly [string, string, string])[] = [
      ['number', 'number + 1', '23503'],
      ['month', `date '2026-01-01'`, '23505'],
      ['begins_at', `begins_at + interval '1 ms'`, '23503'],
      ['from_seq', 'from_seq - 1', '23503'],
      ['opening_available', 'opening_available + 1', '23503'],
      ['closing_frozen', 'closing_frozen + 1', 'CW002'],
      ['lines', 'lines + 1', '23514'],
      ['issued_at', 'ends_at', '23514'],
    ];
    for (const [column, value, code] of refusals)
      await expect([column, sql.unsafe(set(column, value))][1]).rejects.toMatchObject({ code });
    await sql.unsafe(copy(COLUMNS));
  });

  it(`of ${MOVEMENTS} movements equal the ledger to the last unit`, async () => {
    const id = await merchantIn('Europe/Berlin');
    const random = seeded(20_261_123);
    const begin = Date.UTC(2026, 1, 28, 22);
    // March, in which clocks change, and two hours on either side.
    const types: readonly LoosePosting[] = [
      ...(['DEPOSIT_CREDIT', 'DEPOSIT_CREDIT', 'BALANCE_TOP_UP'] as const),
      ...(['BALANCE_ADJUSTMENT', 'WITHDRAWAL_FREEZE'] as const),
    ];
    await post(id, new Date(begin), '1000000000');
    const all = Array.from({ length: MOVEMENTS }, () => {
      const type = types[Math.floor(random() * types.length)] ?? 'DEPOSIT_CREDIT';
      const amount = (1 + Math.floor(random() * 1e8)) / 1e4;
      const fee = type === 'DEPOSIT_CREDIT' ? ((amount * random()) / 2).toFixed(4) : '0';
      const signed = type === 'BALANCE_ADJUSTMENT' && random() < 0.5 ? -amount : amount;
      const now = new Date(begin + Math.floor(random() * (31 * DAY + 3 * HOUR)));
      return { type, amount: signed.toFixed(4), fee, now };
    });
    await postMany(sql, id, all);
    expect(await issueBilling(tenant.database, new Date('2026-05-01T01:00:00Z'))).toBe(3);
    const recount = await recountBilling(sql);
    expect(recount).toEqual({ statements: 3, postings: MOVEMENTS + 1, differences: [] });
  }, 600_000);

  it('end with the months of each zone, also at midnights that are skipped or repeated', async () => {
    const zones = [
      ...['UTC', 'Asia/Kathmandu', 'Pacific/Kiritimati', 'America/Havana', 'America/Santiago'],
      ...['Asia/Beirut', 'Africa/Cairo', 'Australia/Lord_Howe', 'America/St_Johns'],
    ];
    for (const zone of zones) {
      const id = await merchantIn(zone);
      const all = Array.from({ length: 12 }, (_, month) => {
        const begins = startOfDay(zone, `2024-${String(month + 1).padStart(2, '0')}-01`).getTime();
        return [-HOUR, -1, 0, 1, HOUR].map((beside) => ({
          type: 'BALANCE_TOP_UP' as const,
          amount: '1',
          now: new Date(begins + beside),
        }));
      });
      await postMany(sql, id, all.flat());
    }
    await issueBilling(tenant.database, new Date('2025-02-01T12:00:00Z'));
    // The statement of December 2023 has the postings before January 2024; that of January 2025 has none.
    const { statements, ...recount } = await recountBilling(sql);
    expect(recount).toEqual({ postings: zones.length * 60, differences: [] });
    expect(statements).toBe(zones.length * 14);
  });

  it('list each posting exactly once for any sequence of posts, commits, seals and issues', async () => {
    type Step = {
      readonly act: 'post' | 'hold' | 'commit' | 'seal' | 'issue';
      readonly back: number;
    };
    const step = fc.record<Step>({
      act: fc.constantFrom('post', 'hold', 'commit', 'seal', 'issue'),
      // How long before the current time it is posted: at most two seconds, or up to 90 days.
      back: fc.oneof(fc.integer({ min: 0, max: 2_000 }), fc.integer({ min: 0, max: 90 * DAY })),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 10, maxLength: 40 }), async (steps) => {
        const id = await merchantIn('America/Havana');
        let now = Date.UTC(2026, 5, 1, 3, 59);
        let held: { commit: () => void; done: Promise<void> } | undefined;
        const commit = async (): Promise<void> => {
          held?.commit();
          await held?.done;
          held = undefined;
        };
        await post(id, new Date(now - 120 * DAY));
        for (const { act, back } of steps) {
          if (act === 'seal') await sealLedger(tenant.database, back > DAY, new Date(now));
          else if (act === 'commit') await commit();
          else if (act === 'issue') {
            now += back;
            await issueBilling(tenant.database, new Date(now));
          } else {
            // An uncommitted posting locks the balance, so it is committed first.
            await commit();
            const at = new Date(now - back);
            let release = (): void => undefined;
            const until = new Promise<void>((resolve) => {
              release = resolve;
            });
            let began = (): void => undefined;
            const posted = new Promise<void>((resolve) => {
              began = resolve;
            });
            const done = tenant.database.transaction(async (tx) => {
              await postLoose(tx, id, { type: 'BALANCE_TOP_UP', amount: '1', now: at });
              began();
              await until;
            });
            held = { commit: release, done };
            await posted;
            if (act === 'post') await commit();
          }
        }
        await commit();
        await issueBilling(tenant.database, new Date(now + 62 * DAY));
      }),
      { numRuns: 15, seed: 20_261_123 },
    );
    const { postings, differences } = await recountBilling(sql);
    expect(differences).toEqual([]);
    const [all] = await sql`select count(*)::int as count from ledger_transfers where type = 'BALANCE_TOP_UP'`;
    expect(postings).toBe(all?.['count']);
  }, 60_000);
});

const COLUMNS = [
  ...['id', 'merchant_id', 'currency_code', 'number', 'month', 'time_zone', 'begins_at', 'ends_at'],
  ...['from_seq', 'through_seq', 'opening_available', 'opening_frozen', 'opening_receivable'],
  ...['closing_available', 'closing_frozen', 'closing_receivable', 'lines', 'postings', 'issued_at'],
].join(', ');
