import { type Static, type TSchema, Type } from 'typebox';
import { LIMITS } from '../../domain/limits';

/** A value, or null if it is unknown or does not apply. */
export const Nullable = <Schema extends TSchema>(
  schema: Schema & { type: string },
): ReturnType<typeof Type.Unsafe<Static<Schema> | null>> =>
  Type.Unsafe<Static<Schema> | null>({ ...schema, type: [schema.type, 'null'] });

/** Money in responses. */
export const Money = (description: string) =>
  Type.String({
    description: `${description} Decimal, four decimal places.`,
    examples: ['100.0000'],
  });

/** RFC 3339, UTC, milliseconds. */
export const Timestamp = (description: string) => Type.String({ description, examples: ['2026-01-01T00:00:00.000Z'] });

export const Id = (description: string) =>
  Type.String({ description, examples: ['019b76da-a800-7000-8000-000000000000'] });

/** Text of a request. Lengths count code points. */
export const Text = (maxLength: number, description: string) => Type.String({ maxLength, description });

/** C0, DEL and C1 control characters: banks refuse or drop them. */
const NO_CONTROLS = '^[^\\u0000-\\u001f\\u007f-\\u009f]*$';

/** Text of a request that a bank gets to see: without control characters. */
export const PlainText = (maxLength: number, description: string, minLength = 0) =>
  Type.String({
    ...(minLength > 0 && { minLength }),
    maxLength,
    pattern: NO_CONTROLS,
    description,
  });

/** ISO 4217. Whether the currency is known and enabled is a business rule. */
export const CurrencyCode = Type.String({
  pattern: '^[A-Z]{3}$',
  description: 'ISO 4217.',
  examples: ['USD'],
});

/** An amount of a request. The domain checks its exact text: a parsed number has lost its spelling. */
export const RequestAmount = Type.Unsafe<string | number>({
  type: ['string', 'number'],
  description:
    'Plain decimal greater than 0, without sign, exponent, grouping or leading zeros; at most ' +
    `${LIMITS.amountIntegerDigits} integer digits and the decimal places of its currency. ` +
    'Send it as a string to keep its precision.',
  examples: ['100.00'],
});

/** Contract, "Limits": byte-exact, one namespace per merchant over all kinds of orders. */
export const MerchantOrderNo = Type.String({
  minLength: 1,
  maxLength: LIMITS.merchantOrderNo,
  pattern: NO_CONTROLS,
  description:
    "The merchant's own number, byte-exact: no trimming, case counts. One namespace over deposits, cashier " +
    'sessions and withdrawals. A refused create leaves it free; once claimed it is never free again.',
});
