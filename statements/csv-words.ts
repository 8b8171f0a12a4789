import type { StatementLine } from '../domain/statement';

/** A heading, or a word of a status, as it is compared: without case and space. */
export const plainHeading = (heading: string): string =>
  heading.normalize('NFKC').replace(/\s+/g, '').toLowerCase();

const wordsIn = (text: string): string[] =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .split(/[^\p{L}\p{M}]+/u)
    .filter((word) => word !== '');

/** Words of headings, in the languages of banks of our markets; phrases without space between. */
const STATUS_WORDS: ReadonlySet<string> = new Set([
  'status',
  'statut',
  'estado',
  'স্ট্যাটাস',
  'অবস্থা',
  'स्थिति',
]);
const STATUS_PHRASES = [
  'สถานะ',
  'trạngthái',
  'tìnhtrạng',
  '状态',
  '狀態',
  'transactionstate',
  'paymentstate',
];
const CURRENCY_WORDS: ReadonlySet<string> = new Set([
  ...['currency', 'ccy', 'währung', 'waehrung', 'devise', 'moneda', 'waluta', 'মুদ্রা', 'मुद्रा'],
]);
const CURRENCY_PHRASES = ['สกุลเงิน', 'loạitiền', 'tiềntệ', 'matauang', '币种', '幣別', '货币'];

/** What a heading says that its column holds, where that decides whether a row is money of the account. */
export function decisiveRoleOf(heading: string): 'status' | 'currency' | null {
  const plain = plainHeading(heading);
  const words = wordsIn(heading);
  const is = (set: ReadonlySet<string>, phrases: readonly string[]): boolean =>
    words.some((word) => set.has(word)) ||
    phrases.some((phrase) => plain.includes(phrase.normalize('NFKC')));
  if (plain === 'state' || is(STATUS_WORDS, STATUS_PHRASES)) return 'status';
  if (plain === 'curr' || plain === 'curr.' || is(CURRENCY_WORDS, CURRENCY_PHRASES))
    return 'currency';
  return null;
}

/** Words of a status that mean a booked movement, unless the mapping has its own. */
export const BOOKED_WORDS: readonly string[] = [
  ...['booked', 'posted', 'complete', 'completed', 'success', 'successful', 'succeeded', 'settled'],
  ...[
    'paid',
    'executed',
    'cleared',
    'credited',
    'received',
    'confirmed',
    'processed',
    'done',
    'ok',
  ],
  ...[
    'gebucht',
    'ausgeführt',
    'erledigt',
    'สำเร็จ',
    'ทำรายการสำเร็จ',
    'thànhcông',
    'hoàntất',
    'đãhoànthành',
  ],
  ...[
    'সফল',
    'সম্পন্ন',
    'सफल',
    'berhasil',
    'sukses',
    'selesai',
    '成功',
    '交易成功',
    '已完成',
    'wykonana',
    'zaksięgowana',
  ],
];

/** Words that no column of a booked movement has alone. */
const NOT_BOOKED: ReadonlySet<string> = new Set([
  ...[
    'failed',
    'failure',
    'fail',
    'pending',
    'reversed',
    'declined',
    'cancelled',
    'canceled',
    'rejected',
  ],
  ...[
    'refused',
    'expired',
    'unsuccessful',
    'onhold',
    'voided',
    'processing',
    'initiated',
    'inprogress',
  ],
  ...[
    'notprocessed',
    'bounced',
    'timedout',
    'ไม่สำเร็จ',
    'รอดำเนินการ',
    'thấtbại',
    'đangxửlý',
    '失败',
    '处理中',
  ],
]);
/** Whether a text that no role of the mapping reads says that its row is not booked. */
export const saysNotBooked = (text: string): boolean => NOT_BOOKED.has(plainHeading(text));

const TOTAL = [
  ...[
    '(?:grand|sub)?[ -]?totals?',
    'sum',
    'summe',
    '(?:opening|closing|ending|final)? ?balance',
    'saldo',
  ],
  ...[
    'anfangssaldo',
    'endsaldo',
    'schlusssaldo',
    '(?:balance )?(?:brought|carried) forward',
    '[bc]/?f',
  ],
  ...['of', 'credits?', 'debits?', 'รวม', 'ยอดรวม', 'รวมทั้งสิ้น', 'ยอดยกมา', 'ยอดยกไป', 'ยอดคงเหลือ'],
  ...[
    'tổng(?: cộng)?',
    'cộng',
    'số dư(?: đầu kỳ| cuối kỳ)?',
    'মোট',
    'कुल',
    '合计',
    '总计',
    '期初余额',
    '期末余额',
  ],
].join('|');
const ONLY_TOTAL = new RegExp(
  `^[^\\p{L}]*(?:(?:${TOTAL})(?![\\p{L}\\p{M}])[^\\p{L}\\p{M}]*)+$`,
  'iu',
);

/** Whether nothing but its text distinguishes a row from a total: it names nobody, and has no balance. */
export const isCalledTotal = (line: StatementLine): boolean =>
  line.reference === null &&
  line.partyName === null &&
  line.partyAccount === null &&
  line.balanceAfter === null &&
  ONLY_TOTAL.test(line.memo.normalize('NFC'));
