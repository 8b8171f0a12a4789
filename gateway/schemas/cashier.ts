import { type Static, Type } from 'typebox';
import { LIMITS } from '../../domain/limits';
import { CurrencyCode, MerchantOrderNo, Id, RequestAmount, Text, Timestamp } from './values';

/** Contract, "POST /orders/deposit/cashier". Null is the same as absent; unknown fields are signed, then ignored. */
export const CashierDepositOrderCreate = Type.Object({
  order_type: Type.Optional(
    Type.Literal('cashier', {
      description: 'Reserved: absent, or this value.',
      default: 'cashier',
    }),
  ),
  merchant_order_no: MerchantOrderNo,
  amount: Type.Optional(RequestAmount),
  currency_code: CurrencyCode,
  callback_url: Type.Optional(
    Text(
      LIMITS.callbackUrl,
      "HTTPS URL called on status changes. Absent or empty: the merchant's default; without one, no callbacks.",
    ),
  ),
  extra_data: Type.Optional(Text(LIMITS.extraData, 'Any text; returned unchanged in callbacks.')),
  user_id: Type.Optional(
    Text(
      LIMITS.userId,
      "The merchant's user: a PENDING session of the same user is continued. Empty is the same as absent.",
    ),
  ),
  payer_bank_cards: Type.Optional(
    Type.Array(Type.Record(Type.String(), Type.String()), {
      maxItems: LIMITS.payerBankCards,
      description: 'Cards of the payer, who must choose one of them; objects of strings.',
    }),
  ),
});
export type CashierDepositOrderCreate = Static<typeof CashierDepositOrderCreate>;

/** Contract, "CashierCreateResponse". */
export const CashierCreateResponse = Type.Object({
  cashier_url: Type.String({
    description: 'Where to send the payer, at top level: browsers refuse to frame the page. Ends with the token.',
    examples: ['https://pay.example.com/cashier/eyJhbGciOi...'],
  }),
  cashier_token: Type.String({
    description: 'The same token. It is not a credential of this API: do not store it. A continued session keeps it.',
  }),
  session_id: Id('The session.'),
  expire_at: Timestamp('The payer must have chosen by then; the order has an expiry of its own.'),
});
export type CashierCreateResponse = Static<typeof CashierCreateResponse>;
