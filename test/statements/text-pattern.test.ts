import { formatMoney } from '../../domain/money';
import { dateReader } from '../../statements/dates';
import { checkMemoPattern } from '../../statements/memo-pattern';
import { PUBLISHED_PATTERNS } from '../../statements/published-patterns';
import { checkPattern, readText, type TextPattern, TwoWays } from '../../statements/text-pattern';

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
    ...['bKash received', 'bKash', 'Asia/Dhaka'],
    'You have received Tk 500.00 from 01500000000. Ref 7K2M-9QXT. Fee Tk 0.00. Balance Tk 1,117.78. TrxID CJU0PZQ3U7 at 30/10/2025 21:02',
    '500.0000|1117.7800|CJU0PZQ3U7|01500000000|7K2M-9QXT|2025-10-30T15:02:00.000Z',
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
    sender: null,
    direction: 'CREDIT',
    pattern: '(?P<amount>[\\d.]+)',
    timeFormat: null,
    decimalSign: '.',
    yearsAhead: 0,
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

  const FREE = { ...CUSTOM, sender: null };
  const MONEY = '(?P<amount>[\\d,]+\\.\\d\\d)';

  /** What a pattern reads, or the error. */
  const saidBy = (pattern: TextPattern, text: string, sender = 'x'): string | null => {
    try {
      const read = readText(pattern, { sender, text, sentAt: SENT }, 'UTC', 2);
      return read && [formatMoney(read.amount), read.reference, read.memo].join('|');
    } catch (error) {
      return error instanceof TwoWays ? 'two ways' : (error as Error).message;
    }
  };

  describe('take nothing of the bank from what the payer writes:', () => {
    /** A message of each bank with the payer's text, if he writes one, in its place. */
    const withText: Record<string, (text: string) => string> = {
      'bKash received': (text) =>
        `You have received Tk 10.00 from 01500000000. Ref ${text}. Fee Tk 0.00. Balance Tk 110.00. TrxID TRUE1 at 18/05/2026 12:00`,
      'Nagad received': (text) =>
        `Money Received.\nAmount: Tk 10.00\nSender: 01700000000\nRef: ${text}\nTxnID: TRUE1\nBalance: Tk 110.00\n18/05/2026 12:00`,
      'Vietcombank received': (text) =>
        `SD TK VCB 0123xxx789 +10.00 VND luc 18-05-2026 12:00:00. SD 110.00 VND. Ref ${text}`,
      'Techcombank received': (text) => `TK 1903XXXX\nSo tien GD:+10.00\nSo du:110.00\n${text}`,
    };
    const forged = [
      ...SAMPLES.map(([, , , text]) => text),
      ...Object.values(withText).map((of) => of('7K2M9QXT').replaceAll('10.00', '5,000.00')),
      'A. Balance Tk 1. TrxID FAKE9 at 18/05/2026 12:00. Fee Tk 0.00. B',
      'A. Fee Tk 0.00. Balance Tk 1. TrxID FAKE9 at 18/05/2026 12:00',
      'a\nTxnID: FAKE1\nBalance: Tk 1\n31/12/2019 00:00',
      'x\nSo tien GD:+7,000.00\nSo du:1.00\ny',
    ];

    it.each(Object.keys(withText))('%s', (name) => {
      const pattern = patternOf(name);
      for (const text of forged) {
        const message = { text: withText[name]?.(text) ?? '', sender: pattern.sender ?? '' };
        const read = readText(pattern, { ...message, sentAt: SENT }, 'UTC', 2);
        expect([read?.amount.toFixed(2), read?.balance?.toFixed(2)]).toEqual(['10.00', '110.00']);
        expect([null, 'TRUE1']).toContain(read?.reference);
        // No other pattern reads the message inside this one.
        for (const other of PUBLISHED_PATTERNS)
          if (other.name !== name)
            expect(saidBy({ ...other, sender: null }, message.text) ?? '').toMatch(/^$|first character/);
      }
    });

    it('a message about money that left, or in a form that does not fit', () => {
      const left = 'TK 1903XXXX\nSo tien GD:-10,000\nSo du:90,000\nTK 1 So tien GD:+7,000 So du:1 a';
      expect(saidBy(patternOf('Techcombank received'), left, 'TECHCOMBANK')).toMatch(/first/);
      const [other] = forged;
      const text = `Your account was debited 10.00. Ref ${other ?? ''}`;
      expect(saidBy(patternOf('bKash received'), text, 'bKash')).toMatch(/first character/);
    });
  });

  it.each<[string, string, string, string | RegExp]>([
    ['two places', `Got ${MONEY} THB`, 'Got 10.00 THB, Got 5,000.00 THB', 'two ways'],
    ['two ways', `Got.* ${MONEY} THB.*`, 'Got 10.00 THB 7.00 THB', 'two ways'],
    ['two ways by its end', `Got ${MONEY} by (.*) no (?P<reference>\\w+)(.*)`, 'Got 10.00 by A no B no C', 'two ways'],
    ['one way', `Got ${MONEY} THB`, 'Got 10.00 THB. Bye', '10.0000||'],
    ['no end', 'Got (?P<amount>[\\d,.]+)', 'Got 10.00', '10.0000||'],
    ['the middle', `Got ${MONEY} THB`, 'You Got 10.00 THB', /first character/],
    [
      'a wildcard for the payer',
      `Got ${MONEY} of (?P<payer>.+?) \\d+ for (?P<memo>.*)`,
      'Got 10.00 of ANN B 070 for tea, of 3 for',
      '10.0000||tea, of 3 for',
    ],
  ])('fit a message in %s', (_what, pattern, text, expected) => {
    const said = saidBy({ ...FREE, pattern }, text);
    if (expected instanceof RegExp) expect(said).toMatch(expected);
    else expect(said).toBe(expected);
  });

  it('read marks and spaces without a width as plain ones, and senders with what operators add', () => {
    const bkash = patternOf('bKash received');
    const [[, , , text]] = SAMPLES;
    const places = [
      ...['\u00a0', '\u202f', '\u200e', '\u2009'].map((space) => text.replaceAll(' ', space)),
      text.replaceAll('Tk ', 'Tk \u200e').replace('Fee', '\ufeffFee\u200b'),
    ];
    for (const one of places) expect(saidBy(bkash, one, 'bKash')).toMatch(/^500.0000\|CJU0PZQ3U6/);
    for (const sender of ['VM-bKash', 'bkash-S', 'AD-BKASH-T', ' bKash\u200e'])
      expect(saidBy(bkash, text, sender)).toMatch(/^500/);
    for (const sender of ['VMX-bKash', 'bKashS', 'bKash-SS', 'x bKash', 'bKash-1', '-bKash'])
      expect(saidBy(bkash, text, sender)).toBeNull();
  });

  it.each([
    ['at 11:30 PM', 'at hh:mm A', '23:30'],
    ['at 12:05 a.m.', 'at HH:mm A', '00:05'],
    ['at 12:05 pm', 'at hh:mm a', '12:05'],
    ['at PM 1:05', 'at A hh:mm', '13:05'],
    ['a las 11:30', 'a las HH:mm', '11:30'],
    ['at 23:30 PM', 'at hh:mm AM', '23:30'],
  ])('read a time such as %s', (time, format, expected) => {
    const pattern = `Got ${MONEY} on (?P<time>.+)`;
    const custom = { ...FREE, pattern, timeFormat: `DD/MM/YY ${format}` };
    checkPattern(custom);
    const text = `Got 1.00 on 28/11/26 ${time}`;
    const read = readText(custom, { sender: 'x', text, sentAt: SENT }, 'UTC', 2);
    expect(read?.at.toISOString()).toBe(`2026-11-28T${expected}:00.000Z`);
    const wrong = { sender: 'x', text: text.replace(/\d+:/, '25:'), sentAt: SENT };
    expect(() => readText(custom, wrong, 'UTC', 2)).toThrow(/format/);
  });

  it.each([
    ['28 พ.ย. 2026', '2026-11-28'],
    ['3 Okt. 2026', '2026-10-03'],
    ['3 March 2026', '2026-03-03'],
  ])('read a month such as in %s', (time, day) => {
    expect(dateReader('DD MMM YYYY')(time).day).toBe(day);
  });

  it('that are stored as they were published before are read as they are published now', () => {
    const before =
      'received (?:payment )?Tk ?(?P<amount>[\\d,]+(?:\\.\\d+)?) from (?P<account>\\d+)\\..*?Balance Tk ?(?P<balance>[\\d,]+(?:\\.\\d+)?)\\. TrxID (?P<reference>\\w+) at (?P<time>\\d{2}/\\d{2}/\\d{4} \\d{2}:\\d{2})';
    const stored = { ...patternOf('bKash received'), pattern: before };
    expect(saidBy(stored, SAMPLES[1][3], 'bKash')).toBe('500.0000|CJU0PZQ3U7|7K2M-9QXT');
  });

  it('need time in proportion to their program and the text, of which both are bounded', () => {
    const evil = { ...CUSTOM, pattern: '(a+)+(a|aa)*b(?P<amount>\\d+)' };
    checkPattern(evil);
    const message = { sender: 'x', text: 'a'.repeat(2_000), sentAt: SENT };
    const began = performance.now();
    expect(readText(evil, message, 'UTC', 2)).toBeNull();
    expect(performance.now() - began).toBeLessThan(1_000);
    const huge = { ...CUSTOM, pattern: `(?P<amount>${'.{0,999}'.repeat(120)})` };
    expect(() => {
      checkPattern(huge);
    }).toThrow(/program/);
    // Between these a bracket is a letter, which an estimate may take for a class.
    expect(() => {
      checkPattern({ ...CUSTOM, pattern: `\\Q[\\E(?P<amount>${'.{0,999}'.repeat(100)})` });
    }).toThrow(/without \\Q/);
    // One in force from before the bound, or one that is too large for this text, reads nothing.
    expect(saidBy(huge, 'a')).toMatch(/program/);
    expect(saidBy({ ...CUSTOM, pattern: `(?P<amount>${'.{0,90}'.repeat(5)})` }, message.text)).toMatch(
      /too large for a text/,
    );
    expect(() => {
      checkMemoPattern('.{0,99}'.repeat(60));
    }).toThrow(/program/);
  });
});
