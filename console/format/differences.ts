import { formatMoney } from './money';
import { inWords, unsetInWords } from './words';

type Fields = Readonly<Record<string, unknown>>;

/** One side of a changed field: its value in words; `unset` where nothing is set, in words; null where it is not there. */
export type Side = { readonly text: string; readonly unset: boolean } | null;

/** A changed field with both sides. */
export interface Difference {
  /** Its path in words, such as "Currencies THB · Max amount". */
  readonly name: string;
  readonly before: Side;
  readonly after: Side;
}

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isUnset = (value: unknown): boolean =>
  value === null ||
  value === undefined ||
  value === '' ||
  (Array.isArray(value) && value.length === 0) ||
  (isFields(value) && Object.keys(value).length === 0);

/** An amount as the platform writes it, with four decimals. */
const AMOUNT = /^-?\d+\.\d{4}$/;

/** A value in words. @param field whose value it is */
function valueInWords(field: string, value: unknown): string {
  if (isUnset(value)) return unsetInWords(field);
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (Array.isArray(value))
    return value
      .map((one) => valueInWords(field, one))
      .join(value.some((one) => typeof one === 'object') ? '; ' : ', ');
  if (isFields(value))
    return Object.entries(value)
      .map(([name, one]) => {
        const text = valueInWords(name, one);
        return `${inWords(name)}: ${typeof one === 'object' && !isUnset(one) ? `(${text})` : text}`;
      })
      .join(', ');
  const text = String(value);
  return AMOUNT.test(text) ? formatMoney(text, 2) : text;
}

const sideOf = (field: string, fields: Fields | null): Side =>
  fields !== null && field in fields
    ? { text: valueInWords(field, fields[field]), unset: isUnset(fields[field]) }
    : null;

/** The fields by which an item of a list is known, in order of precedence. */
const KEYS = ['currencyCode', 'bankCode', 'channelCode', 'code', 'key', 'id', 'name'] as const;

/** A list of objects by what each is known by; null if they are not known by anything of their own. */
function byKey(value: unknown): Fields | null {
  if (!Array.isArray(value) || !value.every(isFields)) return null;
  for (const key of KEYS) {
    const names = value.map((one) => one[key]);
    if (names.every((name) => typeof name === 'string') && new Set(names).size === names.length)
      return Object.fromEntries(
        value.map(({ [key]: name, ...rest }) => [
          name as string,
          Object.keys(rest).length === 1 ? Object.values(rest)[0] : rest,
        ]),
      );
  }
  return null;
}

/** The parts of a value that can be compared one by one, by their names in words. */
function partsOf(value: unknown): { readonly parts: Fields; readonly named: boolean } | null {
  if (isFields(value)) return { parts: value, named: false };
  const parts = byKey(value);
  return parts && { parts, named: true };
}

function below(name: string, field: string, before: unknown, after: unknown): Difference[] {
  const [one, other] = [partsOf(before), partsOf(after)];
  // Of what is there on one side only, nothing can be compared.
  if (!one || !other || one.named !== other.named)
    return [
      {
        name,
        before: sideOf(field, { [field]: before }),
        after: sideOf(field, { [field]: after }),
      },
    ];
  const parts = [...new Set([...Object.keys(one.parts), ...Object.keys(other.parts)])];
  return parts
    .filter((part) => JSON.stringify(one.parts[part]) !== JSON.stringify(other.parts[part]))
    .flatMap((part) => {
      // The parts of a list are known by a code or a name, which is no field's name.
      const [named, of] = one.named ? [`${name} ${part}`, field] : [`${name} · ${inWords(part)}`, part];
      if (part in one.parts && part in other.parts) return below(named, of, one.parts[part], other.parts[part]);
      return [
        {
          name: named,
          before: part in one.parts ? sideOf(of, { [of]: one.parts[part] }) : null,
          after: part in other.parts ? sideOf(of, { [of]: other.parts[part] }) : null,
        },
      ];
    });
}

/**
 * Each changed field, in words. Of a field that is an object, or a list of things with names, only the parts that differ
 * are given, each by itself.
 */
export function differences(before: Fields | null, after: Fields | null): Difference[] {
  const fields = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])].sort();
  return fields.flatMap((field) => {
    const both = before !== null && after !== null && field in before && field in after;
    if (both && JSON.stringify(before[field]) !== JSON.stringify(after[field]))
      return below(inWords(field), field, before[field], after[field]);
    return [{ name: inWords(field), before: sideOf(field, before), after: sideOf(field, after) }];
  });
}
