/**
 * The payer writes the remark into the transfer's memo: eight characters without look-alikes (no 0 O 1 I L), the last
 * of them a check character. 31 is prime, so the weighted sum finds every single wrong character and every swap of two.
 */
const ALPHABET = '23456789ABCDEFGHJKMNPQRSTUVWXYZ';
const BASE = ALPHABET.length;
const PAYLOAD = 7;
/** Characters of a remark, the check character included. */
export const REMARK_LENGTH = PAYLOAD + 1;

/** Random bytes at or above this would favour the first characters. */
const UNBIASED = 256 - (256 % BASE);

function checkCharacter(payload: string): string {
  let sum = 0;
  for (let i = 0; i < PAYLOAD; i++) sum += (i + 2) * ALPHABET.indexOf(payload.charAt(i));
  return ALPHABET.charAt(sum % BASE);
}

/**
 * Makes a remark.
 * @param random random bytes, 32 or more: biased ones are skipped
 */
export function newRemark(random: Uint8Array): string {
  let payload = '';
  for (const byte of random) {
    if (payload.length === PAYLOAD) break;
    if (byte < UNBIASED) payload += ALPHABET.charAt(byte % BASE);
  }
  if (payload.length < PAYLOAD) throw new RangeError('not enough random bytes for a remark');
  return payload + checkCharacter(payload);
}

/** Whether a text has the form of a remark and its check character is right. */
export function isRemark(text: string): boolean {
  if (text.length !== REMARK_LENGTH) return false;
  for (const character of text) if (!ALPHABET.includes(character)) return false;
  return checkCharacter(text) === text.charAt(PAYLOAD);
}

/** Makes memos comparable, however banks mangle them: folds width and case, keeps only letters and digits. */
export const normaliseMemo = (memo: string): string =>
  memo
    .normalize('NFKC')
    .toUpperCase()
    .replace(/[^A-Z0-9]/g, '');

/**
 * Every text in a memo that could be a remark, each once. Banks break and join lines, so a remark may begin anywhere.
 */
export function remarksIn(memo: string): string[] {
  const text = normaliseMemo(memo);
  const found = new Set<string>();
  for (let i = 0; i + REMARK_LENGTH <= text.length; i++) {
    const candidate = text.slice(i, i + REMARK_LENGTH);
    if (isRemark(candidate)) found.add(candidate);
  }
  return [...found];
}
