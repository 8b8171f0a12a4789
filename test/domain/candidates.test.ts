import fc from 'fast-check';
import {
  CANDIDATE_REASONS,
  errorsIn,
  type PossibleDeposit,
  rankCandidates,
  type UnclaimedTransfer,
} from '../../domain/candidates';
import { DEPOSIT_STATUSES } from '../../domain/deposit';
import { money } from '../../domain/money';

const at = (minute: number): Date => new Date(Date.UTC(2026, 2, 1, 12, minute));
const REMARK = '7KMWQ3PA';

const deposit = (fields: Partial<PossibleDeposit> = {}): PossibleDeposit => ({
  id: '0',
  accountId: 'a',
  currencyCode: 'THB',
  amount: money('1000'),
  status: 'PENDING',
  expectedRemark: REMARK,
  payerName: 'Somchai Jaidee',
  payerAccountLast4: '4321',
  claimedReference: null,
  createdAt: at(0),
  expireAt: at(15),
  ...fields,
});
const transfer = (fields: Partial<UnclaimedTransfer> = {}): UnclaimedTransfer => ({
  accountId: 'a',
  currencyCode: 'THB',
  amount: money('77'),
  bankTime: at(60),
  memo: '',
  bankReference: null,
  payerName: null,
  payerAccount: null,
  ...fields,
});

describe('a payment claim', () => {
  const reasonsOf = (claimed: string, fields: Partial<UnclaimedTransfer>): readonly string[] | undefined =>
    rankCandidates(transfer(fields), [deposit({ claimedReference: claimed })])[0]?.reasons;

  it('supports its order if the bank reports the same reference', () => {
    expect(reasonsOf('REF77', { bankReference: 'ref 77' })).toEqual(['CLAIMED_REFERENCE', 'CLAIMED']);
  });

  it('counts only by an equal reference, never by a word of the memo', () => {
    const memo = 'transfer payment ref-x Ref77 ok';
    expect(reasonsOf('REF77', { memo, amount: money('1000') })).not.toContain('CLAIMED_REFERENCE');
    expect(reasonsOf('PAYMENT', { memo, amount: money('1000') })).not.toContain('CLAIMED_REFERENCE');
  });

  it.each([
    ['a remark with a wrong letter', '7KMWQ3PB', money('1000')],
    ['a remark, and another amount', REMARK, money('400')],
    ['a remark with a wrong letter, and another amount', '7KMWQ3PB', money('400')],
  ])('never ranks before %s', (_what, remark, amount) => {
    const thief = deposit({
      id: 'thief',
      expectedRemark: '9WQ3PA7K',
      claimedReference: 'FT123456',
      payerName: null,
      payerAccountLast4: null,
    });
    const owner = deposit({ id: 'owner', amount, payerName: null, payerAccountLast4: null });
    const credit = transfer({
      memo: `payment ${remark}`,
      amount: money('1000'),
      bankTime: at(5),
      bankReference: 'FT123456',
    });
    const ranked = rankCandidates(credit, [thief, owner]);
    expect(ranked.map(({ deposit: { id } }) => id)).toEqual(['owner', 'thief']);
  });

  it('is weak evidence alone, and a short word in a memo is none', () => {
    expect(reasonsOf('REF77', { bankReference: 'REF78' })).toBeUndefined();
    expect(reasonsOf('OK', { memo: 'ok' })).toBeUndefined();
  });
});

