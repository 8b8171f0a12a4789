import { formatMoney } from '../../domain/money';
import { PUBLISHED_PATTERNS } from '../../statements/published-patterns';
import { checkPattern, readText, type TextPattern } from '../../statements/text-pattern';

const SENT = new Date('2026-05-18T12:00:00Z');
const patternOf = (name: string): TextPattern => {
  const found = PUBLISHED_PATTERNS.find((one) => one.name === name);
  if (!found) throw new Error(`there is no pattern ${name}`);
  return found;
};

/** As they were published, numbers of people changed: docs/agent-texts.md. */
const SAMPLES = [
  [
    ...['bKash received', 'bKash', 'Asia/Dhaka'],
    'You have received Tk 500.00 from 01500000000. Fee Tk 0.00. Balance Tk 1,117.78. TrxID CJU0PZQ3U6 at 30/10/2025 21:02',
    '500.0000|1117.7800|CJU0PZQ3U6|01500000000||2025-10-30T15:02:00.000Z',
  ],
  [
    ...['Nagad received', 'NAGAD', 'Asia/Dhaka'],
    'Money Received.\nAmount: Tk 1500.00\nSender: 01700000000\nRef: N/A\nTxnID: 71A2B3C4\nBalance: Tk 4,500.00\n17/07/2026 21:00',
    '1500.0000|4500.0000|71A2B3C4|01700000000|N/A|2026-07-17T15:00:00.000Z',
  ],
  [
    ...['KBank received', 'KBank', 'Asia/Bangkok'],
    '21/02/68 15:36 บช X-0999 รับโอนจาก X-6163 13,065.00 คงเหลือ 37,856.06 บ.',
    '13065.0000|37856.0600||X-6163||2025-02-21T08:36:00.000Z',
  ],
  [
    ...['KBank received', 'KBank', 'Asia/Bangkok'],
    '06/05/69 19:08 บช X-4882 เงินเข้า 10,000.00 คงเหลือ 17,922.78 บ.',
    '10000.0000|17922.7800||||2026-05-06T12:08:00.000Z',
  ],
  [
    ...['SCB received', 'SCB', 'Asia/Bangkok'],
    'เงิน 399.69บ เข้าบ/ชx963071 18/05@14:45 ใช้ได้ 6,302.39บ',
    '399.6900|6302.3900||||2026-05-18T07:45:00.000Z',
  ],
  [
    ...['SCB received from a bank', 'SCB', 'Asia/Bangkok'],
    '18/05@14:44 29.92 จากKTB/x129439เข้าx997010 ใช้ได้10,121.23บ',
    '29.9200|10121.2300||KTB/x129439||2026-05-18T07:44:00.000Z',
  ],
  [
    ...['Vietcombank received', 'VIETCOMBANK', 'Asia/Ho_Chi_Minh'],
    'SD TK VCB 0123456789 +99,000 VND luc 18-05-2026 10:20:30. SD 1,234,567 VND. Ref MBVCB.123.NGUYEN VAN A chuyen tien',
    '99000.0000|1234567.0000|||MBVCB.123.NGUYEN VAN A chuyen tien|2026-05-18T03:20:30.000Z',
  ],
  [
    ...['Techcombank received', 'TECHCOMBANK', 'Asia/Ho_Chi_Minh'],
    'TK 19034589147017\nSo tien GD:+10,000,000\nSo du:734,571,040\nVND_TGTT_NGUYEN VAN A',
    '10000000.0000|734571040.0000|||VND_TGTT_NGUYEN VAN A|2026-05-18T12:00:00.000Z',
  ],
] as const;

describe('patterns of messages', () => {
  it.each(SAMPLES)('%s', (name, sender, zone, text, expected) => {
    const read = readText(patternOf(name), { sender, text, sentAt: SENT }, zone, 2);
    const said = read && [
      ...[formatMoney(read.amount), read.balance && formatMoney(read.balance), read.reference],
      ...[read.partyAccount, read.memo, read.at.toISOString()],
    ];
    expect(said?.join('|')).toBe(expected);
  });

  it('that are published are all valid, and fit no message of another bank or of money that left', () => {
    for (const pattern of PUBLISHED_PATTERNS) checkPattern(pattern);
    for (const [name, sender, zone, text] of SAMPLES) {
      const message = { sender, text, sentAt: SENT };
      const fitting = PUBLISHED_PATTERNS.filter((one) => readText(one, message, zone, 2) !== null);
      expect(fitting.map((one) => one.name)).toEqual([name]);
    }
    const left = 'SD TK VCB 0123456789 -99,000 VND luc 18-05-2026 10:20:30. SD 1 VND. Ref x';
    const message = { sender: 'VIETCOMBANK', text: left, sentAt: SENT };
    expect(readText(patternOf('Vietcombank received'), message, 'UTC', 2)).toBeNull();
  });

  const CUSTOM: TextPattern = {
    ...{ sender: null, direction: 'CREDIT', pattern: '(?P<amount>[\\d.]+)' },
    ...{ timeFormat: null, decimalSign: '.', yearsAhead: 0 },
  };

  it.each([
    ['no amount', 'hello', /group `amount`/],
    ['an unknown group', '(?P<amount>1)(?P<colour>x)', /group colour/],
    ['a look-behind', '(?<=x)(?P<amount>1)', /RE2/],
    ['a back reference', '(?P<amount>1)\\1', /RE2/],
    ['too long a text', `(?P<amount>1)${'x'.repeat(1_000)}`, /at most/],
    ['a time without its form', '(?P<amount>1)(?P<time>2)', /timeFormat/],
  ])('are refused with %s', (_what, pattern, problem) => {
    expect(() => {
      checkPattern({ ...CUSTOM, pattern });
    }).toThrow(problem);
  });

  it('need time linear in the text, for any pattern', () => {
    const evil = { ...CUSTOM, pattern: '(a+)+(a|aa)*b(?P<amount>\\d+)' };
    checkPattern(evil);
    const began = performance.now();
    const message = { sender: 'x', text: 'a'.repeat(2_000), sentAt: SENT };
    expect(readText(evil, message, 'UTC', 2)).toBeNull();
    expect(performance.now() - began).toBeLessThan(1_000);
  });
});
