/** 53 bits: the precision of a double, and so of a draw. */
const DRAWS = 2 ** 53;

type Halves = readonly [number, number];
const START: Halves = [0xdeadbeef, 0x41c6ce57];

/** What two 32-bit halves are after the UTF-16 units of a text (cyrb53). */
function after([first, second]: Halves, text: string): Halves {
  let [h1, h2] = [first, second];
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    h1 = Math.imul(h1 ^ unit, 2_654_435_761);
    h2 = Math.imul(h2 ^ unit, 1_597_334_677);
  }
  return [h1, h2];
}

/** The halves mixed: every unit of the text changes all bits. Not for secrets. */
function mixed([h1, h2]: Halves): readonly [high: number, low: number] {
  const mixed1 = Math.imul(h1 ^ (h1 >>> 16), 2_246_822_507) ^ Math.imul(h2 ^ (h2 >>> 13), 3_266_489_909);
  const mixed2 = Math.imul(h2 ^ (h2 >>> 16), 2_246_822_507) ^ Math.imul(mixed1 ^ (mixed1 >>> 13), 3_266_489_909);
  return [mixed2 >>> 11, mixed1 >>> 0];
}

/**
 * Draws that follow from a seed: each name has one number, 0 < n < 1, whatever else is drawn and however often. So what
 * was decided by chance once is decided alike after a crash, a restore, or when another name has joined.
 */
export function seededDraw(seed: string): (name: string) => number {
  // The length keeps `a` + `bc` from drawing as `ab` + `c` does.
  const seeded = after(START, `${seed.length}:${seed}`);
  return (name) => {
    const [high, low] = mixed(after(seeded, name));
    return (high * 2 ** 32 + low + 0.5) / DRAWS;
  };
}
