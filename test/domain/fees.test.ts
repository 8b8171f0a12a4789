import fc from 'fast-check';
import { checkFeeTerms, feeOn, type FeeTerms, type FeeTier, scheduleFor, termsAt, workOutFee } from '../../domain/fees';
import { wordsOfOutcome, wordsOfTerms } from '../../domain/fee-words';
import { formatMoney, type Money, money, ZERO } from '../../domain/money';

const tier = (from: string, percent: string, fixed = '0'): FeeTier => ({
  from: money(from),
  percent: money(percent),
  fixed: money(fixed),
});
const terms = (over: Partial<FeeTerms> = {}): FeeTerms => ({
  percent: money('2'),
  fixed: ZERO,
  minimum: null,
  maximum: null,
  tiers: [],
  tierMode: 'WHOLE',
  tierBy: 'AMOUNT',
  ...over,
});
const TIERS = [tier('1000', '1.5'), tier('10000', '1')];

describe('a fee with bounds and tiers', () => {
  it.each<[string, Partial<FeeTerms>, number, string, string]>([
    ['no bounds', {}, 2, '33', '0.6600'],
    ['below the minimum', { minimum: money('5') }, 2, '33', '5.0000'],
    ['exactly at the minimum', { minimum: money('5') }, 2, '250', '5.0000'],
    ['above the maximum', { maximum: money('50') }, 2, '2500.01', '50.0000'],
    ['a minimum if the percentage gives zero', { minimum: money('1') }, 0, '33', '1.0000'],
    ['the last of the first tier', { tiers: TIERS }, 2, '999.99', '20.0000'],
    ['the first of the second tier, whole', { tiers: TIERS }, 2, '1000', '15.0000'],
    ['the first of the third tier, whole', { tiers: TIERS }, 2, '10000', '100.0000'],
    ['a fixed part of its tier', { tiers: [tier('1000', '1', '3')] }, 2, '1000', '13.0000'],
    ['a fixed part below the tier', { fixed: money('7'), tiers: TIERS }, 2, '100', '9.0000'],
    ['in slices, below', { tiers: TIERS, tierMode: 'SLICES' }, 2, '999.99', '20.0000'],
    ['in slices, at the edge', { tiers: TIERS, tierMode: 'SLICES' }, 2, '1000', '20.0000'],
    // 1,000 × 2 % + 9,000 × 1.5 % + 2,000 × 1 %
    ['in slices, beyond both', { tiers: TIERS, tierMode: 'SLICES' }, 2, '12000', '175.0000'],
    [
      'in slices, with a fixed part once',
      { fixed: money('3'), tiers: TIERS, tierMode: 'SLICES' },
      ...([2, '12000', '178.0000'] as const),
    ],
    // 0.010 + 0.005 is rounded once, not twice.
    [
      'rounded once after the slices',
      { percent: money('0.5'), tiers: [tier('1', '0.5')], tierMode: 'SLICES' },
      ...([2, '3', '0.0200'] as const),
    ],
    ['three decimals', { percent: money('0.75'), fixed: money('0.005') }, 3, '1.234', '0.0140'],
  ])('%s', (_what, over, decimals, amount, fee) => {
    expect(formatMoney(feeOn(money(amount), terms(over), decimals))).toBe(fee);
  });

  it('explains its calculation', () => {
    const working = workOutFee(money('12000'), terms({ tiers: TIERS, tierMode: 'SLICES', maximum: money('100') }), 2);
    expect(working.shares.map((s) => [s.from, s.of, s.percent].map(String))).toEqual([
      ['0', '1000', '2'],
      ['1000', '9000', '1.5'],
      ['10000', '2000', '1'],
    ]);
    expect(working).toMatchObject({ bound: 'MAXIMUM' });
    expect([working.computed, working.fee].map(formatMoney)).toEqual(['175.0000', '100.0000']);
  });

  const SCALES = [0, 2, 3] as const;
  const units = (count: bigint, decimals: number): Money => money(`${count}e-${decimals}`);
  /** Terms for an oracle in integers: amounts in the currency's smallest units, percentages in ten-thousandths. */
  const drawn = fc.record({
    decimals: fc.constantFrom(...SCALES),
    amount: fc.bigInt(1n, 10n ** 12n),
    percent: fc.bigInt(0n, 999_999n),
    fixed: fc.bigInt(0n, 10n ** 6n),
    bounds: fc.tuple(fc.option(fc.bigInt(1n, 10n ** 8n)), fc.option(fc.bigInt(1n, 10n ** 8n))),
    tiers: fc.uniqueArray(
      fc.record({
        from: fc.bigInt(1n, 10n ** 12n),
        percent: fc.bigInt(0n, 999_999n),
        fixed: fc.bigInt(0n, 10n ** 6n),
      }),
      { selector: ({ from }) => from, maxLength: 5 },
    ),
    tierMode: fc.constantFrom('WHOLE' as const, 'SLICES' as const),
  });
  type Drawn = typeof drawn extends fc.Arbitrary<infer T> ? T : never;

  const sorted = ({ tiers, tierMode }: Drawn): Drawn['tiers'] =>
    [...tiers]
      .sort((a, b) => (a.from < b.from ? -1 : 1))
      .map((one) => (tierMode === 'SLICES' ? { ...one, fixed: 0n } : one));
  const boundsOf = ({ bounds: [a, b] }: Drawn): [bigint | null, bigint | null] =>
    a !== null && b !== null && a > b ? [b, a] : [a, b];
  const asTerms = (one: Drawn): FeeTerms => {
    const unit = (count: bigint | null) => (count === null ? null : units(count, one.decimals));
    const [minimum, maximum] = boundsOf(one);
    return {
      percent: money(`${one.percent}e-4`),
      fixed: units(one.fixed, one.decimals),
      minimum: unit(minimum),
      maximum: unit(maximum),
      tierMode: one.tierMode,
      tierBy: 'AMOUNT',
      tiers: sorted(one).map(({ from, percent, fixed }) => ({
        from: units(from, one.decimals),
        percent: money(`${percent}e-4`),
        fixed: units(fixed, one.decimals),
      })),
    };
  };
  /** The fee in smallest units, calculated in integers: unit by unit of the tiers. */
  const oracle = (one: Drawn): bigint => {
    const tiers = [{ from: 0n, percent: one.percent, fixed: one.fixed }, ...sorted(one)].filter(
      ({ from }) => from <= one.amount,
    );
    const last = tiers[tiers.length - 1] ?? { percent: 0n, fixed: 0n };
    let millionths = last.percent * one.amount;
    let fixed = last.fixed;
    if (one.tierMode === 'SLICES') {
      millionths = 0n;
      fixed = one.fixed;
      for (const [at, { from, percent }] of tiers.entries())
        millionths += percent * ((tiers[at + 1]?.from ?? one.amount) - from);
    }
    const computed = (millionths + fixed * 1_000_000n + 500_000n) / 1_000_000n;
    const [minimum, maximum] = boundsOf(one);
    if (minimum !== null && computed < minimum) return minimum;
    return maximum !== null && computed > maximum ? maximum : computed;
  };

  it('equals a calculation in integers, within its bounds and its currency’s decimals', () => {
    fc.assert(
      fc.property(drawn, (one) => {
        const rule = asTerms(one);
        checkFeeTerms(rule, one.decimals);
        const amount = units(one.amount, one.decimals);
        const fee = feeOn(amount, rule, one.decimals);
        expect(fee.toFixed()).toBe(units(oracle(one), one.decimals).toFixed());
        expect(fee.decimalPlaces()).toBeLessThanOrEqual(one.decimals);
        if (rule.minimum) expect(fee.gte(rule.minimum)).toBe(true);
        if (rule.maximum) expect(fee.lte(rule.maximum)).toBe(true);
        // Only a fixed part or a minimum makes a fee exceed the amount.
        const free = { ...rule, minimum: null, fixed: ZERO };
        const shares = { ...free, tiers: rule.tiers.map((t) => ({ ...t, fixed: ZERO })) };
        expect(feeOn(amount, shares, one.decimals).lte(amount)).toBe(true);
      }),
      { numRuns: 500, seed: 18 },
    );
  });

  it('in slices never jumps or falls', () => {
    fc.assert(
      fc.property(drawn, (one) => {
        const slices = { ...one, tierMode: 'SLICES' as const };
        const rule = asTerms(slices);
        const edges = [slices.amount, ...slices.tiers.map(({ from }) => from)];
        for (const edge of edges) {
          const [before, after] = [edge - 1n, edge].map((amount) =>
            feeOn(units(amount, one.decimals), rule, one.decimals),
          );
          const step = (after ?? ZERO).minus(before ?? ZERO);
          // One more unit costs less than a unit, and rounding adds at most one.
          expect(step.gte(0) && step.lte(units(1n, one.decimals))).toBe(true);
        }
      }),
      { numRuns: 200, seed: 18 },
    );
  });

  it.each<[string, Partial<FeeTerms>, string, string, string]>([
    ['before the first tier', {}, '999.99', '100', '2.0000'],
    ['where a tier begins', {}, '1000', '100', '1.5000'],
    ['in the last tier, for a small amount', {}, '99999', '100', '1.0000'],
    ['regardless of its own amount', {}, '0', '50000', '1000.0000'],
    ['with the fixed part of its tier', { tiers: [tier('1000', '1', '3')] }, '1000', '100', '4.0000'],
    ['with its bounds', { minimum: money('5') }, '1000', '100', '5.0000'],
    // 400 × 2 % + 100 × 1.5 %
    ['in slices, over an edge', { tierMode: 'SLICES' }, '600', '500', '9.5000'],
    // 9,000 × 1.5 % + 1,000 × 1 %
    ['in slices, over the next edge', { tierMode: 'SLICES' }, '1000', '10000', '145.0000'],
    ['in slices, with a fixed part', { tierMode: 'SLICES', fixed: money('7') }, '1000', '1', '7.0200'],
  ])('by the volume of the month: %s', (_what, over, volume, amount, fee) => {
    const rule = terms({ tiers: TIERS, tierBy: 'MONTH_VOLUME', ...over });
    expect(formatMoney(feeOn(money(amount), termsAt(money(volume), rule), 2))).toBe(fee);
  });

  it('of a month equals, in slices, the fee of one order of the whole sum, and otherwise each tier’s', () => {
    fc.assert(
      fc.property(drawn, fc.bigInt(0n, 10n ** 12n), (one, volume) => {
        const before = units(volume, one.decimals);
        const amount = units(one.amount, one.decimals);
        const rule: FeeTerms = {
          ...asTerms(one),
          minimum: null,
          maximum: null,
          tierBy: 'MONTH_VOLUME',
        };
        const fee = feeOn(amount, termsAt(before, rule), one.decimals);
        // In integers: the fee of volume and order together, less the fee of the volume alone.
        const upTo = (end: bigint): bigint => {
          const tiers = [{ from: 0n, percent: one.percent }, ...sorted(one)];
          return tiers.reduce((sum, { from, percent }, at) => {
            const next = tiers[at + 1]?.from ?? end;
            const stop = next < end ? next : end;
            return stop > from ? sum + percent * (stop - from) : sum;
          }, 0n);
        };
        const reached = sorted(one).filter(({ from }) => from <= volume);
        const { percent, fixed } = reached.at(-1) ?? one;
        const millionths =
          one.tierMode === 'SLICES'
            ? upTo(volume + one.amount) - upTo(volume) + one.fixed * 1_000_000n
            : percent * one.amount + fixed * 1_000_000n;
        expect(fee.toFixed()).toBe(units((millionths + 500_000n) / 1_000_000n, one.decimals).toFixed());
      }),
      { numRuns: 500, seed: 18 },
    );
  });

  it.each<[string, Partial<FeeTerms>, RegExp]>([
    ['a percentage of 100', { percent: money('100') }, /percent/],
    ['a percentage below zero', { tiers: [tier('5', '-1')] }, /percent/],
    ['five decimals of a percentage', { percent: money('1.00001') }, /percent/],
    ['a fixed part finer than the currency', { fixed: money('0.001') }, /fixed/],
    ['a fixed part of fifteen digits', { fixed: money('100000000000000') }, /fixed/],
    ['a minimum of zero', { minimum: ZERO }, /minimum/],
    ['a maximum finer than the currency', { maximum: money('0.005') }, /maximum/],
    ['a minimum above the maximum', { minimum: money('2'), maximum: money('1') }, /minimum/],
    ['a tier from zero', { tiers: [tier('0', '1')] }, /tiers/],
    ['two tiers from the same amount', { tiers: [tier('5', '1'), tier('5', '2')] }, /tiers/],
    ['tiers that decrease', { tiers: [tier('9', '1'), tier('5', '2')] }, /tiers/],
    ['a fixed part in slices', { tierMode: 'SLICES', tiers: [tier('5', '1', '1')] }, /no fixed part in slices/],
    ['twenty-one tiers', { tiers: Array.from({ length: 21 }, (_, n) => tier(`${n + 1}`, '1')) }, /at most 20/],
  ])('cannot have %s', (_what, over, problem) => {
    expect(() => {
      checkFeeTerms(terms(over), 2);
    }).toThrow(problem);
  });
});

