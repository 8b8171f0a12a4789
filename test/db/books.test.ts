import { BILLED_TYPES, FEE_TYPES } from '../../domain/billing';
import { TRANSFER_TYPES } from '../../domain/ledger';
import type { Transaction } from '../../db/client';
import { findHead, proveHeads } from '../../db/proof/seals';
import { tenantWithBooks } from '../support/books';
import type { Tenant } from '../support/tenant';
import {
  BILLED,
  CLOSED,
  OF_PAYERS,
  PRICED,
  type Corruption,
  IN_PARTS,
  ofEachType,
  PLACES,
  REVIEWED,
  SHARED,
} from './corruptions';
import { outcomeOf, problems, trying as tryingIn } from './proof-trials';

/** Lower than every id. */
const FIRST = '00000000-0000-0000-0000-000000000000';

describe('the proof of the books', () => {
  let tenant: Tenant;
  beforeAll(async () => {
    tenant = await tenantWithBooks();
  }, 120_000);
  afterAll(async () => {
    await tenant.close();
  });

  const trying = async (work: (tx: Transaction) => Promise<void>): Promise<void> => {
    await tryingIn(tenant, work);
  };

  const filled = ({ sql }: Corruption): string =>
    sql.replace(/\{(\w+)\}/g, (_, place: string) => {
      const query = PLACES[place];
      if (query === undefined) throw new Error(`there is no place ${place}`);
      return `(${query})`;
    });

  /** Issues the billing statements of this month and of the next, for every balance. */
  const issueAll = async (tx: Transaction): Promise<void> => {
    await tx`select seal_ledger(${FIRST}, 1000000, now())`;
    for (let month = 0; month < 2; month++)
      await tx`
        select issue_billing_statement(merchant_id, currency_code, ${BILLED_TYPES as string[]},
          ${FEE_TYPES as string[]}, now() + interval '70 days')
        from merchant_balances`;
  };

  const expectFound = async (
    corruptions: readonly Corruption[],
    before: (tx: Transaction) => Promise<void> = async () => {
      await Promise.resolve();
    },
  ): Promise<void> => {
    await trying(async (tx) => {
      await before(tx);
      for (const corruption of corruptions) {
        const { name, expected } = corruption;
        const outcome = await outcomeOf(tx, { ...corruption, sql: filled(corruption) });
        if ('refused' in expected) expect([name, outcome]).toEqual([name, expected]);
        else
          expect([name, outcome]).toEqual([
            name,
            { seen: expect.arrayContaining([expect.stringMatching(expected.seen)]) as unknown },
          ]);
      }
    });
  };

  it('finds nothing in correct books that have postings of every type', async () => {
    await trying(async (tx) => {
      expect(await problems(tx)).toEqual([]);
      const types = await tx<{ type: string }[]>`select distinct type from ledger_transfers`;
      expect(types.map(({ type }) => type).sort()).toEqual([...TRANSFER_TYPES].sort());
    });
  });

  it('finds nothing after all persons in the books were erased', async () => {
    await trying(async (tx) => {
      // All callbacks are ended first: rows of callbacks under way are not erased.
      await tx`update notification_logs set status = 'SUCCESS', lease_until = null, next_attempt_at = null`;
      await tx`select erase_deposits(array(select id from deposit_orders)),
        erase_sessions(array(select id from cashier_sessions)),
        erase_returns(array(select id from payer_returns)), erase_credits(array(select id from bank_transfers)),
        erase_debits(array(select id from bank_debits)), erase_texts(array(select id from agent_texts)),
        erase_changes(array(select id from change_requests))`;
      // In two batches: the second one merges its rows into the beneficiaries' days that the first one left.
      const [first] = await tx<{ rows: number }[]>`
        select erase_withdrawals(array(select id from withdrawal_orders order by id limit 3)) as rows`;
      const [rest] = await tx<{ rows: number }[]>`
        select erase_withdrawals(array(select id from withdrawal_orders)) as rows`;
      expect(first?.rows).toBeGreaterThan(0);
      expect(rest?.rows).toBeGreaterThan(0);
      expect(await problems(tx)).toEqual([]);
    });
  });

  it('reports or refuses each corruption that a review tried', async () => {
    await expectFound(REVIEWED);
  }, 60_000);

  it('reports or refuses corrupt allocations of split and combined credits', async () => {
    await expectFound(IN_PARTS);
  });

  it('reports or refuses corrupt closed days, statements and statement rules', async () => {
    await expectFound(CLOSED);
  }, 60_000);

  it('reports or refuses corrupt fee schedules, held fees and volumes', async () => {
    await expectFound(PRICED);
  }, 60_000);

  it('reports or refuses corrupt commission rates and commissions', async () => {
    await expectFound(SHARED);
  }, 60_000);

  it('finds nothing in billing statements over every type of posting, and reports a corrupt one', async () => {
    await trying(async (tx) => {
      await issueAll(tx);
      const [issued] = await tx<{ types: string[] }[]>`
        select array_agg(distinct l.type order by l.type) as types from billing_statement_lines l`;
      expect(issued?.types).toEqual([...BILLED_TYPES].sort());
      expect(await problems(tx)).toEqual([]);
    });
    await expectFound(BILLED, issueAll);
  }, 60_000);

  it('reports or refuses corrupt payer rules', async () => {
    await expectFound(OF_PAYERS);
  }, 60_000);

  it('reports postings of every type that are removed, changed, misplaced or repeated', async () => {
    // One proof runs over the corruptions of all types; it must report each.
    const together = TRANSFER_TYPES.map(ofEachType);
    await trying(async (tx) => {
      for (const [kind] of together[0]?.entries() ?? []) {
        const corruptions = together.flatMap((of) => of[kind] ?? []);
        const withAllRights = corruptions.some((one) => one.withAllRights);
        const sql = corruptions.map(filled).join(';\n');
        const outcome = await outcomeOf(tx, { sql, ...(withAllRights && { withAllRights }) });
        const seen = typeof outcome === 'object' && 'seen' in outcome ? outcome.seen : [];
        for (const { name, expected } of corruptions)
          expect([name, 'seen' in expected && seen.some((line) => expected.seen.test(line))]).toEqual([name, true]);
      }
    });
  }, 60_000);

  describe('the chain of seals', () => {
    const SEAL = `select seal_ledger('${FIRST}', 100000, now())`;
    const rights = 'set local session_replication_role = replica';
    const newest = '(select transfer_id from ledger_seals order by seq desc limit 1)';
    const cut = `${SEAL}; ${rights};
      delete from ledger_entries where transfer_id = ${newest};
      delete from ledger_transfers where id = ${newest};
      delete from ledger_seals where transfer_id not in (select id from ledger_transfers)`;

    it('seals each posting once, and the proof finds nothing', async () => {
      await trying(async (tx) => {
        await tx.unsafe(SEAL);
        const [again] = await tx<{ sealed: number }[]>`
          select sealed from seal_ledger(${FIRST}, 100000, now())`;
        expect(again).toEqual({ sealed: 0 });
        const [counts] = await tx<{ seals: number; postings: number }[]>`
          select (select count(*)::int from ledger_seals) as seals, (select count(*)::int from ledger_transfers) as postings`;
        expect(counts?.seals).toBe(counts?.postings);
        expect(await problems(tx)).toEqual([]);
      });
    });

    it('seals the books in batches, including postings with an earlier time', async () => {
      await trying(async (tx) => {
        // The last posting is sealed first, so all others have an earlier time.
        const [newest] = await tx<{ before: string }[]>`
          select id as before from ledger_transfers order by id desc offset 1 limit 1`;
        await tx`select seal_ledger(${newest?.before ?? ''}, 1, now())`;
        let pieces = 0;
        for (let after: string | null = FIRST; after !== null; pieces++) {
          const [piece]: { last: string | null }[] = await tx`
            select last from seal_ledger(${after}, 3, now())`;
          after = piece?.last ?? null;
        }
        const [counts] = await tx<{ seals: number; postings: number }[]>`
          select (select count(*)::int from ledger_seals) as seals, (select count(*)::int from ledger_transfers) as postings`;
        expect(counts?.seals).toBe(counts?.postings);
        expect(pieces).toBe(Math.ceil((counts?.postings ?? 0) / 3) + 1);
        expect(await problems(tx)).toEqual([]);
      });
    });

    it.each([
      [
        'a posting and its row are changed together',
        /^seal \d+: the posting .* is not as it was sealed/,
        `${SEAL}; ${rights};
        update bank_transfers set received_at = received_at + interval '1 second'
          where id = (select bank_transfer_id from ledger_transfers where type = 'BANK_CREDIT' order by id limit 1);
        update ledger_transfers set at = at + interval '1 second'
          where id = (select id from ledger_transfers where type = 'BANK_CREDIT' order by id limit 1)`,
      ],
      [
        'a posting and its row are removed together',
        /^seal \d+: the posting .* that it sealed is gone/,
        `${SEAL}; ${rights};
        delete from ledger_entries where transfer_id = ${newest}; delete from ledger_transfers where id = ${newest}`,
      ],
      [
        'a link is removed',
        /^seal \d+: the links before it are gone/,
        `${SEAL}; ${rights}; delete from ledger_seals where seq = 5`,
      ],
    ])('reports a corruption: %s', async (_, expected, sql) => {
      await trying(async (tx) => {
        const outcome = await outcomeOf(tx, { sql });
        expect(outcome).toEqual({
          seen: expect.arrayContaining([expect.stringMatching(expected)]) as unknown,
        });
      });
    });

    it('reports by a head recorded outside that the chain was cut off with its postings', async () => {
      await trying(async (tx) => {
        await tx.unsafe(SEAL);
        const head = await findHead({ sql: tx as never });
        const noted = head ? [head] : [];
        expect(await proveHeads(tx, noted)).toEqual([]);
        await tx.unsafe(cut);
        expect(await proveHeads(tx, noted)).toEqual([
          {
            subject: `seal ${head?.seq}`,
            problem: 'it was noted outside, and the chain ends before it',
          },
        ]);
      });
    });
  });

  describe('the sums of the accounts', () => {
    const SUM = `select seal_ledger('${FIRST}', 100000, now()); select sum_ledger(100000)`;

    /** The balances that people read, and those of all entries. */
    const balances = async (tx: Transaction): Promise<[unknown, unknown]> => [
      await tx`select account, currency_code, sum(credits)::numeric(38, 4) as credits,
          sum(debits)::numeric(38, 4) as debits
        from account_amounts() group by 1, 2 order by 1, 2`,
      await tx`select account, currency_code, coalesce(sum(amount) filter (where amount > 0), 0)::numeric(38, 4) as credits,
          coalesce(sum(amount) filter (where amount < 0), 0)::numeric(38, 4) as debits
        from ledger_entries group by 1, 2 order by 1, 2`,
    ];

    it('give the balances of the entries, however many postings are sealed and summed', async () => {
      await trying(async (tx) => {
        const same = async (): Promise<void> => {
          const [read, entries] = await balances(tx);
          expect(read).toEqual(entries);
          expect(await problems(tx)).toEqual([]);
        };
        await same();
        await tx`select seal_ledger(${FIRST}, 5, now())`;
        await same();
        await tx`select sum_ledger(3)`;
        await same();
        await tx`select seal_ledger(${FIRST}, 100000, now())`;
        await same();
        const [rest] = await tx<{ added: number }[]>`select sum_ledger(100000) as added`;
        expect(rest?.added).toBeGreaterThan(3);
        await same();
        expect(await tx`select sum_ledger(100000) as added`).toEqual([{ added: 0 }]);
        // A posting that commits after newer ones were sealed.
        await tx`select post_transfer('BALANCE_TOP_UP', 'balance-top-up:' || uuidv7(), b.currency_code, null, null,
            now() - interval '9 minutes', array['treasury', 'merchant:' || b.merchant_id || ':available'], array[-5, 5])
          from merchant_balances b limit 1`;
        const [read, entries] = await balances(tx);
        expect(read).toEqual(entries);
      });
    });

    it.each([
      ['more credits', /^sums of .*: stored as/, 'update ledger_sums set credits = credits + 1'],
      [
        'one account more, another less',
        /^sums of suspense .*: stored as/,
        `update ledger_sums set debits = debits - case account when 'suspense' then 1 else -1 end
          where account in ('suspense', 'fee_income')`,
      ],
      [
        'a row is missing',
        /^sums of fee_income .*: stored as nothing/,
        `delete from ledger_sums where account = 'fee_income'`,
      ],
      [
        'an account without entries',
        /^sums of loss EUR: stored as/,
        `insert into ledger_sums values ('loss', 'EUR', 1, 0)`,
      ],
      [
        'they are said to end earlier, so that postings count twice',
        /^sums of .*: stored as/,
        'update ledger_sum_ends set seq = 1',
      ],
      ['nothing says where they end', /^sums of .*: stored as/, 'delete from ledger_sum_ends'],
      [
        'they are said to include postings to come',
        /^sums of the accounts: they end at seal \d+, the chain at \d+$/,
        'update ledger_sum_ends set seq = seq + 1',
      ],
    ])('are recounted by the proof: %s', async (_, expected, sql) => {
      await trying(async (tx) => {
        const outcome = await outcomeOf(tx, { sql: `${SUM}; ${sql}` });
        expect(outcome).toEqual({
          seen: expect.arrayContaining([expect.stringMatching(expected)]) as unknown,
        });
      });
    });
  });
});
