import { type Static, Type } from 'typebox';
import { LIMITS } from '../../domain/limits';
import { Moment } from './moment';
import { CurrencyCode, Id, Nullable, RequestAmount, Text } from './values';

/** docs/bank-notifications.md. Null is the same as absent; unknown fields are ignored. */
export const BankNotification = Type.Object({
  direction: Type.Optional(
    Type.Unsafe<'credit' | 'debit'>({
      type: 'string',
      enum: ['credit', 'debit'],
      description: 'Seen from the account: `credit` (the default), money that came; `debit`, money that left.',
    }),
  ),
  account_id: Type.String({ description: 'The managed account, by its id.' }),
  amount: RequestAmount,
  currency_code: CurrencyCode,
  bank_time: Moment('When the bank booked it: RFC 3339 with an offset; at most an hour ahead of our clock.'),
  memo: Text(LIMITS.bankMemo, 'The memo, as the bank shows it; "" if there is none.'),
  bank_reference: Type.Optional(
    Text(LIMITS.bankReference, "The bank's own reference: the best protection against duplicates."),
  ),
  payer_name: Type.Optional(Text(LIMITS.accountHolder, 'Of a credit, as the bank shows it.')),
  payer_account: Type.Optional(Text(LIMITS.accountNo, 'Of a credit, as the bank shows it.')),
  payee_name: Type.Optional(Text(LIMITS.accountHolder, 'Of a debit, as the bank shows it.')),
  payee_account: Type.Optional(Text(LIMITS.accountNo, 'Of a debit, as the bank shows it.')),
  balance_after: Type.Optional(
    Type.Unsafe<string | number>({
      type: ['string', 'number'],
      description:
        "The account's balance after it, as a plain decimal. A gap to the balance before pauses the account.",
      examples: ['1600.00'],
    }),
  ),
});
export type BankNotification = Static<typeof BankNotification>;

export const RecordedNotification = Type.Object({
  transfer_id: Id('The recorded bank credit or debit.'),
  duplicate: Type.Boolean({ description: 'It was recorded before; nothing was done now.' }),
  matched: Type.Boolean({
    description: 'A credit: it pays a deposit. A debit: it explains a payout.',
  }),
  unmatched_reason: Nullable(
    Type.String({
      description: 'Why it waits for a person; null once matched.',
      examples: ['no_remark', 'no_task'],
    }),
  ),
});
export type RecordedNotification = Static<typeof RecordedNotification>;
