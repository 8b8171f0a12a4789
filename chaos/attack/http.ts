/** A request as RFC 9112 defines it, parsed without Node's parser. */
export interface Request {
  readonly method: string;
  /** As it is in the request line, one character per byte. */
  readonly target: string;
  /** Lower-case name and value without surrounding white space, one character per byte, as often as it was sent. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: Buffer;
  /** Another request may follow on this connection. */
  readonly keepsAlive: boolean;
  /** Contains something that the listener may refuse or ignore. */
  readonly doubtful: boolean;
}

/** The requests in the bytes of a connection, and how the bytes end. */
export interface Stream {
  readonly requests: readonly Request[];
  /** clean: at the end of a request. incomplete: more bytes are awaited. invalid: the rest is not a request. */
  readonly end: 'clean' | 'incomplete' | 'invalid';
  /** The method of the bytes after the requests, as far as readable. */
  readonly next: string;
}

const TOKEN = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
const REQUEST_LINE = /^([!#$%&'*+.^_`|~0-9A-Za-z-]+)( +)(\S+) HTTP\/(\d\.\d)$/;
/** Visible characters, spaces, tabs, and bytes above ASCII. */
const FIELD_VALUE = /^[\t\x20-\x7e\x80-\xff]*$/;
/** Names that no trailer may have. */
const FRAMING = new Set(['content-length', 'transfer-encoding']);
const DIGITS = /^\d{1,15}$/;
const CHUNK_LINE = /^([0-9A-Fa-f]{1,12})([ \t]*;.*)?$/;
/** A well-formed extension. More than this many characters may be too many. */
const CHUNK_EXTENSION = /^(;[\w-]+(=[\w-]+)?)*$/;
const EXTENSION_CHARACTERS = 1_000;
/** The listener's limit for a request line and headers. */
const HEADER_BYTES = 16 * 1024;

class Invalid extends Error {}
class Incomplete extends Error {}

/** Reads bytes line by line. */
class Reader {
  at = 0;
  /** Something in the request may be refused. */
  odd = false;
  /** Of the request that is being parsed. */
  method = '';
  /** Something ends the stream after the current request. */
  broken: Error | undefined;

  constructor(private readonly bytes: Buffer) {}

  get atEnd(): boolean {
    return this.at >= this.bytes.length;
  }

  line(): string {
    const end = this.bytes.indexOf('\n', this.at);
    if (end < 0) throw new Incomplete();
    const line = this.bytes.subarray(this.at, end).toString('latin1');
    this.at = end + 1;
    if (line.endsWith('\r')) return line.slice(0, -1);
    this.odd = true;
    return line;
  }

  take(length: number): Buffer {
    if (this.at + length > this.bytes.length) throw new Incomplete();
    this.at += length;
    return this.bytes.subarray(this.at - length, this.at);
  }
}

interface Head {
  readonly method: string;
  readonly target: string;
  readonly version: string;
  readonly headers: [string, string][];
  readonly folded: boolean;
}

function readHeaders(reader: Reader): { headers: [string, string][]; folded: boolean } {
  const headers: [string, string][] = [];
  let folded = false;
  for (;;) {
    const line = reader.line();
    if (line === '') return { headers, folded };
    const last = headers.at(-1);
    if (/^[ \t]/.test(line) && last) {
      folded = true;
      last[1] = `${last[1]} ${line.trim()}`.trim();
      continue;
    }
    const colon = line.indexOf(':');
    const name = line.slice(0, Math.max(0, colon));
    const value = line.slice(colon + 1);
    if (!TOKEN.test(name) || !FIELD_VALUE.test(value)) throw new Invalid();
    // A listener may refuse a tab after a value.
    if (value.endsWith('\t')) reader.odd = true;
    headers.push([name.toLowerCase(), value.replace(/^[ \t]+|[ \t]+$/g, '')]);
  }
}

function readHead(reader: Reader): Head {
  const begin = reader.at;
  const [, method = '', space, target = '', version = ''] = REQUEST_LINE.exec(reader.line()) ?? [];
  if (method === '') throw new Invalid();
  reader.method = method;
  if (space !== ' ') reader.odd = true;
  const head = readHeaders(reader);
  if (reader.at - begin > HEADER_BYTES) throw new Invalid();
  return { method, target, version, ...head };
}

const valuesOf = (headers: readonly (readonly [string, string])[], name: string): string[] =>
  headers.filter(([given]) => given === name).map(([, value]) => value);

function readChunks(reader: Reader): Buffer {
  const chunks: Buffer[] = [];
  for (;;) {
    const [, digits, extension = ''] = CHUNK_LINE.exec(reader.line()) ?? [];
    if (digits === undefined) throw new Invalid();
    if (!CHUNK_EXTENSION.test(extension) || extension.length > EXTENSION_CHARACTERS) reader.odd = true;
    const size = Number.parseInt(digits, 16);
    if (size === 0) break;
    chunks.push(reader.take(size));
    if (reader.line() !== '') throw new Invalid();
  }
  // Trailers are read and ignored. Headers that frame a message are not allowed there.
  const { headers } = readHeaders(reader);
  if (headers.some(([name]) => FRAMING.has(name))) reader.odd = true;
  return Buffer.concat(chunks);
}

function readBody(reader: Reader, { headers }: Head): Buffer {
  const lengths = valuesOf(headers, 'content-length');
  const codings = valuesOf(headers, 'transfer-encoding');
  if (codings.length > 0) {
    // Both together, or an unknown coding: requests are smuggled that way.
    if (lengths.length > 0 || codings.length > 1) throw new Invalid();
    if (codings[0]?.toLowerCase() !== 'chunked') throw new Invalid();
    return readChunks(reader);
  }
  const [length = '0', ...others] = lengths;
  if (others.length > 0 || !DIGITS.test(length)) throw new Invalid();
  return reader.take(Number(length));
}

/** Nobody waits for the body of a GET: it may be answered before its body proves to be invalid. */
function passOver(reader: Reader, head: Head): Buffer {
  try {
    return readBody(reader, head);
  } catch (error) {
    reader.broken = error as Error;
    reader.odd = true;
    return Buffer.alloc(0);
  }
}

function keepsAlive({ version, headers }: Head): boolean {
  const options = valuesOf(headers, 'connection').flatMap((value) =>
    value.split(',').map((option) => option.trim().toLowerCase()),
  );
  if (options.includes('close')) return false;
  return version !== '1.0' || options.includes('keep-alive');
}

function readRequest(reader: Reader): Request {
  const head = readHead(reader);
  const { method, target, version, headers, folded } = head;
  if (version !== '1.1' && version !== '1.0') throw new Invalid();
  if (version === '1.0' && valuesOf(headers, 'transfer-encoding').length > 0) throw new Invalid();
  const body = method === 'GET' ? passOver(reader, head) : readBody(reader, head);
  return {
    method,
    target,
    headers,
    body,
    keepsAlive: keepsAlive(head),
    doubtful:
      folded ||
      reader.odd ||
      valuesOf(headers, 'host').length > 1 ||
      valuesOf(headers, 'upgrade').length > 0 ||
      /[^\x21-\x7e]/.test(target) ||
      target.includes('#') ||
      !/^(\/|https?:\/\/|\*$)/.test(target),
  };
}

/** Reads all requests that bytes on one connection hold. */
export function readStream(bytes: Buffer): Stream {
  const reader = new Reader(bytes);
  const requests: Request[] = [];
  try {
    for (;;) {
      // Empty lines before a request are skipped.
      while (/^\r?\n/.test(bytes.subarray(reader.at, reader.at + 2).toString('latin1'))) reader.line();
      if (reader.atEnd) return { requests, end: 'clean', next: '' };
      reader.method = '';
      requests.push(readRequest(reader));
      if (reader.broken !== undefined) throw reader.broken;
      if (requests.at(-1)?.keepsAlive === false) return { requests, end: 'clean', next: '' };
    }
  } catch (error) {
    if (error instanceof Invalid) return { requests, end: 'invalid', next: reader.method };
    if (error instanceof Incomplete) return { requests, end: 'incomplete', next: reader.method };
    throw error;
  }
}
