import { LIMITS } from '../domain/limits';
import { type Money, ZERO } from '../domain/money';
import type { StatementItem, StatementLine } from '../domain/statement';
import { referenceIn } from '../domain/bank-reference';
import { type Day, isDay } from '../domain/zone';
import { plainAmountOf, Unreadable } from './amounts';
import { type Bytes, excerptOf, fieldOf, textOf } from './text';
import { encodingOf, type Piece, Pieces, type Texts, XmlFault } from './xml';

const SHAPE = {
  root: 'BkToCstmrStmt',
  within: 'Stmt',
  part: 'NtryDtls/TxDtls',
  pieces: new Set(['Bal', 'Ntry', 'Acct']),
} as const;

type Line = Omit<StatementLine, 'line'>;

/** A day, or a time with its offset. */
function dateOf(texts: Texts, path: string): { day: Day; moment: Date | null } | null {
  const [day] = texts.get(`${path}/Dt`) ?? [];
  const [moment] = texts.get(`${path}/DtTm`) ?? [];
  const said = (day ?? moment)?.trim();
  if (said === undefined) return null;
  const at = moment !== undefined && /([zZ]|[+-]\d\d:\d\d)$/.test(said) ? new Date(said) : null;
  if (!isDay(said.slice(0, 10)) || (at && Number.isNaN(at.getTime())))
    throw new Unreadable(`the date ${JSON.stringify(said.slice(0, 40))} cannot be read`);
  return { day: said.slice(0, 10), moment: at };
}

/** An amount, whose sign is in another element. */
function positiveOf(text: string | undefined, decimals: number): Money {
  const amount = plainAmountOf(text ?? '', decimals);
  if (amount.isNegative()) throw new Unreadable('its amount is negative');
  return amount;
}

const firstOf = (texts: Texts, ...paths: string[]): string | undefined =>
  paths.map((path) => texts.get(path)?.[0]).find((text) => text !== undefined && text !== 'NOTPROVIDED');

/** The first of these texts that is a reference at all. */
const referenceOf = (...texts: readonly (string | undefined)[]): string | null =>
  texts.map((text) => referenceIn(fieldOf(text, LIMITS.bankReference))).find((reference) => reference !== null) ?? null;

/** Balances by their codes. */
const BALANCES: ReadonlyMap<string, 'opening' | 'closing'> = new Map([
  ...(['OPBD', 'PRCD'] as const).map((code) => [code, 'opening'] as const),
  ['CLBD', 'closing'],
]);

const REFERENCES = ['Refs/AcctSvcrRef', 'Refs/TxId', 'Refs/EndToEndId'] as const;

/** What a detail says of its payer or payee. */
function partyOf(detail: Texts, isCredit: boolean): Pick<Line, 'partyName' | 'partyAccount'> {
  const party = `RltdPties/${isCredit ? 'Dbtr' : 'Cdtr'}`;
  return {
    partyName: fieldOf(firstOf(detail, `${party}/Nm`, `${party}/Pty/Nm`), LIMITS.accountHolder),
    partyAccount: fieldOf(firstOf(detail, `${party}Acct/Id/IBAN`, `${party}Acct/Id/Othr/Id`), LIMITS.accountNo),
  };
}

const remittanceOf = (detail: Texts): string =>
  ['RmtInf/Ustrd', 'RmtInf/Strd/CdtrRefInf/Ref']
    .flatMap((path) => detail.get(path) ?? [])
    .filter((text) => text !== 'NOTPROVIDED')
    .join(' ');

/** The amount of a detail; null if it has none, or one that is not of the entry's currency and direction. */
function amountOfDetail(detail: Texts, entry: Texts, decimals: number): Money | null {
  const mark = detail.get('CdtDbtInd')?.[0] ?? entry.get('CdtDbtInd')?.[0];
  if (mark !== entry.get('CdtDbtInd')?.[0]) return null;
  const path = ['Amt', 'AmtDtls/TxAmt/Amt', 'AmtDtls/InstdAmt/Amt'].find((at) => detail.has(at));
  const [currency] = entry.get('Amt@Ccy') ?? [];
  if (path === undefined || (detail.get(`${path}@Ccy`)?.[0] ?? currency) !== currency) return null;
  try {
    const amount = positiveOf(detail.get(path)?.[0], decimals);
    return amount.isZero() ? null : amount;
  } catch (error) {
    if (error instanceof Unreadable) return null;
    throw error;
  }
}

