import type { SignatureRule, SignedFieldsRule } from './schema';
import { fill, type Variables } from './template';

/** A value that is signed, by its name, in the order of the message. */
export interface NamedValue {
  readonly name: string;
  readonly value: string;
}

/** By UTF-8 bytes, which is by code points: what providers call ASCII order, whatever the language. */
function byCodePoints({ name: a }: NamedValue, { name: b }: NamedValue): number {
  const [left, right] = [Array.from(a), Array.from(b)];
  for (let i = 0; i < Math.min(left.length, right.length); i++) {
    const difference = (left[i]?.codePointAt(0) ?? 0) - (right[i]?.codePointAt(0) ?? 0);
    if (difference !== 0) return difference;
  }
  return left.length - right.length;
}

const ENCODERS: Readonly<Record<SignedFieldsRule['encode'], (text: string) => string>> = {
  none: (text) => text,
  uri: encodeURIComponent,
  // As forms are sent: a space is a plus sign.
  form: (text) => encodeURIComponent(text).replaceAll('%20', '+'),
};

/** The signed values as one text, such as `amount=100&reference=W1`. */
export function joinFields(
  { except = [], order, assign, separator, skipEmpty, encode }: SignedFieldsRule,
  values: readonly NamedValue[],
): string {
  const signed = values.filter(({ name, value }) => !except.includes(name) && !(skipEmpty && value === ''));
  const inOrder = order === 'sorted' ? [...signed].sort(byCodePoints) : signed;
  const write = ENCODERS[encode];
  return inOrder
    .map(({ name, value }) => (assign === null ? write(value) : `${name}${assign}${write(value)}`))
    .join(separator);
}

/**
 * The text that a rule signs; null where a variable of it has no value.
 * @param message the values of the message that is signed
 */
export function stringToSign(
  { text, fields }: Pick<SignatureRule, 'text' | 'fields'>,
  message: readonly NamedValue[],
  variables: Variables,
): string | null {
  if (fields === undefined) return fill(text, variables);
  const values =
    fields.of === 'message'
      ? message
      : fields.of.map(({ name, value }) => ({ name, value: fill(value, variables) ?? '' }));
  return fill(text, { ...variables, fields: joinFields(fields, values) });
}
