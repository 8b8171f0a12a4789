import { Model } from '../../chaos/books/model';
import { coinsOf, feeOf, plain, unitOf, whole } from '../../chaos/books/money';

/** The campaign itself takes minutes; this tests the rules of its judge. */
describe('the model of npm run chaos -- books', () => {
  it('reads and writes amounts in the coins of their currency', () => {
    expect([plain(5n, 'THB'), plain(-1_205n, 'THB'), plain(7n, 'JPY'), plain(7n, 'KWD')]).toEqual([
      ...['0.05', '-12.05', '7', '0.007'],
    ]);
    expect([coinsOf('12.3400', 'THB'), coinsOf('-3.0000', 'JPY')]).toEqual([1_234n, -3n]);
    expect(() => coinsOf('0.5000', 'JPY')).toThrow('not an amount in JPY');
    expect([unitOf('JPY'), unitOf('KWD'), whole(2n, 'JPY')]).toEqual([100n, 1_000n, 2n]);
  });

  it('rounds fees half up', () => {
    const fee = { basisPoints: 150n, fixed: 0n };
    // 0.495, 0.51 and 1.5 of a coin; and a fixed part.
    expect([33n, 34n, 100n].map((coins) => feeOf(coins, fee))).toEqual([0n, 1n, 2n]);
    expect(feeOf(100n, { ...fee, fixed: 3n })).toBe(5n);
  });

  it('covers what a merchant owes first, and takes no more than it has', () => {
    const cell = new Model().cell('THB');
    expect(cell.gets(100n)).toBe(100n);
    cell.gives(130n);
    expect(String(cell)).toBe('available 0 frozen 0 owed 30');
    expect(cell.gets(20n)).toBe(0n);
    expect(cell.gets(20n)).toBe(10n);
    cell.freezes(4n);
    expect(String(cell)).toBe('available 6 frozen 4 owed 0');
  });

  it('finds its own contradictions', () => {
    const model = new Model();
    const cell = model.cell('THB');
    model.put('BANK', 'a', 'THB', 100n);
    model.add('SUSPENSE', 'THB', 100n);
    expect(model.problems()).toEqual([]);
    cell.gets(100n);
    expect(model.problems()).toEqual(['the model has 100 and owes 200 THB']);
    model.add('SUSPENSE', 'THB', -100n);
    expect([model.problems(), model.at('a', 'THB')]).toEqual([[], 100n]);
  });
});
