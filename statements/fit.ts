import type { RE2JS } from 're2js';

/** How a pattern fits a message. */
export type Fit =
  | { readonly kind: 'NONE' }
  /** From the first character, in one way: what its groups are. */
  | { readonly kind: 'FITS'; readonly groups: Readonly<Record<string, string | null>> }
  /** Not from the first character, or in more than one way. */
  | { readonly kind: 'ELSEWHERE' | 'SEVERAL_WAYS' };

/**
 * Fits a pattern to a whole message from its first character. What banks write is fixed, so that it fits in one way; a
 * group that could begin at two places may have been filled by the payer. Patterns without an end leave a rest unread,
 * in which they must not fit again. It refers to nothing outside of itself: a thread runs its source.
 * @param compile an expression of RE2; `(?U:…)` prefers short repetitions where the pattern prefers long ones, and the
 * other way round
 */
export function fitOf(compile: (pattern: string) => RE2JS, pattern: string, text: string): Fit {
  const usual = compile(pattern);
  const inverse = compile(`(?U:${pattern})`);
  const first = usual.matcher(text);
  const second = inverse.matcher(text);
  const isWhole = first.matches();
  if (!isWhole && !first.lookingAt()) return { kind: first.find(0) ? 'ELSEWHERE' : 'NONE' };
  const fitsAgain = isWhole ? second.matches() : second.lookingAt();
  const groups: Record<string, string | null> = {};
  for (const name of Object.keys(usual.namedGroups())) {
    const value = first.group(name);
    const other = fitsAgain ? second.group(name) : null;
    groups[name] = value;
    // A memo belongs to the payer in any case, and a pattern without an end may stop before an optional group.
    const mayLack = name === 'memo' || !isWhole;
    if (mayLack && (!value?.trim() || !other?.trim())) continue;
    const startOf = (said: string | null, start: number): number =>
      said === null ? -1 : start + said.length - said.trimStart().length;
    if (startOf(value, first.start(name)) !== startOf(other, second.start(name))) return { kind: 'SEVERAL_WAYS' };
  }
  if (!isWhole && first.find(Math.max(1, first.end()))) return { kind: 'SEVERAL_WAYS' };
  return { kind: 'FITS', groups };
}
