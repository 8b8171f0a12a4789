import { chooseSettlementAccount, readSettlementFile, settlementReview } from '../../domain/settlement';

describe('a file of settlements', () => {
  it('is read row by row', () => {
    const file = 'Reference,merchant,currency,amount,account\nr1, M1 ,THB,10.00,\n';
    expect(readSettlementFile(file)).toEqual([
      {
        line: 2,
        reference: 'r1',
        merchantCode: 'M1',
        currencyCode: 'THB',
        amount: '10.00',
        account: '',
      },
    ]);
    expect(readSettlementFile('reference,merchant,currency,amount\nr1,M1,THB,1\n')).toMatchObject([{ account: '' }]);
  });

  it.each([
    ['headings', 'reference,merchant,amount\nr,M,1\n'],
    ['headings', ''],
    ['rows', 'reference,merchant,currency,amount,account\n'],
    ['rows', `reference,merchant,currency,amount,account\n${'r,M,THB,1,\n'.repeat(101)}`],
    ['line 3', 'reference,merchant,currency,amount\nr,M,THB,1\nr,M,THB\n'],
    ['table', 'reference,"merchant'],
  ])('is refused for its %s', (named, file) => {
    expect(readSettlementFile(file)).toEqual({ problem: expect.stringContaining(named) as string });
  });
});

describe('the account of a row', () => {
  const [a, b] = [
    { id: 'A', accountNo: '1' },
    { id: 'B', accountNo: '2' },
  ];
  it.each([
    [[a], '', a],
    [[a, b], 'B', b],
    [[a, b], '1', a],
  ])('among %j, named %j, is found', (accounts, named, meant) => {
    expect(chooseSettlementAccount(accounts, named)).toBe(meant);
  });
  it.each([
    [[a, b], ''],
    [[a, b], '3'],
    [[], ''],
    [[a, { id: 'C', accountNo: '1' }], '1'],
  ])('among %j, named %j, is not found', (accounts, named) => {
    expect(chooseSettlementAccount(accounts, named)).toHaveProperty('problem');
  });
});

describe('the review of a settlement', () => {
  it('requires one person, and two above the limit; the merchant’s habits do not count', () => {
    expect(settlementReview({ people: 0, reasons: [] })).toEqual({ people: 1, reasons: [] });
    expect(settlementReview({ people: 1, reasons: ['NEW_BENEFICIARY', 'QUIET_HOURS'] })).toEqual({
      people: 1,
      reasons: [],
    });
    expect(settlementReview({ people: 2, reasons: ['ABOVE_TWO_PEOPLE', 'COOLING'] })).toEqual({
      people: 2,
      reasons: ['ABOVE_TWO_PEOPLE'],
    });
  });
});