describe('what supports a deposit', () => {
  it.each<[string, Partial<UnclaimedTransfer>, string[]]>([
    ['its remark, as banks change it', { memo: `pay ref 7kmw-q3pa thanks` }, ['REMARK']],
    ['a remark with a wrong character', { memo: 'x 7KMWQ3PB' }, ['REMARK_ALIKE']],
    ['a remark with a character missing', { memo: '7KMQ3PA' }, ['REMARK_ALIKE']],
    ['a remark with two extra characters', { memo: '7KMXWQ3XPA' }, ['REMARK_ALIKE']],
    ['its amount', { amount: money('1000.0000') }, ['AMOUNT']],
    ['its amount, while it could be paid', { amount: money('1000'), bankTime: at(15) }, ['AMOUNT', 'IN_TIME']],
    ['its amount, a minute before it', { amount: money('1000'), bankTime: at(-1) }, ['AMOUNT', 'IN_TIME']],
    ['its amount, two minutes before it', { amount: money('1000'), bankTime: at(-2) }, ['AMOUNT']],
    [
      'a near amount and the account',
      { amount: money('980'), payerAccount: '123-4-54321' },
      ['PAYER_ACCOUNT', 'AMOUNT_NEAR'],
    ],
    [
      'the name in another order, and the account',
      { payerName: 'MR JAIDEE, SOMCHAI', payerAccount: 'xxxx4321' },
      ['PAYER_ACCOUNT', 'PAYER_NAME'],
    ],
    ['the name, in time', { payerName: 'Sómchai  JAIDEE', bankTime: at(3) }, ['PAYER_NAME', 'IN_TIME']],
  ])('%s', (_what, fields, reasons) => {
    const [candidate] = rankCandidates(transfer(fields), [deposit()]);
    expect(candidate?.reasons).toEqual(reasons);
  });

  it.each<[string, Partial<UnclaimedTransfer>]>([
    ['nothing', {}],
    ['a near amount alone', { amount: money('1020') }],
    ['a near amount, in time', { amount: money('980'), bankTime: at(3) }],
    ['the amount in another currency', { amount: money('1000'), currencyCode: 'USD' }],
    ['an amount that is not near, in time', { amount: money('979.99'), bankTime: at(3) }],
    ['a remark with three errors', { memo: '7KMXXXPA' }],
    ['one word of a name, in time', { payerName: 'Somchai', bankTime: at(3) }],
    ['the account alone', { payerAccount: '4321' }],
  ])('does not include %s', (_what, fields) => {
    expect(rankCandidates(transfer(fields), [deposit()])).toEqual([]);
  });
});

describe('the order of candidates', () => {
  const ids = (t: UnclaimedTransfer, deposits: PossibleDeposit[]): string[] =>
    rankCandidates(t, deposits).map((candidate) => candidate.deposit.id);

  it('is by evidence, then open before closed, then nearness in time, then id', () => {
    const paid = transfer({ amount: money('1000'), memo: REMARK, bankTime: at(30) });
    const other = { expectedRemark: 'XXXXXXXX' };
    expect(
      ids(paid, [
        deposit({ id: 'far', ...other, createdAt: at(-50), expireAt: at(-35) }),
        deposit({ id: 'closed', ...other, status: 'EXPIRED' }),
        deposit({ id: 'near b', ...other }),
        deposit({ id: 'near a', ...other }),
        deposit({ id: 'named', status: 'CANCELLED' }),
        deposit({ id: 'in time', ...other, status: 'EXPIRED', expireAt: at(45) }),
      ]),
    ).toEqual(['named', 'in time', 'near a', 'near b', 'far', 'closed']);
  });
});

