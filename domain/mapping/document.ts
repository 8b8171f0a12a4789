import { type Node, parseTree } from 'jsonc-parser';
import { parseStrictObject } from '../strict-json';

/** A message's values. Scalars are texts, a number as it was written: a double would change long amounts. */
export type Values = string | null | readonly Values[] | ReadonlyMap<string, Values>;

function valuesOf(node: Node | undefined, text: string): Values {
  switch (node?.type) {
    case 'object':
      return new Map(
        (node.children ?? []).map(({ children: [key, value] = [] }) => [String(key?.value), valuesOf(value, text)]),
      );
    case 'array':
      return (node.children ?? []).map((one) => valuesOf(one, text));
    case 'string':
      return String(node.value);
    case 'number':
    case 'boolean':
      return text.slice(node.offset, node.offset + node.length);
    default:
      return null;
  }
}

/** The values of a JSON object; undefined where the text is none. */
export const valuesOfJson = (text: string): Values | undefined =>
  'problem' in parseStrictObject(text) ? undefined : valuesOf(parseTree(text), text);

/** The values of a query string or a form; undefined where a name comes twice. */
export function valuesOfForm(text: string): Values | undefined {
  const values = new Map<string, string>();
  for (const [name, value] of new URLSearchParams(text)) {
    if (values.has(name)) return undefined;
    values.set(name, value);
  }
  return values;
}

/** The segments of a JSON pointer (RFC 6901). */
export const segmentsOf = (pointer: string): string[] =>
  pointer
    .split('/')
    .slice(1)
    .map((one) => one.replaceAll('~1', '/').replaceAll('~0', '~'));

/** What a pointer names; undefined where there is nothing. */
export function valueAt(values: Values, pointer: string): Values | undefined {
  let at: Values | undefined = values;
  for (const segment of segmentsOf(pointer)) {
    if (at instanceof Map) at = (at as ReadonlyMap<string, Values>).get(segment);
    else if (Array.isArray(at)) at = /^\d{1,4}$/.test(segment) ? (at as readonly Values[])[Number(segment)] : undefined;
    else return undefined;
  }
  return at;
}

/** A list that a pointer names; null where there is none. */
export function listAt(values: Values, pointer: string): readonly Values[] | null {
  const value = valueAt(values, pointer);
  return Array.isArray(value) ? (value as readonly Values[]) : null;
}

/** A text that a pointer names; null where there is none, or an empty one. */
export function textAt(values: Values, pointer: string | undefined): string | null {
  const value = pointer === undefined ? null : valueAt(values, pointer);
  return typeof value === 'string' && value !== '' ? value : null;
}

/** A value of a JSON text that holds no others, with its pointer, its type, and its text: of a number as written. */
export interface Leaf {
  readonly at: string;
  readonly type: string;
  readonly text: string;
}

function leavesBelow(node: Node | undefined, text: string, at: string): Leaf[] {
  const { type = 'null', children = [], offset = 0, length = 0 } = node ?? {};
  if (children.length > 0)
    return children.flatMap((child, i) => {
      const [key, value] = type === 'object' ? (child.children ?? []) : [undefined, child];
      const name = key === undefined ? String(i) : String(key.value);
      return leavesBelow(value, text, `${at}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`);
    });
  const written = type === 'string' ? String(node?.value) : text.slice(offset, offset + length);
  return [{ at, type, text: written }];
}

/**
 * Everything that a JSON text holds.
 * @param at the pointer of the text itself
 */
export const leavesOf = (text: string, at = ''): Leaf[] => leavesBelow(parseTree(text), text, at);
