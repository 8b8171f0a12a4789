import { Decimal } from 'decimal.js';
import type { Arrival } from '../../chaos/receiver';
import { type Books, judge, mostOfAnArming } from '../../chaos/verdict';

const merchant = (id: string, expires: boolean) => ({ id, code: id, apiKey: 'k', expires });
const [payer, idler] = [merchant('m1', false), merchant('m2', true)];

const arrival = (orderNo: string, event: string, more: Partial<Arrival> = {}): Arrival => ({
  orderNo,
  event,
  at: 1_000,
  bytes: 'signature body',
  genuine: true,
  fault: 'none',
  ...more,
});

const asked = (number: string, orderNo: string, who = payer) => ({
  merchant: who,
  number,
  amount: new Decimal(100),
  created: 1,
  promised: { orderNo, amount: '100.0000', accountNo: '1', remark: 'R' },
});

/** Consistent records: one order paid, one expired. */
const good: Books = {
  asked: [asked('n1', 'D1'), asked('n2', 'D2', idler)],
  payments: [
    {
      reference: 'r1',
      orderNo: 'D1',
      accountId: 'a1',
      amount: new Decimal(100),
      acknowledged: true,
    },
  ],
  arrivals: [arrival('D1', 'deposit.completed'), arrival('D2', 'deposit.expired')],
  rearmed: new Map(),
  ledger: {
    orders: [
      {
        orderNo: 'D1',
        merchantId: 'm1',
        number: 'n1',
        requested: '100.0000',
        amount: '100.0000',
        status: 'COMPLETED',
      },
      {
        orderNo: 'D2',
        merchantId: 'm2',
        number: 'n2',
        requested: '100.0000',
        amount: '100.0000',
        status: 'EXPIRED',
      },
    ],
    credits: [{ orderNo: 'D1', account: 'merchant:m1:available', amount: '99.0000' }],
    sums: [
      { account: 'bank:a1', sum: '-100.0000' },
      { account: 'suspense', sum: '0.0000' },
      { account: 'fee_income', sum: '1.0000' },
      { account: 'merchant:m1:available', sum: '99.0000' },
    ],
    notifications: [
      { orderNo: 'D1', type: 'deposit_completed', status: 'SUCCESS', attempts: 1 },
      { orderNo: 'D2', type: 'deposit_expired', status: 'SUCCESS', attempts: 1 },
    ],
    outbox: 0,
  },
  fee: new Decimal(1),
};

const { ledger } = good;
const [paid, idle] = [good.asked[0] as Books['asked'][0], good.asked[1] as Books['asked'][0]];
const [paidRow, idleRow] = [...ledger.orders] as [Books['ledger']['orders'][0], never];
const payment = good.payments[0] as Books['payments'][0];
const credit = ledger.credits[0] as Books['ledger']['credits'][0];
const sent = ledger.notifications[0] as Books['ledger']['notifications'][0];
const came = good.arrivals[0] as Arrival;

/** The same records with changes. */
const but = (changed: Partial<Books>, inLedger: Partial<Books['ledger']> = {}): Books => ({
  ...good,
  ...changed,
  ledger: { ...ledger, ...inLedger },
});

const noPromise = { ...paid, promised: undefined } as unknown as Books['asked'][0];
const five = Array.from({ length: 5 }, () => ({ ...came, fault: 'error' as const }));
const failed = { ...sent, status: 'FAILED' };