describe('the candidates of a random bank credit', () => {
  const minutes = fc.integer({ min: -90, max: 90 }).map(at);
  const amounts = fc.constantFrom('1000', '1001', '990', '77').map(money);
  const names = fc.constantFrom(null, 'Somchai Jaidee', 'JAIDEE Somchai K', 'Somchai', '');
  const deposits = fc.uniqueArray(
    fc.record({
      id: fc.uuid(),
      accountId: fc.constantFrom('a', 'b'),
      currencyCode: fc.constantFrom('THB', 'USD'),
      amount: amounts,
      status: fc.constantFrom(...DEPOSIT_STATUSES),
      expectedRemark: fc.constantFrom(null, REMARK, '7KMWQ3PB', '22222222'),
      payerName: names,
      payerAccountLast4: fc.constantFrom(null, '4321', '1234'),
      claimedReference: fc.constantFrom(null, 'REF77', 'REF78'),
      createdAt: minutes,
      expireAt: minutes,
    }),
    { selector: ({ id }) => id, maxLength: 12 },
  );
  const transfers = fc.record({
    accountId: fc.constantFrom('a', 'b'),
    currencyCode: fc.constantFrom('THB', 'USD'),
    amount: amounts,
    bankTime: minutes,
    memo: fc.constantFrom('', REMARK, '7KMWQ3P', 'hello world'),
    bankReference: fc.constantFrom(null, 'ref 77'),
    payerName: names,
    payerAccount: fc.constantFrom(null, '99-4321', '1'),
  });

  it('have the same order for any order of the deposits', () => {
    fc.assert(
      fc.property(transfers, deposits, fc.array(fc.nat(), { minLength: 12 }), (t, found, by) => {
        const shuffled = found
          .map((one, n) => ({ one, by: by[n] ?? 0 }))
          .sort((a, b) => a.by - b.by)
          .map(({ one }) => one);
        expect(rankCandidates(t, shuffled)).toEqual(rankCandidates(t, found));
      }),
      { numRuns: 300, seed: 11 },
    );
  });

  it('contain each deposit at most once, the stronger first, with reasons that add up', () => {
    fc.assert(
      fc.property(transfers, deposits, (t, found) => {
        const ranked = rankCandidates(t, found);
        const ids = ranked.map((candidate) => candidate.deposit.id);
        expect(new Set(ids).size).toBe(ids.length);
        expect(found).toEqual(expect.arrayContaining(ranked.map((one) => one.deposit)));
        ranked.forEach(({ reasons, score }, n) => {
          expect(score).toBe(reasons.reduce((sum, one) => sum + CANDIDATE_REASONS[one], 0));
          expect(score).toBeLessThanOrEqual(ranked[n - 1]?.score ?? Infinity);
        });
      }),
      { numRuns: 300, seed: 11 },
    );
  });

  it('rank a deposit no lower once its remark is in the memo', () => {
    fc.assert(
      fc.property(transfers, deposits, fc.nat(), (t, found, n) => {
        const target = found[n % Math.max(1, found.length)];
        if (!target) return;
        const named = { ...target, expectedRemark: 'ZZZZYYYY' };
        const all = found.map((one) => (one === target ? named : one));
        const place = (memo: string): number => {
          const at = rankCandidates({ ...t, memo }, all).findIndex((candidate) => candidate.deposit.id === named.id);
          return at === -1 ? all.length : at;
        };
        expect(place(`${t.memo} ZZZZYYYY`)).toBeLessThanOrEqual(place(t.memo));
      }),
      { numRuns: 300, seed: 11 },
    );
  });
});

describe('the number of errors of a remark in a text', () => {
  /** The simplest way: compares every part of the text. */
  function plainly(text: string, remark: string): number {
    const edits = (a: string, b: string): number =>
      a === '' || b === ''
        ? Math.max(a.length, b.length)
        : Math.min(
            edits(a.slice(1), b.slice(1)) + (a[0] === b[0] ? 0 : 1),
            edits(a.slice(1), b) + 1,
            edits(a, b.slice(1)) + 1,
          );
    let least = remark.length;
    for (let from = 0; from <= text.length; from++)
      for (let to = from; to <= text.length; to++) least = Math.min(least, edits(text.slice(from, to), remark));
    return least;
  }

  it('equals the least over every part of the text', () => {
    const texts = fc.string({ unit: fc.constantFrom('A', 'B', 'C'), maxLength: 6 });
    const remarks = fc.string({ unit: fc.constantFrom('A', 'B', 'C'), minLength: 1, maxLength: 4 });
    fc.assert(
      fc.property(texts, remarks, (text, remark) => {
        expect(errorsIn(text, remark)).toBe(plainly(text, remark));
      }),
      { numRuns: 300, seed: 11 },
    );
  });
});
