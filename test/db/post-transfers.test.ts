import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { uuidv7 } from 'uuidv7';
import { depositCredit, ledgerAccount, type Posting } from '../../domain/ledger';
import { type Money, money } from '../../domain/money';
import { newMerchant } from '../../chaos/ledger/fixture';
import { brokenConstraint } from '../../db/refusals';
import { balanceFaults } from '../support/whole-ledger';
import { Tenant } from '../support/tenant';

const NOW = new Date('2026-01-02T03:04:05.678Z');

/** A drawn ledger transfer: its row and its lines. */
interface Transfer {
  readonly key: string;
  readonly now: Date;
  readonly lines: readonly Posting[];
}

describe('posting many transfers at once', () => {
  let tenant: Tenant;
  beforeAll(async () => {
    tenant = await Tenant.create();
  });
  afterAll(async () => {
    await tenant.close();
  });

  const amountsOf = (lines: readonly Posting[]): string[] => lines.map(({ amount }) => amount.toFixed());
  const accountsOf = (lines: readonly Posting[]): string[] => lines.map(({ account }) => account);

  /** The outcome: posted, posted before, or the constraint that refused it. */
  const verdict = async (posting: Promise<boolean>): Promise<boolean | string> => {
    try {
      return await posting;
    } catch (error) {
      const constraint = brokenConstraint(error);
      if (constraint === undefined) throw error;
      return constraint;
    }
  };

  const postAlone = async ({ key, now, lines }: Transfer): Promise<boolean> => {
    const [row] = await tenant.database.sql<{ done: boolean }[]>`
      select post_transfer('BALANCE_ADJUSTMENT', ${key}, 'THB', null, null, ${now}, ${accountsOf(lines)},
        ${amountsOf(lines)}::numeric[]) as done`;
    return row?.done ?? false;
  };

  const postTogether = async (transfers: readonly Transfer[]): Promise<boolean[]> => {
    const lines = transfers.flatMap(({ lines: own }) => own);
    const rows = await tenant.database.sql<{ key: string }[]>`
      select key from post_transfers(
        ${transfers.map(() => 'BALANCE_ADJUSTMENT')}, ${transfers.map(({ key }) => key)},
        ${transfers.map(() => 'THB')}, ${transfers.map(() => null)}::uuid[],
        ${transfers.map(() => null)}::uuid[],
        ${transfers.map(({ now }) => now.toISOString())}::timestamptz[],
        ${transfers.flatMap(({ key, lines: own }) => own.map(() => key))}, ${accountsOf(lines)},
        ${amountsOf(lines)}::numeric[]) as key`;
    const posted = new Set(rows.map(({ key }) => key));
    return transfers.map(({ key }) => posted.has(key));
  };

  /** As a Batcher does, but in order: together, and one by one if the batch was refused. */
  const postBatch = async (transfers: readonly Transfer[]): Promise<(boolean | string)[]> => {
    try {
      return await postTogether(transfers);
    } catch {
      return await postOneByOne(transfers);
    }
  };
  const postOneByOne = async (transfers: readonly Transfer[]): Promise<(boolean | string)[]> => {
    const verdicts: (boolean | string)[] = [];
    for (const transfer of transfers) verdicts.push(await verdict(postAlone(transfer)));
    return verdicts;
  };

  /** Merchants' balances and all their lines, in the order of their versions. */
  const stateOf = async (ids: readonly string[]): Promise<unknown[]> =>
    await Promise.all(
      ids.map(async (id) => {
        const { sql } = tenant.database;
        const balances = await sql`
          select available, frozen, receivable, version from merchant_balances where merchant_id = ${id}`;
        const lines = await sql`
          select e.line, split_part(e.account, ':', 3) as part, e.amount, e.balance_before,
            e.balance_after, e.version, t.at, t.type, t.currency_code
          from ledger_entries e join ledger_transfers t on t.id = e.transfer_id
          where e.account like ${`merchant:${id}:%`} order by e.version, e.line`;
        const owed = await sql`
          select e.line, e.amount, e.balance_before, e.balance_after, e.version, t.at, t.type
          from ledger_entries e join ledger_transfers t on t.id = e.transfer_id
          where e.account = ${`merchant_receivable:${id}`} order by t.at, t.type, e.amount`;
        return { balance: balances[0], lines: [...lines], owed: [...owed] };
      }),
    );

  const cents = fc.integer({ min: -50_000, max: 100_000 }).filter((amount) => amount !== 0);
  /** Ledger transfers to draw: each kind of account, alone and with others. */
  const KINDS = {
    credit: (id: string, value: Money): Posting[] => [
      { account: ledgerAccount.suspense(), amount: value.negated() },
      { account: ledgerAccount.merchantAvailable(id), amount: value },
    ],
    freeze: (id: string, value: Money): Posting[] => [
      { account: ledgerAccount.merchantAvailable(id), amount: value.negated() },
      { account: ledgerAccount.merchantFrozen(id), amount: value },
    ],
    'credit with fee': (id: string, value: Money): Posting[] =>
      depositCredit(id, value.abs().plus('0.01'), money('0.01')),
    owe: (id: string, value: Money): Posting[] => [
      { account: ledgerAccount.merchantReceivable(id), amount: value.negated() },
      { account: ledgerAccount.suspense(), amount: value },
    ],
    recall: (id: string, value: Money): Posting[] => [
      { account: ledgerAccount.merchantAvailable(id), amount: money('-1') },
      { account: ledgerAccount.merchantReceivable(id), amount: value.abs().negated() },
      { account: ledgerAccount.bank(id), amount: value.abs().plus(1) },
    ],
    'two merchants': (id: string, value: Money, other: string): Posting[] => [
      { account: ledgerAccount.merchantAvailable(id), amount: value.negated() },
      { account: ledgerAccount.merchantFrozen(other), amount: value },
    ],
    'no merchant': (id: string, value: Money): Posting[] => [
      { account: ledgerAccount.channelCost(), amount: value.negated() },
      { account: ledgerAccount.channel(id), amount: value.plus(4) },
      { account: ledgerAccount.feeIncome(), amount: money('-1') },
      { account: ledgerAccount.treasury(), amount: money('-1') },
      { account: ledgerAccount.adjustment(), amount: money('-1') },
      { account: ledgerAccount.loss(), amount: money('-1') },
    ],
  } satisfies Record<string, (id: string, value: Money, other: string) => Posting[]>;
  /**
   * A merchant's debt is covered at the end of each statement in which its balance grows: once per batch, or once per
   * transfer. So merchants with a debt are drawn without a balance; both together are drawn in batches of one only.
   */
  const OF_BATCHES = ['credit', 'freeze', 'credit with fee', 'two merchants', 'no merchant', 'owe'];

  /** The merchant, the type, the amount, the time, and whether it repeats the previous key. */
  const step = (kinds: readonly string[]): fc.Arbitrary<Step> =>
    fc.record({
      who: fc.nat(1),
      kind: fc.constantFrom(...(kinds as (keyof typeof KINDS)[])),
      cents,
      seconds: fc.nat(5),
      again: fc.nat(11).map((n) => n === 0),
    });
  interface Step {
    readonly who: number;
    readonly kind: keyof typeof KINDS;
    readonly cents: number;
    readonly seconds: number;
    readonly again: boolean;
  }

  /** Posts batches together and one by one, in a world each. @returns how often each verdict came */
  async function compare(
    steps: fc.Arbitrary<Step[]>,
    ofOwe: (ids: readonly string[], who: number) => string,
  ): Promise<Map<boolean | string, number>> {
    const seen = new Map<boolean | string, number>();
    await fc.assert(
      fc.asyncProperty(fc.array(steps, { minLength: 1, maxLength: 4 }), async (batches) => {
        const worlds = await Promise.all(
          [postBatch, postOneByOne].map(async (post) => {
            const ids: string[] = [];
            for (let n = 0; n < 3; n++) ids.push(await newMerchant(tenant.database, 0));
            const prefix = randomUUID();
            let keys = 0;
            const verdicts: (boolean | string)[][] = [];
            for (const batch of batches) {
              const transfers = batch.map(({ who, kind, cents: amount, seconds, again }) => {
                const id = kind === 'owe' ? ofOwe(ids, who) : (ids[who] ?? '');
                if (!again || keys === 0) keys++;
                const value = money(String(amount)).div(100);
                const lines = KINDS[kind](id, value, ids[1 - who] ?? '');
                return {
                  key: `balance-adjustment:${prefix.slice(0, 24)}${String(keys).padStart(12, '0')}`,
                  now: new Date(NOW.getTime() + seconds * 1000),
                  lines,
                };
              });
              verdicts.push(await post(transfers));
            }
            return { verdicts, state: await stateOf(ids) };
          }),
        );
        const [together, oneByOne] = worlds;
        expect(together).toEqual(oneByOne);
        for (const one of together?.verdicts.flat() ?? []) seen.set(one, (seen.get(one) ?? 0) + 1);
      }),
      { numRuns: 40, seed: 7 },
    );
    return seen;
  }

  it('has the same verdicts, balances and chains as posting them one by one', async () => {
    const batch = fc.array(step(OF_BATCHES), { minLength: 1, maxLength: 12 });
    const seen = await compare(batch, (ids) => ids[2] ?? '');
    expect(seen.get('merchant_balances_never_negative')).toBeGreaterThan(5);
    expect(seen.get('merchant_balances_receivable')).toBeGreaterThan(5);
    expect(await balanceFaults(tenant.database)).toEqual([]);
  }, 300_000);

  it('has the same effect for one transfer as posting it alone, on any accounts', async () => {
    const one = fc.array(step(Object.keys(KINDS)), { minLength: 1, maxLength: 1 });
    const seen = await compare(one, (ids, who) => ids[who] ?? '');
    expect(seen.get(true)).toBeGreaterThan(20);
    expect(await balanceFaults(tenant.database)).toEqual([]);
  }, 300_000);

  it('posts all or none, and no key twice', async () => {
    const { id } = await tenant.merchant();
    const transfer = (amount: string, key = uuidv7()): Transfer => ({
      key: `balance-adjustment:${key}`,
      now: NOW,
      lines: [
        { account: ledgerAccount.suspense(), amount: money(amount).negated() },
        { account: ledgerAccount.merchantAvailable(id), amount: money(amount) },
      ],
    });
    const once = transfer('1');
    expect(await postTogether([once, transfer('2')])).toEqual([true, true]);
    expect(await postTogether([once, transfer('3')])).toEqual([false, true]);
    await expect(postTogether([transfer('4', 'same'), transfer('4', 'same')])).rejects.toThrow('named twice');
    // The balance falls below zero in the middle, but not at the end.
    await expect(postTogether([transfer('-7'), transfer('9')])).rejects.toThrow('merchant_balances_never_negative');
    const lopsided = { ...transfer('5'), lines: transfer('5').lines.slice(1) };
    await expect(postTogether([transfer('5'), lopsided])).rejects.toThrow('does not balance');
    const [balance] = await tenant.database.sql`
      select available, version from merchant_balances where merchant_id = ${id}`;
    expect(balance).toMatchObject({ available: '6.0000', version: '3' });
  });
});
