/** Bytes of a receiver's answer that the callback's row keeps. */
export const KEPT_BYTES = 4 * 1024;

/** A shorter text would be found in answers that echo nothing. */
const SHORTEST_FORM = 8;

/**
 * A secret as base64 has it, in both alphabets: of three bytes each, so it depends on how many come before it. Without
 * the characters at its ends that its neighbours share.
 */
function inBase64(secret: string): string[] {
  const bytes = Buffer.from(secret);
  return [0, 1, 2].flatMap((before) => {
    const padded = Buffer.concat([Buffer.alloc(before), bytes]);
    const [from, to] = [Math.ceil((before * 4) / 3), Math.floor((padded.length * 4) / 3)];
    const forms = (['base64', 'base64url'] as const).map((alphabet) => padded.toString(alphabet).slice(from, to));
    return forms.filter((form) => form.length >= SHORTEST_FORM);
  });
}

/**
 * The beginning of a receiver's answer. A receiver that echoes the request would put the merchant's secrets into our
 * database, so they are masked, also in base64 and across the cut.
 */
export class KeptBody {
  readonly #chunks: Buffer[] = [];
  readonly #secrets: readonly string[];
  readonly #wanted: number;
  #size = 0;

  /** @param secrets header values as sent @param most bytes that are kept */
  constructor(
    secrets: readonly string[],
    private readonly most = KEPT_BYTES,
  ) {
    this.#secrets = secrets.filter((secret) => secret !== '').flatMap((secret) => [secret, ...inBase64(secret)]);
    this.#wanted = most + Math.max(0, ...this.#secrets.map((secret) => secret.length));
  }

  /** @returns whether more is wanted */
  add(chunk: Buffer): boolean {
    this.#chunks.push(chunk.subarray(0, this.#wanted - this.#size));
    this.#size = Math.min(this.#size + chunk.length, this.#wanted);
    return this.#size < this.#wanted;
  }

  /** As PostgreSQL can hold it: invalid UTF-8 replaced, NUL removed. */
  text(): string {
    const bytes = Buffer.concat(this.#chunks);
    for (const secret of this.#secrets) {
      for (let at = bytes.indexOf(secret); at !== -1; at = bytes.indexOf(secret, at)) {
        bytes.fill('*', at, at + secret.length);
      }
    }
    return bytes.subarray(0, this.most).toString('utf8').replaceAll('\0', '');
  }
}