/** What an entry and all its details have in common. */
function entryOf({ texts }: Piece, decimals: number): Line {
  const [mark] = texts.get('CdtDbtInd') ?? [];
  if (mark !== 'CRDT' && mark !== 'DBIT') throw new Unreadable('it is neither a credit nor a debit');
  const amount = positiveOf(texts.get('Amt')?.[0], decimals);
  if (amount.isZero()) throw new Unreadable('its amount is zero');
  const date = dateOf(texts, 'BookgDt') ?? dateOf(texts, 'ValDt');
  if (!date) throw new Unreadable('it has no date');
  return {
    direction: mark === 'CRDT' ? 'CREDIT' : 'DEBIT',
    amount,
    day: date.day,
    time: null,
    moment: date.moment,
    reference: null,
    memo: '',
    partyName: null,
    partyAccount: null,
    balanceAfter: null,
  };
}

/** An entry of one payment. */
function singleOf({ texts, parts }: Piece, entry: Line): Line {
  const detail: Texts = parts[0] ?? new Map<string, readonly string[]>();
  const [ofBank, transaction, endToEnd] = REFERENCES.map((path) => firstOf(detail, path));
  const memo = remittanceOf(detail) || firstOf(texts, 'AddtlNtryInf') || firstOf(detail, 'AddtlTxInf');
  return {
    ...entry,
    ...partyOf(detail, entry.direction === 'CREDIT'),
    reference: referenceOf(
      ...[firstOf(texts, 'AcctSvcrRef'), ofBank, transaction, firstOf(texts, 'NtryRef'), endToEnd],
    ),
    memo: fieldOf(memo, LIMITS.bankMemo) ?? '',
  };
}

/** An entry of several payments that nothing separates: none of their remarks names the whole sum. */
function wholeOf({ texts, parts }: Piece, entry: Line): Line {
  const memo = parts.map(remittanceOf).join(' ').trim() || firstOf(texts, 'AddtlNtryInf');
  return {
    ...entry,
    reference: referenceOf(firstOf(texts, 'AcctSvcrRef'), firstOf(texts, 'NtryRef')),
    memo: fieldOf(memo, LIMITS.bankMemo) ?? '',
    waits: 'it is a collective booking whose details do not add up to it',
  };
}

/** The payments of a collective booking, each with its own texts. */
function detailsOf({ parts }: Piece, entry: Line, amounts: readonly Money[]): Line[] {
  const times = new Map<string, number>();
  for (const path of REFERENCES)
    for (const detail of parts) {
      const said = firstOf(detail, path) ?? '';
      times.set(said, (times.get(said) ?? 0) + 1);
    }
  return parts.map((detail, at) => {
    // What several payments share is the booking's reference, and not theirs.
    const own = REFERENCES.map((path) => firstOf(detail, path)).filter((said) => times.get(said ?? '') === 1);
    const memo = remittanceOf(detail) || firstOf(detail, 'AddtlTxInf');
    return {
      ...entry,
      ...partyOf(detail, entry.direction === 'CREDIT'),
      amount: amounts[at] ?? entry.amount,
      reference: referenceOf(...own),
      memo: fieldOf(memo, LIMITS.bankMemo) ?? '',
    };
  });
}

/** The movements of an entry. A collective booking is one for each detail, if they add up to it. */
function movementsOf(piece: Piece, decimals: number): Line[] {
  const { texts, parts, cut } = piece;
  const entry = entryOf(piece, decimals);
  const amounts = parts.map((detail) => amountOfDetail(detail, texts, decimals));
  const [said = '1'] = texts.get('NtryDtls/Btch/NbOfTxs') ?? [];
  if (parts.length <= 1 && !(Number(said) > 1)) {
    // A payment of less than the credit is not all of it; one of more paid charges, which a debit contains.
    const isLess = entry.direction === 'CREDIT' && (amounts[0]?.lt(entry.amount) ?? false);
    return [isLess ? wholeOf(piece, entry) : singleOf(piece, entry)];
  }
  const known = amounts.filter((amount) => amount !== null);
  const sum = known.reduce((total, amount) => total.plus(amount), ZERO);
  const isWhole = !cut && known.length === parts.length && sum.equals(entry.amount);
  return isWhole ? detailsOf(piece, entry, known) : [wholeOf(piece, entry)];
}

