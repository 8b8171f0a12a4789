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

/** A text that must not be empty. */
const Required = (maxLength: number, description: string) => PlainText(maxLength, description, 1);

/** Contract, "POST /orders/withdrawal". Null is the same as absent; unknown fields are signed, then ignored. */
export const WithdrawalOrderCreate = Type.Object({
  merchant_order_no: MerchantOrderNo,
  amount: RequestAmount,
  currency_code: CurrencyCode,
  beneficiary_name: Required(LIMITS.beneficiaryName, 'Who is paid.'),
  beneficiary_account: Required(LIMITS.beneficiaryAccount, 'The account that is paid.'),
  beneficiary_bank_code: Required(
    LIMITS.beneficiaryBankCode,
    "The account's bank, by its code in the directory of the currency.",
  ),
  beneficiary_bank_branch: Type.Optional(
    PlainText(LIMITS.beneficiaryBankBranch, "The account's branch, if the bank requires one."),
  ),
  callback_url: Type.Optional(
    Text(LIMITS.callbackUrl, "HTTPS URL called on status changes; else the merchant's default."),
  ),
  extra_data: Type.Optional(Text(LIMITS.extraData, 'Any text; returned unchanged in callbacks.')),
});
export type WithdrawalOrderCreate = Static<typeof WithdrawalOrderCreate>;

const COST = 'Null while unknown.';

/** Contract, "WithdrawalOrder": every listed key, always; null where unknown or not applicable. */
export const WithdrawalOrder = Type.Object({
  id: Id('The order.'),
  order_no: Type.String({ description: "The gateway's number." }),
  merchant_order_no: Type.String({ description: "The merchant's number." }),
  merchant_id: Id('The merchant.'),
  account_id: Nullable(Id('The managed account that pays; null for channels.')),
  amount: Money('What the beneficiary gets, in full.'),
  fee: Money('On top of the amount; frozen with it.'),
  actual_amount: Money('What was paid; zero until completed.'),
  currency_code: CurrencyCode,
  beneficiary_name: Type.String(),
  beneficiary_account: Type.String(),
  beneficiary_bank_code: Type.String(),
  beneficiary_bank_name: Type.String({ description: 'From the directory.' }),
  beneficiary_bank_branch: Nullable(Type.String()),
  payout_method: Nullable(Type.String({ description: 'channel or manual; null until routed.' })),
  status: Type.String({
    description: 'pending, approved, completed, rejected, failed or cancelled. The last four are final.',
    examples: ['pending'],
  }),
  is_auto_approved: Type.Boolean({ description: 'Whether it was approved without a person.' }),
  approved_at: Nullable(Timestamp('When it was approved.')),
  approved_by: Nullable(Type.String({ description: "The last approver's id, or system." })),
  approval_remarks: Nullable(Type.String({ description: "The approval's remarks; of a rejected order, the reason." })),
  processed_at: Nullable(Timestamp('When it was first dispatched.')),
  completed_at: Nullable(Timestamp('When it was paid.')),
  bank_reference: Nullable(Type.String({ description: "The bank's reference of the payout." })),
  callback_url: Nullable(Type.String({ description: 'Where callbacks go.' })),
  callback_status: Nullable(
    Type.String({
      description: 'Of the newest callback: sending, waiting_retry, success or failed; null before any.',
    }),
  ),
  callback_count: Type.Integer({ description: 'Attempts at callbacks.' }),
  created_at: Timestamp('When it was created.'),
  updated_at: Timestamp('When it last changed.'),
  needs_manual_intervention: Type.Boolean({
    description: 'The outcome of its payout is unknown: people must resolve it.',
  }),
  manual_reason: Nullable(Type.String({ description: 'Why.' })),
  channel_id: Nullable(Id('The payment channel that pays.')),
  channel_name: Nullable(Type.String()),
  channel_order_no: Nullable(Type.String({ description: "The channel's number." })),
  estimated_channel_cost: Nullable(Money(COST)),
  estimated_profit: Nullable(Money(COST)),
  actual_channel_cost: Nullable(Money(COST)),
  actual_profit: Nullable(Money(COST)),
  merchant: Type.Object({
    id: Id('The merchant.'),
    merchant_code: Type.String(),
    name: Type.String(),
  }),
  approver: Nullable(
    Type.Object(
      { id: Id('The operator.'), name: Type.String() },
      { description: 'The operator who approved it; null if no person had to.' },
    ),
  ),
});
export type WithdrawalOrder = Static<typeof WithdrawalOrder>;
