import { tenantWithBooks } from '../support/books';
import type { Tenant } from '../support/tenant';
import { drawMutants, harmlessReason } from './mutants';
import { outcomeOf, trying } from './proof-trials';

const MUTANTS = Number(process.env['MUTANTS'] ?? 300);
const SEED = Number(process.env['MUTANT_SEED'] ?? 20_261_122);

/** A generator of numbers between 0 and 1: the same seed gives the same numbers. */
const seeded = (seed: number) => (): number => {
  seed = (seed * 48_271) % 2_147_483_647;
  return seed / 2_147_483_647;
};

describe('the proof of the books', () => {
  let tenant: Tenant;
  beforeAll(async () => {
    tenant = await tenantWithBooks();
  }, 120_000);
  afterAll(async () => {
    await tenant.close();
  });

  it(
    `reports or refuses ${MUTANTS} random changes of one row, except those that change no money`,
    async () => {
      await trying(tenant, async (tx) => {
        const counts = { refused: 0, seen: 0, harmless: 0, nothing: 0 };
        const missed: string[] = [];
        for (const mutant of await drawMutants(tx, MUTANTS, seeded(SEED))) {
          const outcome = await outcomeOf(tx, mutant);
          if (outcome === 'nothing') counts.nothing++;
          else if (outcome !== 'unseen') counts['refused' in outcome ? 'refused' : 'seen']++;
          else if (harmlessReason(mutant.name) === undefined) missed.push(`${mutant.name}: ${mutant.sql}`);
          else counts.harmless++;
        }
        process.stdout.write(`mutants: ${JSON.stringify(counts)}\n`);
        expect(missed).toEqual([]);
        expect(counts.seen).toBeGreaterThan(MUTANTS / 5);
      });
    },
    400 * MUTANTS,
  );
});
