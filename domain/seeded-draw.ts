/** 53 bits: the precision of a double, and so of a draw. */
const DRAWS = 2 ** 53;

/** Two mixed 32-bit halves of a text, by its UTF-16 units (cyrb53): every unit changes all bits. Not for secrets. */
function halvesOf(text: string): readonly [high: number, low: number] {
  let h1 = 0xdeadbeef;
  let h2 = 0x41c6ce57;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    h1 = Math.imul(h1 ^ unit, 2_654_435_761);
    h2 = Math.imul(h2 ^ unit, 1_597_334_677);
  }
  const mixed1 =
    Math.imul(h1 ^ (h1 >>> 16), 2_246_822_507) ^ Math.imul(h2 ^ (h2 >>> 13), 3_266_489_909);
  const mixed2 =
    Math.imul(h2 ^ (h2 >>> 16), 2_246_822_507) ^ Math.imul(mixed1 ^ (mixed1 >>> 13), 3_266_489_909);
  return [mixed2 >>> 11, mixed1 >>> 0];
}

/**
 * Draws that follow from a seed: each name has one number, 0 < n < 1, whatever else is drawn and however often. So what
 * was decided by chance once is decided alike after a crash, a restore, or when another name has joined.
 */
export const seededDraw =
  (seed: string) =>
  (name: string): number => {
    // The length keeps `a` + `bc` from drawing as `ab` + `c` does.
    const [high, low] = halvesOf(`${seed.length}:${seed}${name}`);
    return (high * 2 ** 32 + low + 0.5) / DRAWS;
  };
