const NOTHING = Buffer.alloc(0);
/** As long as `HTTP/1.1 200`. */
const STATUS_BYTES = 12;
/** An announcement longer than this is left to the parser, bytes. */
const MOST_HELD = 16 * 1024;
const LINE_END = 0x0a;

/** Whether this may become a status line. */
const mayBegin = (text: string): boolean => text.length < STATUS_BYTES && 'HTTP/1.'.startsWith(text.slice(0, 7));

/**
 * The status of an answer, read leniently from its first bytes, beside undici's strict parser: a merchant's answer
 * counts by its status, however odd its headers are. Announcements (1xx) are taken out, because their headers may be odd
 * too; but 101 is none.
 */
export class AnswerHead {
  #status: number | null = null;
  #held: Buffer | null = NOTHING;
  #last = LINE_END;
  #began = false;

  /** Of the final answer; null before its status line. */
  get status(): number | null {
    return this.#status;
  }

  /** Whether any byte of an answer has come. */
  get began(): boolean {
    return this.#began;
  }

  /** Whether what has come ends with a line. */
  get endsWithLine(): boolean {
    return this.#last === LINE_END;
  }

  /** Starts over: a request goes out. */
  reset(): void {
    this.#status = null;
    this.#held = NOTHING;
    this.#last = LINE_END;
    this.#began = false;
  }

  /** @returns what the parser is to read of what has come; may be empty */
  pass(chunk: Buffer): Buffer {
    this.#began = true;
    this.#last = chunk.at(-1) ?? this.#last;
    if (this.#held === null) return chunk;
    let held = Buffer.concat([this.#held, chunk]);
    for (;;) {
      const text = held.toString('latin1');
      const blank = /^[\r\n]*/.exec(text)?.[0].length ?? 0;
      const line = /^HTTP\/\d(?:\.\d)?[ \t]+(\d{3})(?!\S)/.exec(text.slice(blank));
      const status = Number(line?.[1] ?? 0);
      const announces = status >= 100 && status < 200 && status !== 101;
      const end = announces ? /\r?\n\r?\n/.exec(text.slice(blank)) : null;
      if (end) {
        held = held.subarray(blank + end.index + end[0].length);
        if (held.length > 0) continue;
      }
      const waits = announces || mayBegin(text.slice(blank));
      if (waits && held.length <= MOST_HELD) {
        this.#held = held;
        return NOTHING;
      }
      if (line && status >= 200) this.#status = status;
      this.#held = null;
      return held;
    }
  }
}
