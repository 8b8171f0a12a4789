import { debitOf, isNamedBy, type NamedTask, taskOf } from '../../domain/debit-match';

const task: NamedTask = { reference: 'W20260102K3XQ7ZP0M4TB-1', bankReference: 'FT 26002-1' };
const other: NamedTask = { reference: 'W20260102AAAAAAAAAAAA-1', bankReference: null };
const debit = (bankReference: string | null, memo = '') => ({ bankReference, memo });

describe('a bank debit', () => {
  it.each<[string, string | null, string, boolean]>([
    ['with the recorded reference', 'FT 26002-1', '', true],
    ['with the recorded reference in other letters and spaces', ' ft26002-1', '', true],
    ['with another reference', 'FT26002-2', '', false],
    ['without a reference', null, '', false],
    ['with our reference in its memo', null, 'pay W20260102K3XQ7ZP0M4TB-1, thanks', true],
    ['with our reference in small letters', null, 'w20260102k3xq7zp0m4tb-1', true],
    ['whose memo names the eleventh attempt', null, 'W20260102K3XQ7ZP0M4TB-11', false],
    ['whose memo names only the order', null, 'W20260102K3XQ7ZP0M4TB', false],
    ['with another reference, and ours in its memo', 'X1', 'W20260102K3XQ7ZP0M4TB-1', true],
  ])('%s', (_what, reference, memo, named) => {
    expect(isNamedBy(debit(reference, memo), task)).toBe(named);
  });

  it('without a reference does not match a task whose reference is unknown', () => {
    expect(isNamedBy(debit(null), other)).toBe(false);
  });

  it('matches exactly one task; otherwise a person decides', () => {
    expect(taskOf(debit('FT26002-1'), [other, task])).toBe(task);
    expect(taskOf(debit('FT26002-1', other.reference), [other, task])).toBeUndefined();
    expect(taskOf(debit('FT26002-1'), [other])).toBeUndefined();
  });

  it('must be the only one of its task; otherwise a person decides', () => {
    const [first, second] = [debit('FT26002-1'), debit('X', task.reference)];
    expect(debitOf(task, [debit('X'), first])).toBe(first);
    expect(debitOf(task, [first, second])).toBeUndefined();
  });
});
