import type { Plain } from '../change-request';

/** Data as one line for each value, by its path: what two versions differ in can then be read line by line. */
export function flatten(value: Plain, path = ''): Readonly<Record<string, string>> {
  if (typeof value !== 'object' || value === null)
    return { [path]: typeof value === 'string' ? value : JSON.stringify(value) };
  const entries: [string, Plain][] = Object.entries(value);
  if (entries.length === 0) return { [path]: JSON.stringify(value) };
  const lines = entries.flatMap(([key, one]) =>
    Object.entries(flatten(one, `${path}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`)),
  );
  return Object.fromEntries(lines);
}

/** A value that differs between two versions; null on the side that does not have it. */
export interface MappingDifference {
  readonly path: string;
  readonly before: string | null;
  readonly after: string | null;
}

/** What two versions differ in, in the order of the newer one, and then what it no longer has. */
export function differencesOf(before: Plain, after: Plain): MappingDifference[] {
  const [was, is] = [flatten(before), flatten(after)];
  return [...new Set([...Object.keys(is), ...Object.keys(was)])]
    .map((path) => ({ path, before: was[path] ?? null, after: is[path] ?? null }))
    .filter((one) => one.before !== one.after);
}
