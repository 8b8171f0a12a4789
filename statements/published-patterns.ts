import type { TextPattern } from './pattern';

/** A pattern for messages as they are published (docs/agent-texts.md names the sources). */
export interface PublishedPattern extends TextPattern {
  readonly name: string;
  readonly bankCode: string;
}

const AMOUNT = '[\\d,]+(?:\\.\\d+)?';
const POINT = { decimalSign: '.', yearsAhead: 0 } as const;
const CREDIT = { direction: 'CREDIT' } as const;

/**
 * Begin with these, and change them if your bank writes otherwise. Each describes the whole message, and what the payer
 * writes is the group memo alone, bounded by what the bank writes.
 */
export const PUBLISHED_PATTERNS: readonly PublishedPattern[] = [
  {
    name: 'bKash received',
    bankCode: 'BKASH',
    sender: 'bKash',
    ...CREDIT,
    ...POINT,
    pattern: `You have received (?:payment )?Tk ?(?P<amount>${AMOUNT}) from (?P<account>\\d+)\\.(?: Ref:? ?(?P<memo>.*)\\.)? Fee Tk ?${AMOUNT}\\. Balance Tk ?(?P<balance>${AMOUNT})\\. TrxID (?P<reference>\\w+) at (?P<time>\\d{2}/\\d{2}/\\d{4} \\d{2}:\\d{2})\\.?`,
    timeFormat: 'DD/MM/YYYY HH:mm',
  },
  {
    name: 'Nagad received',
    bankCode: 'NAGAD',
    sender: 'NAGAD',
    ...CREDIT,
    ...POINT,
    pattern: `Money Received\\.\\s+Amount: Tk ?(?P<amount>${AMOUNT})\\s+Sender: (?P<account>\\d+)\\s+(?:Ref:(?P<memo>.*)\\s+)?TxnID: (?P<reference>\\w+)\\s+Balance: Tk ?(?P<balance>${AMOUNT})\\s+(?P<time>\\d{2}/\\d{2}/\\d{4} \\d{2}:\\d{2})`,
    timeFormat: 'DD/MM/YYYY HH:mm',
  },
  {
    name: 'KBank received',
    bankCode: 'KBANK',
    sender: 'KBank',
    ...CREDIT,
    decimalSign: '.',
    yearsAhead: 543,
    pattern: `(?P<time>\\d{2}/\\d{2}/\\d{2} \\d{2}:\\d{2}) บช X-\\d+ (?:รับโอนจาก (?P<account>X-\\d+)|เงินเข้า) (?P<amount>${AMOUNT}) คงเหลือ (?P<balance>${AMOUNT}) บ\\.?`,
    timeFormat: 'DD/MM/YY HH:mm',
  },
  {
    name: 'SCB received',
    bankCode: 'SCB',
    sender: 'SCB',
    ...CREDIT,
    ...POINT,
    pattern: `เงิน (?P<amount>${AMOUNT})บ เข้าบ/ชx\\d+ (?P<time>\\d{2}/\\d{2}@\\d{2}:\\d{2}) ใช้ได้ ?(?P<balance>${AMOUNT})บ\\.?`,
    timeFormat: 'DD/MM@HH:mm',
  },
  {
    name: 'SCB received from a bank',
    bankCode: 'SCB',
    sender: 'SCB',
    ...CREDIT,
    ...POINT,
    pattern: `(?P<time>\\d{2}/\\d{2}@\\d{2}:\\d{2}) (?P<amount>${AMOUNT}) จาก(?P<account>\\w+/x\\d+)เข้าx\\d+ ใช้ได้ ?(?P<balance>${AMOUNT})บ\\.?`,
    timeFormat: 'DD/MM@HH:mm',
  },
  {
    name: 'Vietcombank received',
    bankCode: 'VCB',
    sender: 'VIETCOMBANK',
    ...CREDIT,
    ...POINT,
    pattern: `SD TK (?:VCB )?[\\dxX*]+ \\+(?P<amount>${AMOUNT}) ?VND l[uú]c (?P<time>\\d{2}-\\d{2}-\\d{4} \\d{2}:\\d{2}:\\d{2})\\. SD (?P<balance>${AMOUNT}) ?VND\\.(?: Ref(?P<memo>.*))?`,
    timeFormat: 'DD-MM-YYYY HH:mm:ss',
  },
  {
    name: 'Techcombank received',
    bankCode: 'TCB',
    sender: 'TECHCOMBANK',
    ...CREDIT,
    ...POINT,
    pattern: `TK [\\w*]+\\s+So tien GD: ?\\+(?P<amount>${AMOUNT})\\s+So du: ?(?P<balance>${AMOUNT})(?:\\s+(?P<memo>.*))?`,
    timeFormat: null,
  },
];

/**
 * What was published before, and may be in force: it fits from the middle of a message, and reads what the payer wrote
 * as the bank's. It is read as what took its place.
 */
export const RENEWED: ReadonlyMap<string, string> = new Map(
  PUBLISHED_PATTERNS.filter(({ name }) => name === 'bKash received').map(({ pattern }) => [
    `received (?:payment )?Tk ?(?P<amount>${AMOUNT}) from (?P<account>\\d+)\\..*?Balance Tk ?(?P<balance>${AMOUNT})\\. TrxID (?P<reference>\\w+) at (?P<time>\\d{2}/\\d{2}/\\d{4} \\d{2}:\\d{2})`,
    pattern,
  ]),
);
