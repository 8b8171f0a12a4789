import { connect } from 'node:net';

/** Where a listener is. */
export interface Place {
  readonly host: string;
  readonly port: number;
}

/** An HTTP answer, unchanged. */
export interface WireAnswer {
  readonly status: number;
  /** By lower-case name. */
  readonly headers: ReadonlyMap<string, string>;
  readonly body: Buffer;
}

/** Everything that came back over one connection. */
export interface Heard {
  readonly answers: readonly WireAnswer[];
  /** Bytes that are no answer, or an incomplete one. */
  readonly rest: Buffer;
  /** The other side ended the connection. */
  readonly ended: boolean;
}

/** When a connection is finished. */
export interface Until {
  /** The number of answers to wait for. */
  readonly answers: number;
  /** Whether the other side must close the connection after them. */
  readonly end: boolean;
  /** The longest wait, milliseconds. */
  readonly patienceMs: number;
  /** The n-th answer is to a HEAD: it has a length and no body. */
  readonly isHead: (n: number) => boolean;
}

/** Once the expected answers have come, anything more would come within this, milliseconds. */
const QUIET_MS = 15;

const HEAD_END = '\r\n\r\n';

/**
 * One answer at the beginning of the bytes, or undefined while it is incomplete. Our answers always have a
 * Content-Length.
 */
function firstAnswer(bytes: Buffer, isHead: boolean): { answer: WireAnswer; length: number } | undefined {
  const split = bytes.indexOf(HEAD_END);
  if (split < 0) return undefined;
  const [first = '', ...lines] = bytes.subarray(0, split).toString('latin1').split('\r\n');
  const status = Number(/^HTTP\/1\.1 (\d{3})(?: |$)/.exec(first)?.[1] ?? Number.NaN);
  if (Number.isNaN(status)) return undefined;
  const headers = new Map(
    lines.map((line) => {
      const colon = line.indexOf(':');
      return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()] as const;
    }),
  );
  const bodiless = isHead || status < 200 || status === 204 || status === 304;
  const length = bodiless ? 0 : Number(headers.get('content-length') ?? Number.NaN);
  const begin = split + HEAD_END.length;
  if (Number.isNaN(length) || bytes.length < begin + length) return undefined;
  const body = bytes.subarray(begin, begin + length);
  return { answer: { status, headers, body }, length: begin + length };
}

function answersIn(bytes: Buffer, isHead: (n: number) => boolean): Pick<Heard, 'answers' | 'rest'> {
  const answers: WireAnswer[] = [];
  let rest = bytes;
  for (;;) {
    const found = firstAnswer(rest, isHead(answers.length));
    if (!found) return { answers, rest };
    rest = rest.subarray(found.length);
    // 100 Continue only announces an answer.
    if (found.answer.status >= 200) answers.push(found.answer);
  }
}

/** Writes bytes over a new connection and reads until it is finished. */
export async function talk(place: Place, parts: readonly Buffer[], until: Until): Promise<Heard> {
  return await new Promise((resolve) => {
    let bytes: Buffer = Buffer.alloc(0);
    let quiet: NodeJS.Timeout | undefined;
    const socket = connect({ ...place, noDelay: true });
    const over = (ended: boolean): void => {
      clearTimeout(quiet);
      clearTimeout(patience);
      socket.destroy();
      resolve({ ...answersIn(bytes, until.isHead), ended });
    };
    const patience = setTimeout(() => {
      over(false);
    }, until.patienceMs);
    const look = (): void => {
      if (until.end || answersIn(bytes, until.isHead).answers.length < until.answers) return;
      clearTimeout(quiet);
      quiet = setTimeout(() => {
        over(false);
      }, QUIET_MS);
    };
    socket.on('data', (part: Buffer) => {
      bytes = Buffer.concat([bytes, part]);
      look();
    });
    // A reset is an end too: data received before it counts.
    socket.on('error', () => {
      over(true);
    });
    socket.on('close', () => {
      over(true);
    });
    socket.on('connect', () => {
      for (const part of parts) socket.write(part);
      look();
    });
  });
}
