import fc from 'fast-check';
import { seededDraw } from '../../domain/seeded-draw';

describe('draws from a seed', () => {
  it('lie between 0 and 1 and repeat for the same seed', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' }), (seed, name) => {
        const n = seededDraw(seed)(name);
        expect(n > 0 && n < 1).toBe(true);
        expect(seededDraw(seed)(name)).toBe(n);
      }),
      { seed: 7 },
    );
  });

  it('never change, so that an open order keeps its route through an upgrade', () => {
    const draw = seededDraw('019aac51-0000-7000-8000-000000000001');
    expect(draw('sim-a')).toBe(0.8727323813936578);
    expect(draw('sim-b')).toBe(0.14996546974286135);
  });

  it('are spread evenly, and independent for two names', () => {
    const cells = new Map<string, number>();
    const cell = (n: number): number => Math.floor(n * 5);
    for (let i = 0; i < 10_000; i++) {
      const draw = seededDraw(`019aac51-${i.toString(16).padStart(4, '0')}-7000`);
      const both = `${cell(draw('a'))}${cell(draw('b'))}`;
      cells.set(both, (cells.get(both) ?? 0) + 1);
    }
    // Chi-squared with 24 degrees of freedom: a fair draw exceeds 51.2 once in a thousand.
    const chi = [...cells.values()].reduce((sum, n) => sum + (n - 400) ** 2 / 400, 0);
    expect(cells.size).toBe(25);
    expect(chi).toBeLessThan(51.2);
  });

  it('distinguish the seed from the name', () => {
    expect(seededDraw('ab')('c')).not.toBe(seededDraw('a')('bc'));
  });
});
