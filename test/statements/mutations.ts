/** Numbers from 0 to below 1, the same for the same seed. */
export function seededRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

const PIECES = ['\n', '\0', '"', ',', ':61:', ':62F:', '-', '<', '>', '&', '9'.repeat(20), '\u00e9', '?32', '00'];

/** A file with some bytes changed, dropped, repeated or put in. */
export function mutated(file: Buffer, random: () => number): Buffer {
  let bytes = file;
  const most = 1 + Math.floor(random() * 4);
  for (let n = 0; n < most; n++) {
    const at = Math.floor(random() * bytes.length);
    const to = at + Math.floor(random() * 20);
    const piece = Buffer.from(PIECES[Math.floor(random() * PIECES.length)] ?? '');
    const kinds = [Buffer.from([Math.floor(random() * 256)]), Buffer.alloc(0), bytes.subarray(at, to), piece];
    const put = kinds[Math.floor(random() * kinds.length)] ?? piece;
    const from = random() < 0.5 ? at : to;
    bytes = Buffer.concat([bytes.subarray(0, at), put, bytes.subarray(from)]);
  }
  return bytes;
}
