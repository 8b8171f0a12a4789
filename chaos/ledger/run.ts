import fc from 'fast-check';
import { type Database, openDatabase } from '../../db/client';
import { trialBalance, verifyLedger } from '../../db/ledger/ledger';
import { caseOfSteps } from './cases';
import { type Fixture, makeFixture, newMerchant } from './fixture';
import { type Kind, LedgerModel } from './model';
import { hundredthsOf, PlatformLedger } from './platform';

/** The results of many cases. */
export interface LedgerResult {
  readonly cases: number;
  /** How often each step had an effect; `none`: steps that correctly had none. */
  readonly taken: Readonly<Record<string, number>>;
  /** Each violation in words. */
  readonly violations: readonly string[];
}

/** Cases that run concurrently, each with its own merchant. */
const LANES = 8;

/** The sums of all cases of a run, apart from the merchants' own balances. */
class Totals {
  readonly taken: Record<string, number> = {};
  private readonly sums = new Map<string, bigint>();

  add(model: LedgerModel): void {
    for (const [act, times] of model.taken) this.taken[act] = (this.taken[act] ?? 0) + times;
    for (const [kind, amount] of model.others()) this.sums.set(kind, (this.sums.get(kind) ?? 0n) + amount);
  }

  /** Compares them with the platform's accounts; nothing else has posted to these. */
  async problems(database: Database): Promise<string[]> {
    const has = new Map<string, bigint>();
    for (const { account, balance } of await trialBalance(database)) {
      const [kind = ''] = account.split(':');
      has.set(kind, (has.get(kind) ?? 0n) + hundredthsOf(balance));
    }
    for (const own of ['merchant', 'merchant_receivable']) has.delete(own);
    return [...new Set([...has.keys(), ...this.sums.keys()])]
      .filter((kind) => (has.get(kind) ?? 0n) !== (this.sums.get(kind as Kind) ?? 0n))
      .map((kind) => `the accounts ${kind} hold ${has.get(kind) ?? 0n}, the model ${this.sums.get(kind) ?? 0n}`);
  }
}

async function runLane(
  database: Database,
  fixture: Fixture,
  totals: Totals,
  { cases, seed, holds }: { readonly cases: number; readonly seed: number; readonly holds: boolean },
): Promise<string[]> {
  const property = fc.asyncProperty(caseOfSteps(), async (commands) => {
    const model = new LedgerModel(holds);
    const merchantId = await newMerchant(database, holds ? 1 : 0);
    const platform = new PlatformLedger(database, fixture, merchantId, holds);
    try {
      await fc.asyncModelRun(() => ({ model, real: platform }), commands);
    } finally {
      totals.add(model);
    }
  });
  const outcome = await fc.check(property, { numRuns: cases, seed });
  if (!outcome.failed) return [];
  const why = outcome.errorInstance instanceof Error ? outcome.errorInstance.message : 'failed';
  return [`${why}; seed=${seed} after ${fc.stringify(outcome.counterexample)}`];
}

/**
 * Runs cases against the model of the ledger, in a database without other postings, and verifies its ledger. A lane
 * stops at its first violation.
 */
export async function runLedger(
  databaseUrl: string,
  { cases, seed }: { readonly cases: number; readonly seed: number },
): Promise<LedgerResult> {
  const database = openDatabase({ url: databaseUrl, applicationName: 'chaos', max: 2 * LANES });
  try {
    const fixture = await makeFixture(database);
    const totals = new Totals();
    const lanes = Array.from({ length: Math.min(LANES, cases) }, async (_, lane) => {
      const own = Math.ceil((cases - lane) / LANES);
      // Holds of all merchants are released together: one lane has all merchants that wait for their credits.
      const ofLane = { cases: own, seed: seed + lane, holds: lane === 0 };
      return await runLane(database, fixture, totals, ofLane);
    });
    const violations = (await Promise.all(lanes)).flat();
    const found = await verifyLedger(database);
    return {
      cases,
      taken: totals.taken,
      violations: [
        ...violations,
        ...(await totals.problems(database)),
        ...found.map(({ subject, problem }) => `${subject}: ${problem}`),
      ],
    };
  } finally {
    await database.close();
  }
}
