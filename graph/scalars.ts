import { GraphQLScalarType, Kind } from 'graphql';
import { GraphQLDateTimeISO } from 'graphql-scalars';
import { formatMoney, type Money, money } from '../domain/money';

/** A list of the vocabulary as the object that registerEnumType needs. */
export const enumOf = <Value extends string>(values: readonly Value[]): Record<Value, Value> =>
  Object.fromEntries(values.map((value) => [value, value])) as Record<Value, Value>;

const SIGNED_DECIMAL = /^-?(0|[1-9]\d{0,13})(\.\d{1,4})?$/;

function parse(value: unknown): Money {
  if (typeof value !== 'string' || !SIGNED_DECIMAL.test(value))
    throw new TypeError('a decimal is a string such as "12.5", at most four decimal places');
  return money(value);
}

/** Money and rates: a string with four decimal places; a JavaScript number never carries it. */
export const DecimalScalar = new GraphQLScalarType<Money, string>({
  name: 'Decimal',
  description: 'An exact decimal as a string, printed with four decimal places: "1500.0000".',
  serialize: (value) => formatMoney(value as Money),
  parseValue: parse,
  parseLiteral: (node) => parse(node.kind === Kind.STRING ? node.value : undefined),
});

/** Instants: RFC 3339 with any offset, answered in UTC with milliseconds. A date alone is not valid. */
export const DateTimeScalar = new GraphQLScalarType<Date, string>({
  ...GraphQLDateTimeISO.toConfig(),
  name: 'DateTime',
  description: 'An instant (RFC 3339), such as "2026-01-02T03:04:05.678Z". Any offset is taken; answers are in UTC.',
});

/** Numbers of events: they exceed a JavaScript number, so they are strings. */
export const SequenceScalar = new GraphQLScalarType<bigint, string>({
  name: 'Sequence',
  description: 'The number of a published event, as a string. Later events have greater numbers.',
  serialize: (value) => (value as bigint).toString(),
  parseValue: (value) => {
    if (typeof value !== 'string' || !/^\d{1,18}$/.test(value))
      throw new TypeError('an event number is a string of digits');
    return BigInt(value);
  },
});
