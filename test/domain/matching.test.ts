import {
  type Doubts,
  type IncomingTransfer,
  matchTransfer,
  type NamedDeposit,
  type ReceivingAccount,
} from '../../domain/matching';
import { money } from '../../domain/money';
import type { PayerEntry } from '../../domain/payer-lists';

const CREATED = new Date('2026-01-02T03:04:05.678Z');
const at = (seconds: number): Date => new Date(CREATED.getTime() + seconds * 1000);

const denied: PayerEntry = {
  list: 'DENY',
  trait: 'NAME',
  key: 'ANN LEE',
  merchantId: null,
  bankCode: null,
  reason: 'known for it',
  expiresAt: null,
};
const transfer: IncomingTransfer = {
  accountId: 'account',
  currencyCode: 'THB',
  amount: money('100'),
  bankTime: at(60),
  payerName: null,
  payerAccount: null,
};
const deposit: NamedDeposit = {
  id: 'deposit',
  accountId: 'account',
  currencyCode: 'THB',
  amount: money('100.00'),
  fee: money('1.5'),
  status: 'PENDING',
  createdAt: CREATED,
  contested: false,
  merchantId: 'merchant',
  payerName: 'Ann Lee',
  payerAccountNo: null,
  payerAccountLast4: null,
  payerOutcome: null,
  payerFindings: null,
  comparison: 'IGNORE',
};
const account: ReceivingAccount = { mode: 'REMARK', currencyCode: 'THB', paused: false };
const none: Doubts = {
  referenceReused: false,
  nearDuplicate: false,
  overAgentLimit: false,
  withoutBalance: false,
  enteredByPerson: false,
};

interface Case {
  transfer?: Partial<IncomingTransfer>;
  account?: Partial<ReceivingAccount>;
  named?: readonly Partial<NamedDeposit>[];
  doubts?: Partial<Doubts>;
  entries?: readonly PayerEntry[];
}

const verdict = ({ transfer: t, account: a, named = [{}], doubts, entries = [] }: Case): string => {
  const result = matchTransfer(
    { ...transfer, ...t },
    { ...account, ...a },
    named.map((n) => ({ ...deposit, ...n })),
    { ...none, ...doubts },
    { entries, now: CREATED },
  );
  return result.matched ? `matched ${result.depositId}` : result.reason;
};

describe('a bank credit that is matched automatically', () => {
  it.each<[string, Case]>([
    ['that agrees in all fields', {}],
    ['a minute before the order, by a bank whose clock is behind', { transfer: { bankTime: at(-60) } }],
    ['at any time while the order is PENDING', { transfer: { bankTime: at(86_400) } }],
    [
      'by an amount that another payer had, if the payer agrees',
      { named: [{ contested: true }], transfer: { payerName: 'LEE, ANN' } },
    ],
    ['of any payer, if payers are not compared', { transfer: { payerName: 'Bob Ray', payerAccount: '1' } }],
    [
      'of the announced payer, if payers are compared',
      { named: [{ comparison: 'WAIT' }], transfer: { payerName: 'MS ANN LEE' } },
    ],
    ['of a payer whom the bank does not name', { named: [{ comparison: 'RETURN' }], transfer: { payerName: null } }],
    [
      'of another payer, if the order’s payer is allowed',
      {
        named: [{ comparison: 'WAIT', payerOutcome: 'ALLOW', payerFindings: ['allowed'] }],
        transfer: { payerName: 'Bob Ray' },
      },
    ],
    ['of a watched payer', { transfer: { payerName: 'Ann Lee' }, entries: [{ ...denied, list: 'WATCH' }] }],
    [
      'of a payer on another merchant’s denylist',
      { transfer: { payerName: 'Ann Lee' }, entries: [{ ...denied, merchantId: 'other' }] },
    ],
    [
      'of a payer whose entry has expired',
      { transfer: { payerName: 'Ann Lee' }, entries: [{ ...denied, expiresAt: CREATED }] },
    ],
    ['by value, in any spelling', { transfer: { amount: money('100.0000') } }],
  ])('%s', (_name, given) => {
    expect(verdict(given)).toBe('matched deposit');
  });
});

