/** A heading, or a word of a status, as it is compared: without case and space. */
export const plainHeading = (heading: string): string => heading.normalize('NFKC').replace(/\s+/g, '').toLowerCase();

/** The words of a text in lower case. */
export const wordsIn = (text: string): string[] =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .split(/[^\p{L}\p{M}]+/u)
    .filter((word) => word !== '');

/** Words of headings, in the languages of banks of our markets; phrases without space between. */
const STATUS_WORDS: ReadonlySet<string> = new Set(['status', 'statut', 'estado', 'স্ট্যাটাস', 'অবস্থা', 'स्थिति']);
const STATUS_PHRASES = ['สถานะ', 'trạngthái', 'tìnhtrạng', '状态', '狀態', 'transactionstate', 'paymentstate'];
const CURRENCY_WORDS: ReadonlySet<string> = new Set([
  ...['currency', 'ccy', 'währung', 'waehrung', 'devise', 'moneda', 'waluta', 'মুদ্রা', 'मुद्रा'],
]);
const CURRENCY_PHRASES = ['สกุลเงิน', 'loạitiền', 'tiềntệ', 'matauang', '币种', '幣別', '货币'];

/** Words that are a status beside one of a movement: `Txn State`, `Payment result`. */
const OUTCOMES: ReadonlySet<string> = new Set(['state', 'result', 'results', 'outcome']);
const MOVEMENTS = ['txn', 'trx', 'trans', 'payment', 'transfer'];

/** What a heading says that its column holds, where that decides whether a row is money of the account. */
export function decisiveRoleOf(heading: string): 'status' | 'currency' | null {
  const plain = plainHeading(heading);
  const words = wordsIn(heading);
  const is = (set: ReadonlySet<string>, phrases: readonly string[]): boolean =>
    words.some((word) => set.has(word)) || phrases.some((phrase) => plain.includes(phrase.normalize('NFKC')));
  const isOutcome = words.some((word) => OUTCOMES.has(word)) || /(?:state|result)$/.test(plain);
  const isOfPayment = MOVEMENTS.some((one) => plain.includes(one));
  if (plain === 'state' || (isOutcome && isOfPayment) || is(STATUS_WORDS, STATUS_PHRASES)) return 'status';
  if (plain === 'curr' || plain === 'curr.' || is(CURRENCY_WORDS, CURRENCY_PHRASES)) return 'currency';
  return null;
}

/** Words of a status that mean a booked movement, unless the mapping has its own. */
export const BOOKED_WORDS: readonly string[] = [
  ...['booked', 'posted', 'complete', 'completed', 'success', 'successful', 'succeeded', 'settled'],
  ...['paid', 'executed', 'cleared', 'credited', 'received', 'confirmed', 'processed', 'done', 'ok'],
  ...['gebucht', 'ausgeführt', 'erledigt', 'สำเร็จ', 'ทำรายการสำเร็จ', 'thànhcông', 'hoàntất', 'đãhoànthành'],
  ...['সফল', 'সম্পন্ন', 'सफल', 'berhasil', 'sukses', 'selesai', '成功', '交易成功', '已完成', 'wykonana', 'zaksięgowana'],
];

/** Words with which no column of a booked movement begins, unless it is a text or a name. */
const NOT_BOOKED: ReadonlySet<string> = new Set([
  ...['failed', 'failure', 'fail', 'pending', 'reversed', 'declined', 'cancelled', 'canceled'],
  ...['rejected', 'refused', 'expired', 'unsuccessful', 'voided', 'processing', 'initiated'],
  ...['bounced', 'aborted', 'incomplete', 'timeout'],
  ...['fehlgeschlagen', 'vorgemerkt', 'abgelehnt', 'storniert', 'ausstehend', 'abgebrochen'],
  ...['zurückgewiesen', 'erfolglos', 'gagal', 'tertunda', 'dibatalkan', 'ditolak', 'diproses'],
  ...['menunggu', 'kedaluwarsa', 'batal'],
]);
/** The same where words have no space between, or several are one. */
const NOT_BOOKED_PHRASES = [
  ...['onhold', 'inprogress', 'timedout', 'inbearbeitung', 'ไม่สำเร็จ', 'รอดำเนินการ', 'ล้มเหลว', 'ยกเลิก'],
  ...['thấtbại', 'đangxửlý', '失败', '失敗', '处理中'],
].map((phrase) => plainHeading(phrase));
const NOT: ReadonlySet<string> = new Set(['not', 'nicht', 'tidak', 'belum']);
const BOOKED: ReadonlySet<string> = new Set(BOOKED_WORDS.map(plainHeading));
/** What a bank books because of something that failed or was processed. */
const BOOKED_FOR: ReadonlySet<string> = new Set([
  ...['fee', 'fees', 'charge', 'charges', 'refund', 'interest', 'gebühr', 'entgelt', 'biaya'],
]);
/** Longer texts are no status. */
const MOST_WORDS = 4;

/** Words of headings whose columns payers fill: what they say there decides nothing. */
const TEXT_WORDS: ReadonlySet<string> = new Set([
  ...['memo', 'note', 'notes', 'remark', 'remarks', 'description', 'narration', 'narrative'],
  ...['detail', 'details', 'text', 'message', 'comment', 'comments', 'purpose', 'particulars'],
  ...['reference', 'ref', 'verwendungszweck', 'buchungstext', 'keterangan', 'berita', 'catatan'],
  ...['name', 'payer', 'payee', 'sender', 'receiver', 'beneficiary', 'party', 'counterparty'],
  ...['customer', 'auftraggeber', 'empfänger', 'zahler', 'pengirim', 'penerima', 'nama'],
  ...['หมายเหตุ', 'รายละเอียด', 'ชื่อ', '备注', '摘要', 'nộidung', 'diễngiải', 'विवरण', 'বিবরণ'],
]);
/** Whether a heading says that payers fill its column. */
export const isOfPayers = (heading: string): boolean =>
  TEXT_WORDS.has(plainHeading(heading)) || wordsIn(heading).some((word) => TEXT_WORDS.has(word));

/** Whether a text of the bank that no role of the mapping reads says that its row is not booked. */
export function saysNotBooked(text: string): boolean {
  if (text.trim() === '') return false;
  const plain = plainHeading(text);
  if (NOT_BOOKED_PHRASES.some((phrase) => plain.startsWith(phrase)) || NOT_BOOKED.has(plain)) return true;
  const words = wordsIn(text.slice(0, 100));
  const [first = '', second = ''] = words;
  if (words.length > MOST_WORDS || words.some((word) => BOOKED_FOR.has(word))) return false;
  return NOT_BOOKED.has(first) || (NOT.has(first) && BOOKED.has(second));
}
