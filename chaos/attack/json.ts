/** A field of a JSON object, with its text. */
export interface JsonField {
  readonly name: string;
  readonly kind: 'string' | 'number' | 'boolean' | 'null' | 'array' | 'object';
  /** The signed text: a string's decoded value, otherwise the exact slice of the text. */
  readonly text: string;
}

const DEPTH = 64;
const NUMBER = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/y;
const WORDS = { true: 'boolean', false: 'boolean', null: 'null' } as const;
const ESCAPES: Readonly<Record<string, string>> = {
  '"': '"',
  '\\': '\\',
  '/': '/',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
};

class NotJson extends Error {}
const fail = (): never => {
  throw new NotJson();
};

/** A JSON parser for RFC 8259, written here so that it shares no code with the platform. */
class Parser {
  private at = 0;
  private depth = 0;

  constructor(private readonly text: string) {}

  /** Parses the text as one object. */
  object(): JsonField[] {
    this.space();
    const fields = this.members();
    this.space();
    if (this.at !== this.text.length) fail();
    return fields;
  }

  private space(): void {
    while (this.at < this.text.length && ' \t\n\r'.includes(this.text.charAt(this.at))) this.at++;
  }

  private expect(character: string): void {
    if (this.text.charAt(this.at) !== character) fail();
    this.at++;
  }

  private next(character: string): boolean {
    this.space();
    if (this.text.charAt(this.at) !== character) return false;
    this.at++;
    return true;
  }

  private open(): void {
    if (++this.depth > DEPTH) fail();
  }

  private members(): JsonField[] {
    this.expect('{');
    this.open();
    const fields: JsonField[] = [];
    const names = new Set<string>();
    if (!this.next('}')) {
      do {
        this.space();
        const name = this.string();
        if (names.has(name)) fail();
        names.add(name);
        this.space();
        this.expect(':');
        fields.push({ name, ...this.value() });
      } while (this.next(','));
      this.space();
      this.expect('}');
    }
    this.depth--;
    return fields;
  }

  private items(): void {
    this.expect('[');
    this.open();
    if (!this.next(']')) {
      do this.value();
      while (this.next(','));
      this.space();
      this.expect(']');
    }
    this.depth--;
  }

  private value(): Pick<JsonField, 'kind' | 'text'> {
    this.space();
    const start = this.at;
    const slice = (): string => this.text.slice(start, this.at);
    switch (this.text.charAt(start)) {
      case '"':
        return { kind: 'string', text: this.string() };
      case '{':
        this.members();
        return { kind: 'object', text: slice() };
      case '[':
        this.items();
        return { kind: 'array', text: slice() };
    }
    for (const [word, kind] of Object.entries(WORDS))
      if (this.text.startsWith(word, start)) {
        this.at += word.length;
        return { kind, text: word };
      }
    NUMBER.lastIndex = start;
    const [number] = NUMBER.exec(this.text) ?? [];
    if (number === undefined) return fail();
    this.at += number.length;
    return { kind: 'number', text: number };
  }

  private string(): string {
    this.expect('"');
    let value = '';
    for (;;) {
      const character = this.text.charAt(this.at++);
      if (character === '' || character < ' ') fail();
      if (character === '"') break;
      value += character === '\\' ? this.escape() : character;
    }
    // Neither PostgreSQL nor UTF-8 can hold these.
    if (/[\0\p{Surrogate}]/u.test(value)) fail();
    return value;
  }

  private escape(): string {
    const letter = this.text.charAt(this.at++);
    if (letter !== 'u') return ESCAPES[letter] ?? fail();
    const digits = this.text.slice(this.at, this.at + 4);
    if (!/^[0-9a-fA-F]{4}$/.test(digits)) fail();
    this.at += 4;
    return String.fromCharCode(Number.parseInt(digits, 16));
  }
}

/** The fields of a body, or undefined if it is not one JSON object. */
export function readJsonObject(bytes: Buffer): readonly JsonField[] | undefined {
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
    return new Parser(text).object();
  } catch (error) {
    // TextDecoder throws a TypeError.
    if (error instanceof NotJson || (error as Error).name === 'TypeError') return undefined;
    throw error;
  }
}