describe('a bank credit that waits for a person', () => {
  it.each<[string, Case]>([
    ['REFERENCE_REUSED', { doubts: { referenceReused: true, nearDuplicate: true } }],
    ['NEAR_DUPLICATE', { doubts: { nearDuplicate: true }, account: { paused: true } }],
    ['ACCOUNT_PAUSED', { account: { paused: true } }],
    ['OVER_AGENT_LIMIT', { doubts: { overAgentLimit: true } }],
    ['ENTERED_BY_PERSON', { doubts: { enteredByPerson: true } }],
    ['NEAR_DUPLICATE', { doubts: { nearDuplicate: true } }],
    ['NO_REMARK', { named: [] }],
    ['NO_AMOUNT', { account: { mode: 'FLOAT' }, named: [] }],
    ['NO_BALANCE', { doubts: { withoutBalance: true } }],
    ['AMOUNT_SHARED', { named: [{ contested: true }] }],
    ['AMOUNT_SHARED', { named: [{ contested: true }], transfer: { payerName: 'Bob Lee' } }],
    [
      'AMOUNT_SHARED',
      {
        named: [{ contested: true, payerAccountLast4: '4321' }],
        transfer: { payerName: 'ANN LEE', payerAccount: '99-1234' },
      },
    ],
    ['SEVERAL_REMARKS', { named: [{}, { id: 'other' }] }],
    ['SEVERAL_REMARKS', { named: [{}, { id: 'other', status: 'COMPLETED' }] }],
    ['SEVERAL_REMARKS', { named: [{}, { id: 'other', accountId: 'elsewhere' }] }],
    ['OTHER_ACCOUNT', { named: [{ accountId: 'elsewhere' }] }],
    ['OTHER_CURRENCY', { transfer: { currencyCode: 'USD' } }],
    ['OTHER_CURRENCY', { named: [{ currencyCode: 'USD' }] }],
    ['OTHER_CURRENCY', { account: { currencyCode: 'USD' } }],
    ['ORDER_NOT_PENDING', { named: [{ status: 'MATCHED' }] }],
    ['ORDER_NOT_PENDING', { named: [{ status: 'COMPLETED' }] }],
    ['ORDER_NOT_PENDING', { named: [{ status: 'EXPIRED' }] }],
    ['ORDER_NOT_PENDING', { named: [{ status: 'CANCELLED' }] }],
    ['ORDER_NOT_PENDING', { named: [{ status: 'FAILED' }] }],
    ['AMOUNT_DIFFERS', { transfer: { amount: money('99.99') } }],
    ['AMOUNT_DIFFERS', { transfer: { amount: money('100.0001') } }],
    ['TOO_EARLY', { transfer: { bankTime: at(-60.001) } }],
    ['PAYER_DENIED', { transfer: { payerName: 'Lee, Ann' }, entries: [denied] }],
    [
      'PAYER_DENIED',
      {
        named: [{ payerOutcome: 'WAIT', payerFindings: ['often'] }],
        transfer: { payerName: 'Ann Lee' },
        entries: [denied],
      },
    ],
    ['PAYER_WAITS', { named: [{ payerOutcome: 'WAIT', payerFindings: ['often'] }] }],
    ['PAYER_DIFFERS', { named: [{ comparison: 'WAIT' }], transfer: { payerName: 'Bob Ray' } }],
    ['PAYER_DIFFERS', { named: [{ comparison: 'RETURN' }], transfer: { payerName: 'Bob Ray' } }],
    [
      'PAYER_DIFFERS',
      {
        named: [{ comparison: 'WAIT', payerAccountLast4: '4321' }],
        transfer: { payerAccount: 'xxx-x-x1234' },
      },
    ],
  ])('%s: %j', (reason, given) => {
    expect(verdict(given)).toBe(reason);
  });
});
