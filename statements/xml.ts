import sax from 'sax';
import type { Bytes } from './text';

/** Texts of an element by the path below it; if a path occurs several times, all its texts in order. */
export type Texts = ReadonlyMap<string, readonly string[]>;

/** An element of a message that is read as a whole, and the repeated parts of it on their own. */
export interface Piece {
  readonly name: string;
  readonly texts: Texts;
  readonly parts: readonly Texts[];
  /** Whether it has more parts than are kept. */
  readonly cut: boolean;
}

/** Which elements of a message are read; nothing else is kept. */
export interface Shape {
  /** A message of this kind has an element of this name. */
  readonly root: string;
  /** The element in which pieces are. */
  readonly within: string;
  readonly pieces: ReadonlySet<string>;
  /** The path, below a piece, of its repeated parts. */
  readonly part: string;
}

/** What a message may have at most; names and texts in characters. */
const MOST = { depth: 32, name: 128, attributes: 16, text: 64 * 1024 } as const;
/** What is kept of a piece: texts of it and of each part, its parts, and characters of a text and of all. */
const KEPT = { texts: 400, parts: 10_000, text: 2_000, characters: 8_000_000 } as const;
/** The parser looks at its buffers once per slice. */
const SLICE = 16 * 1024;

/** Why a file is not read on. */
export class XmlFault extends Error {}

const tooMuch = (what: string): XmlFault => new XmlFault(`the file has ${what}`);

interface Begun {
  readonly name: string;
  readonly depth: number;
  readonly texts: Map<string, string[]>;
  readonly parts: Map<string, string[]>[];
  kept: number;
  characters: number;
  cut: boolean;
  part: { readonly texts: Map<string, string[]>; readonly depth: number; kept: number } | null;
}

/** The pieces of a message, each when it has ended. The prefix of the namespace and its version are ignored. */
export class Pieces {
  private readonly path: string[] = [];
  private piece: Begun | null = null;
  private text = '';
  private characters = 0;
  private attributes = 0;
  private readonly ready: Piece[] = [];
  private readonly parser = sax.parser(true, { trim: true, position: true });
  /** Whether the file is a message of this kind at all. */
  isMessage = false;

  constructor(private readonly shape: Shape) {
    const { parser } = this;
    parser.onopentagstart = ({ name }) => {
      if (name.length > MOST.name) throw tooMuch(`a name of over ${MOST.name} characters`);
      if (this.path.length >= MOST.depth) throw tooMuch(`over ${MOST.depth} elements within another`);
      this.attributes = 0;
    };
    parser.onattribute = ({ name }) => {
      if (name.length > MOST.name) throw tooMuch(`a name of over ${MOST.name} characters`);
      if (++this.attributes > MOST.attributes) throw tooMuch(`an element with over ${MOST.attributes} attributes`);
    };
    parser.onopentag = ({ name, attributes }) => {
      this.open(name.replace(/^.*:/, ''), attributes['Ccy']);
    };
    parser.ontext = parser.oncdata = (text: string) => {
      this.characters += text.length;
      if (this.characters > MOST.text) throw tooMuch('a text of over 64 KB');
      if (this.text.length < KEPT.text) this.text += text;
    };
    parser.onclosetag = () => {
      this.close();
    };
    parser.ondoctype = () => {
      throw new XmlFault('the file is not well-formed XML: it has a document type');
    };
    parser.onerror = (error) => {
      const [said = ''] = error.message.split('\n');
      throw new XmlFault(`the file is not well-formed XML: ${said} (line ${parser.line + 1})`);
    };
  }

  private open(name: string, currency: unknown): void {
    const { path, shape } = this;
    if (name === shape.root) this.isMessage = true;
    const parent = path.at(-1);
    path.push(name);
    this.resetText();
    if (!this.piece) {
      if (!shape.pieces.has(name) || parent !== shape.within) return;
      this.piece = {
        name,
        depth: path.length,
        texts: new Map(),
        parts: [],
        kept: 0,
        characters: 0,
        cut: false,
        part: null,
      };
    } else if (!this.piece.part && path.slice(this.piece.depth).join('/') === shape.part) {
      const { piece } = this;
      piece.part = { texts: new Map(), depth: path.length, kept: 0 };
      if (piece.parts.length < KEPT.parts) piece.parts.push(piece.part.texts);
      else piece.cut = true;
    }
    if (typeof currency === 'string') this.keep('@Ccy', currency);
  }

  private resetText(): void {
    this.text = '';
    this.characters = 0;
  }

  private close(): void {
    const { path, piece } = this;
    if (piece && this.text !== '') this.keep('', this.text);
    this.resetText();
    if (piece?.part?.depth === path.length) piece.part = null;
    if (piece?.depth === path.length) {
      const { name, texts, parts, cut } = piece;
      this.ready.push({ name, texts, parts, cut });
      this.piece = null;
    }
    path.pop();
  }

  private keep(suffix: string, text: string): void {
    const { piece } = this;
    if (!piece) return;
    piece.characters += text.length;
    if (piece.characters > KEPT.characters) {
      piece.cut = true;
      return;
    }
    const into = piece.part ?? piece;
    if (into.kept >= KEPT.texts) return;
    const path = this.path.slice(into.depth).join('/') + suffix;
    const there = into.texts.get(path);
    if (there) there.push(text);
    else into.texts.set(path, [text]);
    into.kept++;
  }

  /** The pieces that end in this part of the file. @throws XmlFault */
  *take(part: string): Generator<Piece> {
    for (let at = 0; at < part.length; at += SLICE) {
      this.parser.write(part.slice(at, at + SLICE));
      yield* this.ready.splice(0);
    }
  }

  /** @throws XmlFault for a file that is cut off, or is another message */
  end(): void {
    this.parser.close();
    if (!this.isMessage) throw new XmlFault('the file is not a camt.053 message');
  }
}

/** The file with its encoding: its byte order mark's, or that of its declaration, or UTF-8. @throws XmlFault */
export async function encodingOf(bytes: Bytes): Promise<{ encoding: string; bytes: Bytes }> {
  const parts = bytes[Symbol.asyncIterator]();
  let head: Buffer = Buffer.alloc(0);
  for (let next; head.length < 256 && !(next = await parts.next()).done;) head = Buffer.concat([head, next.value]);
  async function* all(): AsyncGenerator<Uint8Array> {
    yield head;
    for (let next; !(next = await parts.next()).done;) yield next.value;
  }
  const begins = head.subarray(0, 2).toString('latin1');
  const [, said = 'utf-8'] =
    /^[^<]{0,3}<\?xml[^>]{0,100}\sencoding\s*=\s*["']([\w.:-]{1,40})["']/.exec(
      head.subarray(0, 256).toString('latin1'),
    ) ?? [];
  const label = begins === '\xff\xfe' ? 'utf-16le' : begins === '\xfe\xff' ? 'utf-16be' : said.toLowerCase();
  try {
    return { encoding: new TextDecoder(label).encoding, bytes: all() };
  } catch {
    throw new XmlFault(`the file has an unknown encoding, ${JSON.stringify(label)}`);
  }
}
