import { type Static, Type } from 'typebox';
import { CurrencyCode, Id, Money, Timestamp } from './values';

/** Contract, "MerchantBalance". */
export const MerchantBalance = Type.Object({
  items: Type.Array(
    Type.Object({
      id: Id('The balance.'),
      merchant_id: Id('The merchant.'),
      currency_code: CurrencyCode,
      available_balance: Money('Free to be paid out.'),
      frozen_balance: Money('Held for orders under way.'),
      total_balance: Money('available_balance + frozen_balance.'),
      version: Type.Integer({ description: 'Increases with each posting.' }),
      created_at: Timestamp('When it was opened.'),
      updated_at: Timestamp('When it last changed.'),
    }),
    {
      description: 'One per enabled currency, zeros included, and any other that is not zero; by currency.',
    },
  ),
  merchant_id: Id('The merchant.'),
});
export type MerchantBalance = Static<typeof MerchantBalance>;
