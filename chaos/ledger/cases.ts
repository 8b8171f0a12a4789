import fc from 'fast-check';
import type { LedgerModel } from './model';
import { type Balances, DEPOSIT_ACTS, type OrderStep, type Step, type Taker, WITHDRAWAL_ACTS } from './steps';

/** How many steps a case has at most. */
const MOST_STEPS = 50;

/** The values from which a step about an order is chosen. */
type Orders = Pick<LedgerModel, 'fittingSteps' | 'counts'>;
/** Used as an index, modulo the number of orders. */
interface Choice {
  readonly pick: number;
  readonly turn: number;
}
type Command = fc.AsyncCommand<LedgerModel, Taker>;

const shown = (value: unknown): string =>
  JSON.stringify(value, (_key, part: unknown) => (typeof part === 'bigint' ? part.toString() : part));
const same = (a: Balances, b: Balances): boolean => shown(a) === shown(b);

/** Runs one step on both sides, and compares the outcomes and the balances. */
async function takeBoth(model: LedgerModel, platform: Taker, step: Step): Promise<void> {
  const before = model.balances();
  const [expected, did] = [model.take(step), await platform.take(step)];
  const [wanted, has] = [model.balances(), await platform.balances()];
  if (expected === did && same(wanted, has)) return;
  throw new Error(
    `${shown(step)} from ${shown(before)}: the model expects ${expected} and ${shown(wanted)}, ` +
      `the platform ${did} and ${shown(has)}`,
  );
}

/** A step that needs no order. */
const balanceCommand = (step: Step): Command => ({
  check: () => true,
  run: async (model, platform) => {
    await takeBoth(model, platform, step);
  },
  toString: () => shown(step),
});

/** A step on an existing order, chosen when it runs; skipped if there are none. */
function orderCommand(choose: (model: Orders) => OrderStep | undefined): Command {
  let taken: OrderStep | undefined;
  return {
    check: (model) => choose(model) !== undefined,
    run: async (model, platform) => {
      taken = choose(model);
      if (taken) await takeBoth(model, platform, taken);
    },
    toString: () => shown(taken ?? 'nothing'),
  };
}

/** A step that is possible for the order. */
const fitting = ({ pick, turn }: Choice): Command =>
  orderCommand((model) => {
    const { deposits, withdrawals } = model.fittingSteps();
    // A withdrawal has more possible steps.
    const all = turn % 6 === 0 ? deposits : withdrawals;
    const order = all[pick % all.length];
    return order?.[turn % order.length];
  });

/** Any step about any order, which usually must have no effect. */
const astray = ({ pick, turn }: Choice): Command =>
  orderCommand((model) => {
    const { deposits, withdrawals } = model.counts();
    const acts = turn % 5 === 0 ? DEPOSIT_ACTS : WITHDRAWAL_ACTS;
    const act = acts[turn % acts.length];
    const orders = turn % 5 === 0 ? deposits : withdrawals;
    return act && orders > 0 ? { act, order: pick % orders } : undefined;
  });

/** Hundredths: small amounts reach each other's limits often. */
const amount = fc.bigInt(1n, 50_000n);
const fee = fc.oneof(fc.constant(0n), fc.bigInt(1n, 100n));
const balanceSteps: fc.Arbitrary<Step>[] = [
  fc.record({ act: fc.constant('topUp' as const), amount }),
  fc.record({
    act: fc.constant('adjust' as const),
    amount: fc.bigInt(-30_000n, 30_000n).filter((change) => change !== 0n),
  }),
  fc.record({
    act: fc.constant('deposit' as const),
    amounts: fc.array(fc.bigInt(101n, 50_000n), { minLength: 1, maxLength: 3 }),
    fee,
  }),
  fc.constant({ act: 'release' }),
  ...[1, 2].map(() => fc.record({ act: fc.constant('withdraw' as const), amount, fee })),
];
const choice: fc.Arbitrary<Choice> = fc.record({ pick: fc.nat(1_000), turn: fc.nat(1_000) });

/** Random cases: sequences of steps on a merchant's money. */
export const caseOfSteps = (): fc.Arbitrary<Iterable<Command>> =>
  fc.commands(
    [
      ...balanceSteps.map((step) => step.map(balanceCommand)),
      ...Array.from({ length: 10 }, () => choice.map(fitting)),
      ...Array.from({ length: 2 }, () => choice.map(astray)),
    ],
    { maxCommands: MOST_STEPS, size: 'max' },
  );
