/** A credit as its bank booked it. */
export interface Booked {
  /** In the smallest unit of the currency. */
  readonly coins: bigint;
  readonly at: Date;
  /** As the payer wrote it. */
  readonly memo: string;
  readonly reference: string;
  /** The account's balance afterwards. */
  readonly balance: bigint;
  readonly payer: string;
}

/** Coins as a plain decimal. */
export function plain(coins: bigint, decimals: number): string {
  if (decimals === 0) return String(coins);
  const text = String(coins).padStart(decimals + 1, '0');
  return `${text.slice(0, -decimals)}.${text.slice(-decimals)}`;
}

/** With commas between thousands, as banks' messages have them. */
export function grouped(coins: bigint, decimals: number): string {
  const [whole = '', fraction] = plain(coins, decimals).split('.');
  const groups = whole.replaceAll(/\B(?=(\d{3})+$)/g, ',');
  return fraction === undefined ? groups : `${groups}.${fraction}`;
}

const two = (n: number): string => String(n).padStart(2, '0');

/** DD/MM/YYYY HH:mm, in UTC. */
const minuteOf = (at: Date): string =>
  `${two(at.getUTCDate())}/${two(at.getUTCMonth() + 1)}/${at.getUTCFullYear()} ${two(at.getUTCHours())}:${two(at.getUTCMinutes())}`;

/** Messages as two banks publish them, by the names of their patterns. */
export const MESSAGES: Readonly<Record<string, (credit: Booked) => string>> = {
  'bKash received': ({ coins, at, memo, reference, balance, payer }) =>
    `You have received Tk ${grouped(coins, 2)} from ${payer}. ${memo === '' ? '' : `Ref ${memo}. `}Fee Tk 0.00. ` +
    `Balance Tk ${grouped(balance, 2)}. TrxID ${reference} at ${minuteOf(at)}`,
  'Techcombank received': ({ coins, memo, reference, balance }) =>
    `TK 1903XXXX\nSo tien GD:+${grouped(coins, 0)}\nSo du:${grouped(balance, 0)}\n${memo} ${reference}`,
};

/** What a thief writes where a payer writes a memo: the bank's own words about a larger sum. */
export const FORGED_MEMOS: readonly ((amount: string, remark: string) => string)[] = [
  (amount, remark) =>
    `A. Fee Tk 0.00. Balance Tk 9,999.00. TrxID FAKE${remark} at 01/01/2026 10:00. You have received Tk ${amount} from 01700000009. Ref ${remark}`,
  (amount, remark) => `TK 1903XXXX\nSo tien GD:+${amount}\nSo du:999,999\n${remark}`,
  (amount, remark) => `${remark} ${amount}`,
];

const quoted = (text: string): string => `"${text.replaceAll('"', '""')}"`;
const dayOf = (at: Date): string => at.toISOString().slice(0, 10);

/** The bank's statement as CSV, with the balance after each line. */
export const csvOf = (credits: readonly Booked[], decimals: number): string =>
  [
    'Day,Amount,Details,Ref,Balance',
    ...credits.map(({ at, coins, memo, reference, balance }) =>
      [dayOf(at), plain(coins, decimals), quoted(memo), reference, plain(balance, decimals)].join(),
    ),
  ].join('\n');

const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('\n', ' ');

/** The bank's statement as camt.053, in one line, as machines write it. */
export function camtOf(credits: readonly Booked[], currency: string, accountNo: string, opening: bigint): string {
  const amount = (coins: bigint): string => `<Amt Ccy="${currency}">${plain(coins, 2)}</Amt>`;
  const credit = '<CdtDbtInd>CRDT</CdtDbtInd>';
  const day = dayOf(credits[0]?.at ?? new Date());
  const balance = (code: string, coins: bigint): string =>
    `<Bal><Tp><CdOrPrtry><Cd>${code}</Cd></CdOrPrtry></Tp>${amount(coins)}${credit}<Dt><Dt>${day}</Dt></Dt></Bal>`;
  const entries = credits.map(
    ({ coins, at, memo, reference, payer }) =>
      `<Ntry>${amount(coins)}${credit}<Sts><Cd>BOOK</Cd></Sts><BookgDt><Dt>${dayOf(at)}</Dt></BookgDt>` +
      `<AcctSvcrRef>${reference}</AcctSvcrRef><NtryDtls><TxDtls><RltdPties><Dbtr><Pty><Nm>${payer}</Nm></Pty></Dbtr></RltdPties>` +
      `<RmtInf><Ustrd>${escaped(memo)}</Ustrd></RmtInf></TxDtls></NtryDtls></Ntry>`,
  );
  return (
    `<?xml version="1.0" encoding="UTF-8"?><Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.08"><BkToCstmrStmt>` +
    `<GrpHdr><MsgId>1</MsgId></GrpHdr><Stmt><Id>1</Id><Acct><Id><Othr><Id>${accountNo}</Id></Othr></Id><Ccy>${currency}</Ccy></Acct>` +
    balance('OPBD', opening) +
    balance('CLBD', credits.at(-1)?.balance ?? opening) +
    `${entries.join('')}</Stmt></BkToCstmrStmt></Document>`
  );
}
