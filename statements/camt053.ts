import sax from 'sax';
import { LIMITS } from '../domain/limits';
import type { Money } from '../domain/money';
import type { StatementItem, StatementLine } from '../domain/statement';
import { type Day, isDay } from '../domain/zone';
import { plainAmountOf, Unreadable } from './amounts';
import { type Bytes, excerptOf, fieldOf, textOf } from './text';

/** Texts of an element by the path below it; if a path occurs several times, all its texts in order. */
type Texts = Map<string, string[]>;

/** An element of the message that is read as a whole: nothing else is kept. */
interface Piece {
  readonly kind: 'Bal' | 'Ntry' | 'Acct';
  readonly line: number;
  readonly texts: Texts;
}

const PIECES: ReadonlySet<string> = new Set(['Bal', 'Ntry', 'Acct']);
/** Texts of one entry that are kept: a collective booking may have thousands of details. */
const MOST_TEXTS = 400;

/**
 * Yields these elements of a message, each when it has ended. The prefix of the namespace and its version are ignored.
 */
class Pieces {
  private readonly path: string[] = [];
  private piece: {
    kind: Piece['kind'];
    depth: number;
    line: number;
    texts: Texts;
    kept: number;
  } | null = null;
  private text = '';
  private readonly ready: Piece[] = [];
  private readonly parser = sax.parser(true, { trim: true, position: true });
  /** Whether the file is a camt.053 message at all. */
  isStatement = false;
  /** The XML's error, if it has one. */
  fault: string | null = null;

  constructor() {
    const { parser } = this;
    parser.onopentag = ({ name, attributes }) => {
      const local = name.replace(/^.*:/, '');
      if (local === 'BkToCstmrStmt') this.isStatement = true;
      this.path.push(local);
      this.text = '';
      const [parent] = this.path.slice(-2);
      if (!this.piece && PIECES.has(local) && parent === 'Stmt')
        this.piece = {
          ...{ kind: local as Piece['kind'], depth: this.path.length },
          ...{ line: parser.line + 1, texts: new Map<string, string[]>(), kept: 0 },
        };
      const currency = attributes['Ccy'];
      if (this.piece && typeof currency === 'string') this.keep('@Ccy', currency);
    };
    parser.ontext = parser.oncdata = (text: string) => {
      if (this.text.length < 2_000) this.text += text;
    };
    parser.onclosetag = () => {
      if (this.piece && this.text !== '') this.keep('', this.text);
      this.text = '';
      if (this.piece?.depth === this.path.length) {
        const { kind, line, texts } = this.piece;
        this.ready.push({ kind, line, texts });
        this.piece = null;
      }
      this.path.pop();
    };
    parser.onerror = (error) => {
      this.fault = `${error.message.split('\n')[0] ?? ''} (line ${parser.line + 1})`;
    };
  }

  private keep(suffix: string, text: string): void {
    const { piece } = this;
    if (!piece || piece.kept >= MOST_TEXTS) return;
    const path = this.path.slice(piece.depth).join('/') + suffix;
    piece.texts.set(path, [...(piece.texts.get(path) ?? []), text]);
    piece.kept++;
  }

  get line(): number {
    return this.parser.line + 1;
  }

  take(part: string): Piece[] {
    if (this.fault === null) this.parser.write(part);
    return this.ready.splice(0);
  }

  end(): void {
    if (this.fault === null) this.parser.close();
  }
}

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

const DETAILS = 'NtryDtls/TxDtls';

