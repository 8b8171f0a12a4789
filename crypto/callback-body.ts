import { extraDataOf } from '../domain/sealed-for';
import { keyOfSealed, type Sealer } from './seal';

/*
 * The body of a callback as its row keeps it: of what it tells only `extra_data` is the merchant's own text, so only that
 * is sealed, in its place (domain/callback.ts writes the body from the row of the order).
 */

/** The field as JSON.stringify writes it. In another value the quotes before the colon would be escaped. */
const FIELD = /"extra_data":("[^"\\]*(?:\\.[^"\\]*)*")/;

interface Found {
  readonly value: string;
  readonly context: string;
  readonly replaceBy: (value: string) => string;
}

function fieldOf(body: string, merchantId: string): Found | undefined {
  const [field, text] = FIELD.exec(body) ?? [];
  if (field === undefined || text === undefined) return undefined;
  const { merchant_order_no: merchantOrderNo } = JSON.parse(body) as { merchant_order_no: string };
  return {
    value: JSON.parse(text) as string,
    context: extraDataOf({ merchantId, merchantOrderNo }),
    replaceBy: (value) => body.replace(field, () => `"extra_data":${JSON.stringify(value)}`),
  };
}

/** The exact bytes that the merchant gets. @throws Error if the field does not open */
export function openBody(sealer: Sealer, kept: string, merchantId: string): string {
  const field = fieldOf(kept, merchantId);
  return field ? field.replaceBy(sealer.open(field.value, field.context)) : kept;
}

/** The key of the field; undefined where there is none, or it is not sealed. */
export function keyOfBody(kept: string): ReturnType<typeof keyOfSealed> {
  const [, text] = FIELD.exec(kept) ?? [];
  return text === undefined ? undefined : keyOfSealed(JSON.parse(text) as string);
}

/** A body with its field under the current key. @throws Error if the field does not open */
export function sealBodyAgain(sealer: Sealer, kept: string, merchantId: string): string {
  const field = fieldOf(kept, merchantId);
  if (!field) return kept;
  const { context } = field;
  return field.replaceBy(sealer.seal(sealer.open(field.value, context), context));
}
