import { type Static, Type } from 'typebox';
import { LIMITS } from '../../domain/limits';
import {
  CurrencyCode,
  Id,
  MerchantOrderNo,
  Money,
  Nullable,
  PlainText,
  RequestAmount,
  Text,
  Timestamp,
} from './values';

/** Contract, "POST /orders/deposit (Direct API)". Null is the same as absent; unknown fields are signed, then ignored. */
export const DepositOrderCreate = Type.Object({
  merchant_order_no: MerchantOrderNo,
  amount: RequestAmount,
  currency_code: CurrencyCode,
  callback_url: Type.String({
    minLength: 1,
    maxLength: LIMITS.callbackUrl,
    description: 'HTTPS URL called on status changes; no user name or password in it.',
  }),
  extra_data: Type.Optional(Text(LIMITS.extraData, 'Any text; returned unchanged in callbacks.')),
  user_id: Type.Optional(Text(LIMITS.userId, "The merchant's user, for grouping and audit.")),
  account_holder: Type.Optional(PlainText(LIMITS.accountHolder, "The payer's name.")),
  mobile: Type.Optional(Text(LIMITS.mobile, 'Forwarded only to channels that accept it.')),
  email: Type.Optional(Text(LIMITS.email, 'Forwarded only to channels that accept it.')),
  bank_code: Type.Optional(Text(LIMITS.bankCode, "The payer's bank, for audit and matching; never selects a channel.")),
  account_no: Type.Optional(Text(LIMITS.accountNo, "The payer's account or card number.")),
});
export type DepositOrderCreate = Static<typeof DepositOrderCreate>;

const OF_ALL = {
  order_no: Type.String({ description: "The gateway's number, used in queries." }),
  requested_amount: Money('The amount as sent.'),
  amount: Money('What the payer must transfer.'),
  currency_code: CurrencyCode,
  expire_at: Timestamp('The order takes no payment after this.'),
};

const BANK_DETAILS = {
  bank_code: Type.String({ description: 'The bank that the payer transfers to.' }),
  bank_name: Type.String(),
  bank_branch: Nullable(Type.String({ description: 'Null if the account has none.' })),
  account_no: Type.String({ description: 'The account that the payer transfers to.' }),
  account_holder: Type.String(),
};
/** The payer's bank details, as texts. */
export type MirroredDetails = Readonly<Record<keyof typeof BANK_DETAILS, string>>;

const AccountPaymentInfo = Type.Object(
  {
    ...OF_ALL,
    ...BANK_DETAILS,
    remark: Nullable(
      Type.String({
        description:
          'The text that the payer puts into the transfer memo; null if the amount alone identifies the order.',
      }),
    ),
  },
  { description: 'Of an account order: the payer transfers to a managed account.' },
);

const ChannelPaymentInfo = Type.Object(
  {
    ...OF_ALL,
    payment_url: Nullable(Type.String({ description: 'Where to send the payer.' })),
    payment_info: Nullable(
      Type.Record(Type.String(), Type.Unknown(), {
        description:
          'Payment details from the channel; its keys differ by channel. `mock: true`: of the sandbox’s mock channel.',
      }),
    ),
    ...Type.Partial(Type.Object(BANK_DETAILS)).properties,
  },
  { description: 'Of a channel order; the bank details are present if the channel provided them.' },
);

/** Contract, "DepositPaymentInfo": the keys of the order's kind and no other. */
export const DepositPaymentInfo = Type.Union([AccountPaymentInfo, ChannelPaymentInfo]);
export type DepositPaymentInfo = Static<typeof DepositPaymentInfo>;

const NO_CHANNEL = 'Null without a channel.';

/** Contract, "DepositOrder": every listed key, always; null where unknown or not applicable. */
export const DepositOrderResponse = Type.Object({
  id: Id('The order.'),
  order_no: Type.String({ description: "The gateway's number." }),
  merchant_order_no: Type.String({ description: "The merchant's number." }),
  merchant_id: Id('The merchant.'),
  account_id: Nullable(Id('The managed account that it is paid to.')),
  requested_amount: Money('The amount as sent.'),
  amount: Money('What the payer must transfer.'),
  fee: Money('The quote until completed, then the charge.'),
  actual_amount: Money('Gross received, before the fee; zero until completed.'),
  currency_code: CurrencyCode,
  expected_remark: Nullable(Type.String({ description: 'What the payer must put into the memo.' })),
  status: Type.String({
    description: 'pending, matched, completed, expired, cancelled or failed. The last four are final.',
    examples: ['pending'],
  }),
  expire_at: Timestamp('The order takes no payment after this.'),
  matched_at: Nullable(Timestamp('When the payment was recognised.')),
  completed_at: Nullable(Timestamp('When it was credited.')),
  created_at: Timestamp('When it was created.'),
  updated_at: Timestamp('When it last changed.'),
  callback_url: Nullable(Type.String({ description: 'Where callbacks go.' })),
  callback_status: Nullable(
    Type.String({
      description: 'Of the newest callback: sending, waiting_retry, success or failed; null before any.',
    }),
  ),
  callback_count: Type.Integer({ description: 'Attempts at callbacks.' }),
  user_id: Nullable(Type.String({ description: "The merchant's user." })),
  order_type: Type.String({ description: 'direct or cashier.', examples: ['direct'] }),
  cashier_session_id: Nullable(Id('The cashier session that it came from.')),
  payer_bank_code: Nullable(Type.String({ description: "The payer's bank, as the merchant sent it." })),
  payer_account_last4: Nullable(Type.String({ description: "Of the payer's account, as the merchant sent it." })),
  channel_id: Nullable(Id('The channel that takes it; beside an account, the one that reports on it.')),
  channel_order_no: Nullable(Type.String({ description: "The channel's number of it; null until it has opened it." })),
  payment_url: Nullable(Type.String({ description: "The channel's page for the payer." })),
  estimated_channel_cost: Nullable(Money('Null while unknown.')),
  estimated_profit: Nullable(Money('Null while unknown.')),
  actual_channel_cost: Nullable(Money('Null while unknown.')),
  actual_profit: Nullable(Money('Null while unknown.')),
  payment_snapshot: Type.Record(Type.String(), Type.String(), {
    description: 'What the payer was shown; enough to show it again.',
  }),
  merchant: Type.Object({
    id: Id('The merchant.'),
    merchant_code: Type.String(),
    name: Type.String(),
  }),
  account: Nullable(
    Type.Object(
      {
        id: Id('The managed account.'),
        account_no: Type.String(),
        name: Type.String(),
        bank_code: Type.String(),
        bank_name: Type.String(),
        account_holder: Type.String(),
      },
      { description: 'The managed account that it is paid to.' },
    ),
  ),
  channel: Nullable(
    Type.Object(
      { id: Id('The channel.'), channel_code: Type.String(), channel_name: Type.String() },
      { description: NO_CHANNEL },
    ),
  ),
});
export type DepositOrderResponse = Static<typeof DepositOrderResponse>;
