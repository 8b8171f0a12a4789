import { Decimal } from 'decimal.js';
import { listsNumber, judgeRestore, type RestoreEvidence } from '../../chaos/restore/judge';
import type { Arrival } from '../../chaos/receiver';
import { judgeRepeats } from '../../chaos/verdict';

const merchant = { id: 'm1', code: 'M', apiKey: 'k', expires: false };
const asked = (number: string, orderNo: string) => ({
  merchant,
  number,
  amount: new Decimal(100),
  created: 1,
  promised: { orderNo, amount: '100.0000', accountNo: '1', remark: 'R' },
});
/** The restored moment, and when the restored server took writes. */
const lost = { from: 1_000, until: 2_000 };
const [BEFORE, WITHIN, LATER_WITHIN, AFTER, LATER] = [500, 1_200, 1_800, 3_000, 4_000];
const arrival = (at: number, more: Partial<Arrival> = {}): Arrival => ({
  orderNo: 'D1',
  event: 'deposit.completed',
  at,
  bytes: 'signature body',
  genuine: true,
  fault: 'none',
  ...more,
});

/** Consistent records: one order paid, one gone and listed. */
const good: RestoreEvidence = {
  deposits: [asked('n1', 'D1'), asked('n2', 'D2')],
  payments: [
    {
      reference: 'r1',
      orderNo: 'D1',
      accountId: 'a1',
      amount: new Decimal(100),
      acknowledged: true,
    },
  ],
  withdrawals: [],
  payouts: [],
  arrivals: [arrival(AFTER)],
  ledger: {
    orders: [
      {
        orderNo: 'D1',
        merchantId: 'm1',
        number: 'n1',
        status: 'COMPLETED',
        requested: '100.0000',
        amount: '100.0000',
      },
    ],
    credits: [{ orderNo: 'D1', account: 'merchant:m1:available', amount: '99.0000' }],
    sums: [],
    notifications: [{ orderNo: 'D1', type: 'deposit_completed', status: 'SUCCESS', attempts: 1 }],
    outbox: 0,
  },
  findings: ['LOST_NUMBER number:M:n2'],
  fee: new Decimal(1),
  lost,
};
const [none, one] = [[] as string[], [expect.any(String) as string]];
const after = (...arrivals: Arrival[]) => judgeRestore({ ...good, arrivals });
const ofLost = { orderNo: 'D2' };

const asker = { id: 'm1', code: 'M', apiKey: 'k' };
const withdrawal = (orderNo: string | null, before: string[]) => ({
  asker,
  number: 'w1',
  amount: new Decimal(10),
  orderNo,
  lost: before,
});
const payout = (reference: string, paid: number) => ({
  reference,
  channelOrderNo: 'S1',
  amount: '10',
  currency: 'THB',
  state: 'completed' as const,
  reason: null,
  askedAt: WITHIN,
  asked: 1,
  paid,
});

describe('the judge of a restore', () => {
  it.each<[string, readonly Arrival[]]>([
    ['a callback that came before the moment', [arrival(BEFORE)]],
    ['one that came in the lost time, and again', [arrival(WITHIN), arrival(AFTER)]],
    ['one of a lost order in the lost time', [arrival(AFTER), arrival(WITHIN, ofLost)]],
    ['one that was acknowledged at the second attempt', [arrival(BEFORE, { fault: 'error' }), arrival(AFTER)]],
  ])('accepts %s', (_what, arrivals) => {
    expect(after(...arrivals)).toEqual({ double: none, lost: none, stuck: none });
  });

  it.each<[string, readonly Arrival[]]>([
    ['before the moment and in the lost time', [arrival(BEFORE), arrival(WITHIN)]],
    ['before the moment and after the restore', [arrival(BEFORE), arrival(AFTER)]],
    ['twice in the lost time', [arrival(WITHIN), arrival(LATER_WITHIN)]],
    ['in the lost time, and twice again', [arrival(WITHIN), arrival(AFTER), arrival(LATER)]],
    ['twice after the restore', [arrival(AFTER), arrival(LATER)]],
    [
      'of a lost order twice in the lost time',
      [arrival(AFTER), arrival(WITHIN, ofLost), arrival(LATER_WITHIN, ofLost)],
    ],
    ['of a lost order before it was lost', [arrival(AFTER), arrival(BEFORE, ofLost)]],
    ['of a lost order after the restore', [arrival(AFTER), arrival(LATER, ofLost)]],
    ['of an order that nobody was promised', [arrival(AFTER), arrival(WITHIN, { orderNo: 'D9' })]],
    ['of another status', [arrival(AFTER), arrival(WITHIN, { event: 'deposit.expired' })]],
  ])('double: a callback that came %s', (_what, arrivals) => {
    expect(after(...arrivals)).toEqual({ double: one, lost: none, stuck: none });
  });

  it('lost: a callback that never came, was given up, or is false', () => {
    expect(after()).toEqual({ double: none, lost: one, stuck: none });
    expect(after(arrival(AFTER, { genuine: false }))).toEqual({
      double: none,
      lost: one,
      stuck: none,
    });
    for (const status of ['FAILED', undefined]) {
      const notifications = good.ledger.notifications.flatMap((row) =>
        status === undefined ? [] : [{ ...row, status }],
      );
      const ledger = { ...good.ledger, notifications };
      expect(judgeRestore({ ...good, ledger })).toEqual({ double: none, lost: one, stuck: none });
    }
  });

  it('lost: an order that is gone, if no page lists it', () => {
    expect(listsNumber(good.findings, 'M', 'n2')).toBe(true);
    expect(judgeRestore({ ...good, findings: [] })).toEqual({
      double: none,
      stuck: none,
      lost: ['n2: D2 is gone, and no page lists it'],
    });
  });

  it('lost: a withdrawal that is gone, if no page lists it', () => {
    const withdrawals = [withdrawal('W2', ['W1'])];
    const lostOf = (findings: string[], paid = 0) =>
      judgeRestore({
        ...good,
        withdrawals,
        payouts: [payout('W1-1-1-A', paid)],
        findings: [...good.findings, ...findings],
      }).lost;
    expect(lostOf([])).toEqual(['w1: W1 is gone, and no page lists it']);
    expect(lostOf(['LOST_NUMBER number:M:w1'])).toEqual(none);
    expect(lostOf(['LOST_NUMBER number:M:w1'], 1)).toEqual(one);
    expect(lostOf(['UNKNOWN_HERE reference:A:W1-1-1-A'], 1)).toEqual(none);
  });

  it('double: a number that was paid under two orders', () => {
    const payouts = [payout('W1-1-1-A', 1), payout('W2-1-2-B', 1)];
    const findings = [...good.findings, 'UNKNOWN_HERE reference:A:W1-1-1-A'];
    const withdrawals = [withdrawal('W2', ['W1'])];
    expect(judgeRestore({ ...good, withdrawals, payouts, findings })).toEqual({
      double: ['w1 was paid 2 times, as W1 and W2'],
      lost: none,
      stuck: none,
    });
  });
});

describe('callbacks that come again', () => {
  it('count once the merchant has acknowledged one', () => {
    const error = arrival(BEFORE, { fault: 'error' });
    expect(judgeRepeats([error, error, arrival(AFTER)], lost).double).toEqual(none);
    expect(judgeRepeats([error, arrival(AFTER), arrival(LATER)], lost).double).toEqual([
      'D1 deposit.completed: came again 1 times',
    ]);
  });
});