describe('the text of a fee', () => {
  it.each<[Partial<FeeTerms>, string]>([
    [{}, '2 %'],
    [{ percent: ZERO, fixed: money('12.5') }, '12.50'],
    [{ percent: ZERO }, '0 %'],
    [{ fixed: money('1'), minimum: money('5') }, '2 % + 1.00; at least 5.00'],
    [
      { tiers: [tier('1000000', '1.5', '3')], maximum: money('1234.5') },
      '2 %; from 1,000,000.00: 1.5 % + 3.00 of all of it; at most 1,234.50',
    ],
    [
      { tiers: [tier('1000', '1.5')], tierBy: 'MONTH_VOLUME' },
      '2 %; from 1,000.00 completed in the month: 1.5 % of all of it',
    ],
  ])('describes terms %#', (over, words) => {
    expect(wordsOfTerms(terms(over), 2)).toBe(words);
  });

  it.each([
    ['DEPOSIT', '100', 'the merchant gets 99'],
    ['DEPOSIT', '1', 'refused: the fee exceeds the amount'],
    ['WITHDRAWAL', '1', 'the beneficiary gets 1, and 2 leave the balance'],
  ] as const)('describes the result of a %s of %s', (kind, amount, words) => {
    expect(wordsOfOutcome(kind, money(amount), money('1'), 0)).toBe(words);
  });
});

describe('the schedule of an order', () => {
  const all = { id: 'all', channelId: null, walletKind: null };
  const wallet = { id: 'wallet', channelId: null, walletKind: 'BKASH' };
  const channel = { id: 'channel', channelId: 'c', walletKind: null };

  it.each([
    ['its channel before its wallet', { id: 'c', walletKind: 'BKASH' }, 'channel'],
    ['its wallet before all', { id: 'd', walletKind: 'BKASH' }, 'wallet'],
    ['all, at another channel', { id: 'd', walletKind: null }, 'all'],
    ['all, at no channel', null, 'all'],
  ])('is that of %s', (_what, way, expected) => {
    for (const schedules of [
      [all, wallet, channel],
      [channel, wallet, all],
    ])
      expect(scheduleFor(schedules, way)?.id).toBe(expected);
  });

  it('does not exist if each one is for other orders', () => {
    expect(scheduleFor([channel, wallet], null)).toBeUndefined();
  });
});
