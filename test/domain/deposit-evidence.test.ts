import { creditSentence, differencesOf, figureOf, orphanSentence } from '../../domain/credit-words';
import { type DepositAnswer, type EvidenceFacts, evidenceOf, type WaitingCredit } from '../../domain/deposit-evidence';
import { money } from '../../domain/money';

const at = (minute: number): Date => new Date(Date.UTC(2026, 2, 1, 12, minute));
const REMARK = '7KMWQ3PA';

const deposit: EvidenceFacts['deposit'] = {
  id: 'd',
  accountId: 'a',
  currencyCode: 'THB',
  amount: money('125000'),
  status: 'PENDING',
  expectedRemark: REMARK,
  payerName: 'Alice Smith',
  payerAccountLast4: null,
  claimedReference: null,
  createdAt: at(0),
  expireAt: at(15),
  matchedAt: null,
  completedAt: null,
};
const credit: WaitingCredit = {
  id: 't',
  accountId: 'a',
  currencyCode: 'THB',
  amount: money('124999'),
  bankTime: at(5),
  memo: `pay ${REMARK}`,
  bankReference: null,
  payerName: null,
  payerAccount: null,
  unmatchedReason: 'AMOUNT_DIFFERS',
};
const facts: EvidenceFacts = {
  deposit,
  credits: [],
  claim: null,
  account: { lastReportAt: at(1), paused: false },
  channel: null,
};
const claim = { reference: 'FT 99', at: at(3) };

describe('the evidence of a deposit that is not credited', () => {
  it.each<[DepositAnswer, Partial<EvidenceFacts>, string]>([
    [
      'MONEY_WAITS',
      { credits: [credit] },
      "124,999.00 THB came at 2026-03-01T12:05:00.000Z with this order's remark: 1.00 short.",
    ],
    [
      'MONEY_WAITS',
      { credits: [{ ...credit, amount: deposit.amount, unmatchedReason: 'ACCOUNT_PAUSED' }] },
      "125,000.00 THB came at 2026-03-01T12:05:00.000Z with this order's remark: waits for a person: its account is paused.",
    ],
    [
      'MONEY_WAITS',
      {
        deposit: { ...deposit, status: 'CANCELLED' },
        credits: [{ ...credit, amount: money('7'), memo: '', wasMatched: true }],
      },
      '7.00 THB came at 2026-03-01T12:05:00.000Z and was matched to this order: 124,993.00 short, without its remark, the order is cancelled.',
    ],
    [
      'MONEY_NEAR',
      { credits: [{ ...credit, amount: deposit.amount, memo: '', payerName: 'Bob Jones' }] },
      "125,000.00 THB came at 2026-03-01T12:05:00.000Z with this order's exact amount: without its remark, from Bob Jones, not Alice Smith.",
    ],
    [
      'MONEY_WAITS',
      {
        deposit: { ...deposit, expectedRemark: null, status: 'CANCELLED' },
        credits: [
          { ...credit, id: 's', accountId: 'other', amount: deposit.amount, bankTime: at(4) },
          { ...credit, amount: deposit.amount, memo: '' },
        ].map((one) => ({ ...one, memo: '', unmatchedReason: 'ORDER_NOT_PENDING' })),
      },
      "125,000.00 THB came at 2026-03-01T12:05:00.000Z with this order's exact amount: the order is cancelled. 1 more credit may be for it.",
    ],
    [
      'MONEY_NEAR',
      {
        deposit: { ...deposit, expectedRemark: null },
        credits: [{ ...credit, memo: '', accountId: 'other', amount: deposit.amount }],
      },
      "125,000.00 THB came at 2026-03-01T12:05:00.000Z with this order's exact amount: on another account.",
    ],
    [
      'CLAIMED',
      { claim },
      'The payer claims to have paid under the reference FT 99 at 2026-03-01T12:03:00.000Z: no such credit is known. The last report on its account came at 2026-03-01T12:01:00.000Z.',
    ],
    [
      'AT_CHANNEL',
      {
        account: null,
        channel: { name: 'Alpha', status: 'SENT', since: at(2), lastError: 'HTTP 502' },
      },
      'Channel Alpha was asked and has not answered clearly since 2026-03-01T12:02:00.000Z (HTTP 502).',
    ],
    [
      'ACCOUNT_SILENT',
      { account: { lastReportAt: null, paused: true } },
      'Nothing has come for it. Nothing was ever reported on its account. The account is paused: operators match what comes.',
    ],
    [
      'NOTHING',
      { deposit: { ...deposit, status: 'EXPIRED' } },
      'Nothing has come for it; it is expired. The last report on its account came at 2026-03-01T12:01:00.000Z.',
    ],
    [
      'CREDIT_FOLLOWS',
      { deposit: { ...deposit, status: 'MATCHED', matchedAt: at(6) } },
      'The money is there since 2026-03-01T12:06:00.000Z, and the credit follows.',
    ],
    [
      'CREDITED',
      { deposit: { ...deposit, status: 'COMPLETED', completedAt: at(6) } },
      'Credited at 2026-03-01T12:06:00.000Z.',
    ],
  ])('%s', (answer, given, sentence) => {
    expect(evidenceOf({ ...facts, ...given })).toMatchObject({ answer, sentence });
  });

  it('shows the likeliest bank credit first, with its difference, and counts the others', () => {
    const near = { ...credit, id: 'near', memo: '', amount: money('125010') };
    const far = { ...credit, id: 'far', memo: '', amount: money('3') };
    const { credits, sentence } = evidenceOf({ ...facts, credits: [near, far, credit], claim });
    expect(credits.map(({ transfer: { id } }) => id)).toEqual(['t', 'near']);
    expect(credits.map(({ amountDifference }) => amountDifference?.toFixed())).toEqual(['-1', '10']);
    expect(sentence).toContain('1 more credit may be for it. The payer claims');
  });

  it('names every difference between a bank credit and an order', () => {
    const other = { ...credit, accountId: 'b', currencyCode: 'USD', bankTime: at(200) };
    expect(differencesOf(other, deposit, ['REMARK_ALIKE'])).toEqual([
      'in USD, not THB',
      'on another account',
      'booked 3 h after it expired',
      'its remark is mistyped',
    ]);
  });

  it('describes a bank credit without an order, and amounts in their own decimals', () => {
    expect(orphanSentence(credit, 'NO_REMARK')).toBe(
      '124,999.00 THB came at 2026-03-01T12:05:00.000Z, and no order fits: its memo names no order.',
    );
    expect(figureOf(money('1234567'), 'JPY')).toBe('1,234,567');
    expect(figureOf(money('0.5'), 'KWD')).toBe('0.500');
    const words = { reasons: ['AMOUNT_NEAR'] as const, differences: [], whose: "D1's" };
    expect(creditSentence({ ...credit, unmatchedReason: null }, words)).toBe(
      "124,999.00 THB came at 2026-03-01T12:05:00.000Z near D1's amount.",
    );
  });
});