function entryOf({ line, texts }: Piece, decimals: number): StatementLine {
  const first = (...paths: string[]): string | undefined =>
    paths
      .map((path) => texts.get(path)?.[0])
      .find((text) => text !== undefined && text !== 'NOTPROVIDED');
  const mark = first('CdtDbtInd');
  if (mark !== 'CRDT' && mark !== 'DBIT')
    throw new Unreadable('it is neither a credit nor a debit');
  const amount = positiveOf(first('Amt'), decimals);
  if (amount.isZero()) throw new Unreadable('its amount is zero');
  const date = dateOf(texts, 'BookgDt') ?? dateOf(texts, 'ValDt');
  if (!date) throw new Unreadable('it has no date');
  const isCredit = mark === 'CRDT';
  const party = isCredit ? 'Dbtr' : 'Cdtr';
  const parties = `${DETAILS}/RltdPties/${party}`;
  const memo = [
    ...(texts.get(`${DETAILS}/RmtInf/Ustrd`) ?? []),
    ...(texts.get(`${DETAILS}/RmtInf/Strd/CdtrRefInf/Ref`) ?? []),
  ].join(' ');
  // A collective booking has several references: none of them names it.
  const several = (texts.get(`${DETAILS}/Refs/EndToEndId`)?.length ?? 0) > 1;
  return {
    line,
    direction: isCredit ? 'CREDIT' : 'DEBIT',
    amount,
    day: date.day,
    time: null,
    moment: date.moment,
    reference: fieldOf(
      first(
        'AcctSvcrRef',
        ...(several ? [] : [`${DETAILS}/Refs/AcctSvcrRef`, `${DETAILS}/Refs/TxId`]),
        'NtryRef',
      ) ?? (several ? undefined : first(`${DETAILS}/Refs/EndToEndId`)),
      LIMITS.bankReference,
    ),
    memo: fieldOf(memo || first('AddtlNtryInf', `${DETAILS}/AddtlTxInf`), LIMITS.bankMemo) ?? '',
    partyName: several
      ? null
      : fieldOf(first(`${parties}/Nm`, `${parties}/Pty/Nm`), LIMITS.accountHolder),
    partyAccount: several
      ? null
      : fieldOf(first(`${parties}Acct/Id/IBAN`, `${parties}Acct/Id/Othr/Id`), LIMITS.accountNo),
    balanceAfter: null,
  };
}

function* itemsOf(piece: Piece, decimals: number): Generator<StatementItem> {
  const { kind, texts } = piece;
  const [currency] = texts.get(kind === 'Acct' ? 'Ccy' : 'Amt@Ccy') ?? [];
  if (currency !== undefined) yield { kind: 'currency', code: currency };
  if (kind === 'Acct') {
    const [number] = texts.get('Id/IBAN') ?? texts.get('Id/Othr/Id') ?? [];
    if (number !== undefined) yield { kind: 'account', number };
    return;
  }
  if (kind === 'Ntry') {
    const [status] = texts.get('Sts') ?? texts.get('Sts/Cd') ?? ['BOOK'];
    // A pending entry is booked by a later statement.
    if (status === 'BOOK') yield { kind: 'line', line: entryOf(piece, decimals) };
    return;
  }
  const [code] = texts.get('Tp/CdOrPrtry/Cd') ?? [];
  const which = code === 'OPBD' || code === 'PRCD' ? 'opening' : code === 'CLBD' ? 'closing' : null;
  const date = dateOf(texts, 'Dt');
  if (which === null || !date) return;
  const unsigned = positiveOf(texts.get('Amt')?.[0], LIMITS.moneyDecimals);
  const balance = texts.get('CdtDbtInd')?.[0] === 'DBIT' ? unsigned.negated() : unsigned;
  yield { kind: which, balance, day: date.day };
}

/** Reads ISO 20022 camt.053 of any version, entry by entry. An error in the XML names its line. */
export async function* readCamt053(bytes: Bytes, decimals: number): AsyncGenerator<StatementItem> {
  const pieces = new Pieces();
  for await (const part of textOf(bytes, 'utf-8'))
    for (const piece of pieces.take(part))
      try {
        yield* itemsOf(piece, decimals);
      } catch (error) {
        if (!(error instanceof Unreadable)) throw error;
        const text = [...piece.texts].map(([path, said]) => `${path}=${said.join(' ')}`).join(' ');
        yield { kind: 'bad', line: piece.line, problem: error.message, text: excerptOf(text) };
      }
  pieces.end();
  const problem =
    pieces.fault === null
      ? pieces.isStatement
        ? null
        : 'the file is not a camt.053 message'
      : `the file is not well-formed XML: ${pieces.fault}`;
  if (problem !== null) yield { kind: 'bad', line: pieces.line, problem, text: '' };
}