describe('the verdict of a campaign', () => {
  it('finds nothing where all records agree', () => {
    expect(judge(good)).toEqual({ double: [], lost: [], stuck: [] });
  });

  it.each<[string, Books]>([
    [
      'one amount for two payers',
      but({
        asked: good.asked.map((a) => ({
          ...a,
          promised: { ...(a.promised as NonNullable<typeof a.promised>), remark: null },
        })),
      }),
    ],
    ['a number that was created twice', but({ asked: [{ ...paid, created: 2 }, idle] })],
    [
      'two orders of one number',
      but({}, { orders: [...ledger.orders, { ...paidRow, orderNo: 'D3', status: 'CANCELLED' }] }),
    ],
    [
      'an unrequested order',
      but(
        {},
        {
          orders: [...ledger.orders, { ...paidRow, number: 'n9', orderNo: 'D3', status: 'CANCELLED' }],
        },
      ),
    ],
    ['a deposit credited twice', but({}, { credits: [credit, credit] })],
    ['a deposit credited too much', but({}, { credits: [{ ...credit, amount: '100.0000' }] })],
    ['a credit that nobody paid', but({}, { credits: [credit, { ...credit, orderNo: 'D2' }] })],
    [
      'a transfer recorded twice',
      but({}, { sums: ledger.sums.map((s) => (s.account === 'bank:a1' ? { ...s, sum: '-200' } : s)) }),
    ],
    ["money in suspense that is nobody's", but({}, { sums: [...ledger.sums, { account: 'suspense', sum: '5' }] })],
    ['two callbacks with different bytes', but({ arrivals: [...good.arrivals, { ...came, bytes: 'x' }] })],
    ['a sixth attempt', but({ arrivals: [...good.arrivals, ...five] })],
    ['a callback of what is not so', but({ arrivals: [...good.arrivals, arrival('D2', 'deposit.completed')] })],
  ])('double: %s', (_what, books) => {
    expect(judge(books)).toMatchObject({ double: [expect.any(String)], lost: [], stuck: [] });
  });

  it.each<[string, Books]>([
    ['an answer that cannot be', but({ asked: [{ ...paid, contradiction: '404 after 409' }, idle] })],
    [
      'a promised order that does not exist',
      but(
        { payments: [], arrivals: good.arrivals.slice(1) },
        {
          orders: [idleRow],
          credits: [],
          sums: [],
          notifications: ledger.notifications.slice(1),
        },
      ),
    ],
    ['another amount than was requested', but({ asked: [{ ...paid, amount: new Decimal(99) }, idle] })],
    ['another amount than was promised', but({}, { orders: [{ ...paidRow, amount: '100.0100' }, idleRow] })],
    ['a report that was refused', but({ payments: [{ ...payment, contradiction: '422' }] })],
    ['less credited than is due', but({}, { credits: [{ ...credit, amount: '98.0000' }] })],
    ['a sum that is missing', but({}, { sums: ledger.sums.filter((s) => s.account !== 'fee_income') })],
    [
      'a final order without a callback',
      but({ arrivals: good.arrivals.slice(1) }, { notifications: ledger.notifications.slice(1) }),
    ],
    [
      'an acknowledgement that nobody gave',
      but({ arrivals: [{ ...came, fault: 'error' }, ...good.arrivals.slice(1)] }),
    ],
    [
      'a callback given up too early',
      but(
        { arrivals: [...five.slice(1), ...good.arrivals.slice(1)] },
        { notifications: [failed, ...ledger.notifications.slice(1)] },
      ),
    ],
    ['a callback that is not ours', but({ arrivals: [{ ...came, genuine: false }, ...good.arrivals.slice(1)] })],
  ])('lost: %s', (_what, books) => {
    const { double, lost, stuck } = judge(books);
    expect(lost.length).toBeGreaterThan(0);
    expect([...double, ...stuck].filter((text) => !/holds/.test(text))).toEqual([]);
  });

  it('lost: a payment whose order expired', () => {
    const orders = [{ ...paidRow, status: 'EXPIRED' }, idleRow];
    expect(judge(but({ arrivals: good.arrivals.slice(1) }, { orders, credits: [] })).lost[0]).toBe(
      'D1: 99 is due, credited nothing',
    );
  });

  it.each<[string, Books]>([
    ['a merchant who got no answer', but({ asked: [{ ...noPromise, created: 0 }, idle] })],
    ['a bank that got no answer', but({ payments: [{ ...payment, acknowledged: false }] })],
    [
      'an order that is still open',
      but(
        { arrivals: good.arrivals.slice(1) },
        {
          orders: [{ ...paidRow, status: 'MATCHED' }, idleRow],
          credits: [],
          notifications: ledger.notifications.slice(1),
        },
      ),
    ],
    [
      'a callback that is still open',
      but({}, { notifications: [{ ...sent, status: 'SENDING' }, ...ledger.notifications.slice(1)] }),
    ],
    ['outbox rows that nobody takes', but({}, { outbox: 2 })],
  ])('stuck: %s', (_what, books) => {
    expect(judge(books)).toMatchObject({ double: [], lost: [], stuck: [expect.any(String)] });
  });

  it('accepts a failure after five real attempts, and five more after a resend', () => {
    const notifications = [failed, ...ledger.notifications.slice(1)];
    const rest = good.arrivals.slice(1);
    expect(judge(but({ arrivals: [...five, ...rest] }, { notifications }))).toEqual(judge(good));
    const again = five.map((a) => ({ ...a, at: 3_000 }));
    const rearmed = new Map([['D1 deposit.completed', [2_000]]]);
    const books = but({ arrivals: [...five, ...again, ...rest], rearmed }, { notifications });
    expect(judge(books)).toEqual(judge(good));
    expect(mostOfAnArming([...five, ...again], [2_000])).toBe(5);
    expect(mostOfAnArming([...five, ...again], [])).toBe(10);
  });

  it('accepts a refusal as final, and an answer cut off after its head as an answer', () => {
    const notifications = [failed, ...ledger.notifications.slice(1)];
    const refused = [{ ...came, fault: 'refuse' as const }, ...good.arrivals.slice(1)];
    expect(judge(but({ arrivals: refused }, { notifications }))).toEqual(judge(good));
    const stump = [{ ...came, fault: 'stump' as const }, ...good.arrivals.slice(1)];
    expect(judge(but({ arrivals: stump }))).toEqual(judge(good));
  });
});