function* itemsOf(piece: Piece, number: () => number, decimals: number): Generator<StatementItem> {
  const { name, texts } = piece;
  const [currency] = texts.get(name === 'Acct' ? 'Ccy' : 'Amt@Ccy') ?? [];
  if (currency !== undefined) yield { kind: 'currency', code: fieldOf(currency, 40) ?? '' };
  if (name === 'Acct') {
    const [said] = texts.get('Id/IBAN') ?? texts.get('Id/Othr/Id') ?? [];
    if (said !== undefined) yield { kind: 'account', number: fieldOf(said, 100) ?? '' };
    return;
  }
  if (name === 'Ntry') {
    const [status] = texts.get('Sts') ?? texts.get('Sts/Cd') ?? ['BOOK'];
    // A pending entry is booked by a later statement.
    if (status !== 'BOOK') return;
    for (const line of movementsOf(piece, decimals)) yield { kind: 'line', line: { line: number(), ...line } };
    return;
  }
  const [code] = texts.get('Tp/CdOrPrtry/Cd') ?? [];
  const which = code === undefined ? null : (BALANCES.get(code) ?? null);
  const date = dateOf(texts, 'Dt');
  if (which === null || !date) return;
  const unsigned = positiveOf(texts.get('Amt')?.[0], LIMITS.moneyDecimals);
  const balance = texts.get('CdtDbtInd')?.[0] === 'DBIT' ? unsigned.negated() : unsigned;
  yield { kind: which, balance, day: date.day };
}

/** Tells which balance a statement opens with: that of the day before, PRCD, only if it has none of its own, OPBD. */
class Opening {
  private previous: StatementItem | null = null;
  private opened = false;
  private among = false;

  /** Before an entry, another statement or the end of the file. */
  *flush(): Generator<StatementItem> {
    if (this.previous && !this.opened) yield this.previous;
    this.previous = null;
  }

  *of({ name, texts }: Piece, items: Iterable<StatementItem>): Generator<StatementItem> {
    const [code] = name === 'Bal' ? (texts.get('Tp/CdOrPrtry/Cd') ?? []) : [];
    if (name !== 'Bal') yield* this.flush();
    if (name === 'Acct' || (name === 'Bal' && this.among)) this.opened = false;
    this.among = name === 'Ntry';
    for (const item of items)
      if (item.kind !== 'opening') yield item;
      else if (code === 'PRCD') this.previous = item;
      else {
        this.opened = true;
        yield item;
      }
  }
}

const excerptOfPiece = ({ texts }: Piece): string =>
  excerptOf([...texts].map(([path, said]) => `${path}=${said.join(' ')}`).join(' '));

/**
 * Reads ISO 20022 camt.053 of any version, entry by entry. What it yields is numbered as it comes, not by lines of the
 * text: a file may be one line. A fault of the XML ends the file.
 */
export async function* readCamt053(file: Bytes, decimals: number): AsyncGenerator<StatementItem> {
  let last = 0;
  const opening = new Opening();
  const number = (): number => ++last;
  try {
    const { encoding, bytes } = await encodingOf(file);
    const pieces = new Pieces(SHAPE);
    for await (const part of textOf(bytes, encoding))
      for (const piece of pieces.take(part))
        try {
          yield* opening.of(piece, itemsOf(piece, number, decimals));
        } catch (error) {
          if (!(error instanceof Unreadable)) throw error;
          const text = excerptOfPiece(piece);
          yield { kind: 'bad', line: number(), problem: error.message, text };
        }
    yield* opening.flush();
    pieces.end();
  } catch (error) {
    if (!(error instanceof XmlFault)) throw error;
    yield { kind: 'bad', line: number(), problem: error.message, text: '', file: true };
  }
}
