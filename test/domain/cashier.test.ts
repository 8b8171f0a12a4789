import fc from 'fast-check';
import {
  isOpenToToken,
  acceptsAmount,
  CASHIER_STATUSES,
  type JudgedSession,
  luminance,
  masked,
  offersAmounts,
  payerOf,
  readableOnWhite,
} from '../../domain/cashier';
import { money } from '../../domain/money';

const DAY = 86_400_000;
const T0 = new Date('2026-03-01T12:00:00Z');
const after = (ms: number): Date => new Date(T0.getTime() + ms);

describe('the amounts that payers may choose', () => {
  const rules = {
    denominations: [money('100'), money('250.50')],
    custom: { min: money('10'), max: money('20') },
  };

  it.each([
    ['100', true],
    ['100.0000', true],
    ['250.5', true],
    ['10', true],
    ['20', true],
    ['15.01', true],
    ['9.9999', false],
    ['20.0001', false],
    ['101', false],
  ])('%s: %s', (amount, accepted) => {
    expect(acceptsAmount(rules, money(amount))).toBe(accepted);
  });

  it('is empty without denominations and range', () => {
    expect(offersAmounts({ denominations: [], custom: null })).toBe(false);
    expect(acceptsAmount({ denominations: [], custom: null }, money('1'))).toBe(false);
    expect(offersAmounts({ denominations: [money('1')], custom: null })).toBe(true);
    expect(offersAmounts({ denominations: [], custom: rules.custom })).toBe(true);
  });
});

describe('a token', () => {
  const session = (fields: Partial<JudgedSession> = {}): JudgedSession => ({
    status: 'PENDING',
    expireAt: T0,
    revokedAt: null,
    orderEndedAt: null,
    ...fields,
  });

  it('opens a session until a day after its expiry', () => {
    expect(isOpenToToken(session(), after(-1))).toBe(true);
    const expired = session({ status: 'EXPIRED' });
    expect(isOpenToToken(expired, after(DAY))).toBe(true);
    expect(isOpenToToken(expired, after(DAY + 1))).toBe(false);
  });

  it('opens a session until a day after its order is final, even if that is later', () => {
    expect(isOpenToToken(session({ status: 'SUBMITTED' }), after(30 * DAY))).toBe(true);
    const ended = session({ status: 'SUBMITTED', orderEndedAt: after(DAY) });
    expect(isOpenToToken(ended, after(2 * DAY))).toBe(true);
    expect(isOpenToToken(ended, after(2 * DAY + 1))).toBe(false);
  });

  it('opens nothing after it is revoked', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...CASHIER_STATUSES),
        fc.integer({ min: -DAY, max: 3 * DAY }),
        (status, ms) => !isOpenToToken(session({ status, revokedAt: T0 }), after(ms)),
      ),
      { numRuns: 300, seed: 12 },
    );
  });
});

describe('cards', () => {
  it('never show five digits of a number, in any spelling', () => {
    const groups = fc.array(fc.stringMatching(/^\d{1,6}$/), { minLength: 1, maxLength: 6 });
    fc.assert(
      fc.property(groups, fc.constantFrom('', ' ', '-'), fc.string(), (digits, by, around) => {
        const shown = masked(`${around} ${digits.join(by)} x`);
        return !/\d[ -]?\d[ -]?\d[ -]?\d[ -]?\d/.test(shown);
      }),
      { numRuns: 300, seed: 12 },
    );
  });

  it.each([
    [
      { bank_code: 'KBANK', account_no: '123-4-56789-0' },
      { bankCode: 'KBANK', accountNo: '1234567890' },
    ],
    [
      { bankCode: 'SCB', cardNumber: '4111 1111' },
      { bankCode: 'SCB', accountNo: '41111111' },
    ],
    [
      { BANK_CODE: 'X', card_no: '1' },
      { bankCode: 'X', accountNo: '1' },
    ],
    [{ holder: 'Somchai' }, { bankCode: null, accountNo: null }],
    [
      { account_no: '', number: '77' },
      { bankCode: null, accountNo: null },
    ],
    [
      { bank_code: 'B'.repeat(33), account_no: '7'.repeat(65) },
      { bankCode: null, accountNo: null },
    ],
    [{ account_no: '- -' }, { bankCode: null, accountNo: null }],
    [{}, { bankCode: null, accountNo: null }],
  ])('made from %j are %j', (card, payer) => {
    expect(payerOf(card as Record<string, string>)).toEqual(payer);
  });
});

describe('a colour', () => {
  it.each([
    ['#000000', true],
    ['#0a5c36', true],
    ['#767676', true],
    ['#777777', false],
    ['#ffffff', false],
    ['#ff0000', false],
    ['#0a5c3', false],
    ['0a5c36', false],
    ['#0A5C36', false],
    ['red', false],
  ])('%s: %s', (colour, readable) => {
    expect(readableOnWhite(colour)).toBe(readable);
  });

  it('has a contrast to white or black', () => {
    expect([luminance('#000000'), luminance('#ffffff')]).toEqual([0, 1]);
  });
});
