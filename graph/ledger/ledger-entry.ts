import {
  Authorized,
  Ctx,
  Field,
  FieldResolver,
  ID,
  Int,
  ObjectType,
  registerEnumType,
  Resolver,
  Root,
} from 'type-graphql';
import { TRANSFER_TYPES, type TransferType } from '../../domain/ledger';
import type { Money } from '../../domain/money';
import type { LedgerEntryRow } from '../../db/ledger/ledger';
import type { GraphContext } from '../context';
import { DecimalScalar, enumOf } from '../scalars';

export const LedgerTransferTypeEnum = enumOf(TRANSFER_TYPES);
registerEnumType(LedgerTransferTypeEnum, {
  name: 'LedgerTransferType',
  description: 'What a ledger transfer records; see docs/ledger.md.',
  valuesConfig: {
    BANK_CREDIT: { description: 'Money arrived on a managed account: bank → suspense.' },
    DEPOSIT_CREDIT: { description: "It became a merchant's: suspense → merchant and fee income." },
    BALANCE_ADJUSTMENT: {
      description: "A merchant's balance was corrected: adjustment ↔ merchant.",
    },
    BALANCE_TOP_UP: { description: 'A merchant paid in beforehand: treasury → merchant.' },
    CHANNEL_COST: { description: 'What a channel charged for a payout.' },
    CREDIT_HELD: { description: "A credit was put on hold: merchant's available → frozen." },
    DEPOSIT_RECALLED: { description: 'A completed deposit was taken back from its merchant.' },
    HOLD_RELEASED: { description: "A hold ended: merchant's frozen → available." },
    ACCOUNT_CORRECTED: {
      description: 'A book was corrected to its statement: bank or channel ↔ equity.',
    },
    ACCOUNT_OPENED: { description: 'A book was opened with a balance: bank or channel → equity.' },
    BANK_CHARGED: { description: 'A bank charged an account: bank cost → bank.' },
    CHANNEL_CLAIMED: {
      description: 'A channel paid what another paid, or may pay: channel claim → channel.',
    },
    FEE_HELD: {
      description: "A merchant prepays the fee of a deposit: merchant's available → frozen.",
    },
    FEE_RELEASED: {
      description: "The deposit ended without money: merchant's frozen → available.",
    },
    FEE_CAPTURED: {
      description: "The deposit was credited: merchant's frozen → fee income, the rest available.",
    },
    LATE_RECEIVED: {
      description: 'A channel received what its order was over without: channel → suspense.',
    },
    LATE_RETURNED: {
      description: 'A channel gave its payer back what came too late: suspense → channel.',
    },
    CHANNEL_CHARGED: {
      description: 'A channel charged something beside its orders: channel cost → channel.',
    },
    CLAIM_SETTLED: {
      description: 'A channel gave back what it paid too much: channel, or suspense, → claim.',
    },
    CLAIM_WRITTEN_OFF: { description: 'What a channel owes was given up: loss → claim.' },
    INTEREST_RECEIVED: { description: 'A bank paid interest: suspense → bank cost.' },
    REPORTED_TWICE: {
      description: 'A bank credit had been reported before: suspense → bank.',
    },
    LATE_CREDIT: {
      description: "Money for a final order, or for none, became a merchant's: suspense → merchant.",
    },
    BOOK_OPENED: {
      description: "A sandbox's purge took old orders away with their postings: what they left, carried forward.",
    },
    MONEY_RETURNED: { description: 'Money that waited went back to its payer: suspense → bank.' },
    MONEY_UNCLAIMED: { description: 'Nobody claimed money for long: suspense → unclaimed.' },
    OWN_TRANSFER_IN: { description: 'Our own money arrived: suspense or channel → in transit.' },
    OWN_TRANSFER_OUT: { description: 'Our own money left: in transit → bank or channel.' },
    PAYOUT_RETURNED: {
      description: 'A manual payout came back from its bank: suspense → merchant.',
    },
    POSTING_REVERSED: { description: 'What operators had posted was taken back: the reverse.' },
    COMMISSION_EARNED: {
      description: 'A reseller earned its share of a fee: fee income → reseller.',
    },
    COMMISSION_REVERSED: {
      description: 'The fee was reversed, and the share with it: reseller → fee income.',
    },
    COMMISSION_PAID: { description: 'A reseller was paid its commissions: reseller → bank.' },
    PROFIT_TAKEN: { description: 'What was earned was taken out: fee income → bank.' },
    REFUND_FROZEN: { description: "A refund was agreed on: merchant's available → frozen." },
    REFUND_PAID: { description: "A payer has a refund: merchant's frozen → bank." },
    REFUND_RELEASED: { description: "A refund was not paid: merchant's frozen → available." },
    TOP_UP_RECEIVED: {
      description: "A merchant's top-up came to an account: suspense → merchant.",
    },
    RECEIVABLE_COVERED: { description: 'A merchant paid what it owed: available → receivable.' },
    WITHDRAWAL_FREEZE: {
      description: "Amount and fee of a new withdrawal: merchant's available → frozen.",
    },
    WITHDRAWAL_LATE_PAID: {
      description:
        'A channel paid a withdrawal that had failed: merchant, which owes the rest, → channel and fee income.',
    },
    WITHDRAWAL_PAID: {
      description: "A payout succeeded: merchant's frozen → bank or channel, and fee income.",
    },
    WITHDRAWAL_RELEASE: {
      description: "A withdrawal ended unpaid: merchant's frozen → available.",
    },
    WITHDRAWAL_RETURNED: {
      description: 'The bank gave a completed payout back: channel → merchant.',
    },
  },
});

@ObjectType({
  simpleResolvers: true,
  description: 'A line of a ledger transfer. Credits are positive, debits negative; a transfer sums to zero.',
})
export class LedgerEntry {
  @Field(() => ID, {
    description: 'The id of the ledger transfer that it belongs to, a UUID; not that of a bank transfer.',
  })
  transferId!: string;

  @Field(() => LedgerTransferTypeEnum, {
    description: 'What the ledger transfer records. Expect new types.',
  })
  type!: TransferType;

  @Field({ description: 'When it was posted.' })
  at!: Date;

  @Field(() => Int, { description: 'Its number within the ledger transfer, from 1.' })
  line!: number;

  @Field({
    description: 'The ledger account, such as `suspense` or `merchant:{id}:available`; see docs/ledger.md.',
  })
  account!: string;

  @Field({ description: 'ISO 4217.' })
  currencyCode!: string;

  @Field(() => DecimalScalar, {
    description: 'Four decimal places. A credit is positive, a debit negative.',
  })
  amount!: Money;

  @Field(() => DecimalScalar, {
    nullable: true,
    description: 'Of merchant accounts: the balance before this line.',
  })
  balanceBefore!: Money | null;

  @Field(() => DecimalScalar, {
    nullable: true,
    description: 'Of merchant accounts: the balance after this line.',
  })
  balanceAfter!: Money | null;
}

@Resolver(() => LedgerEntry)
export class LedgerEntryResolver {
  @Authorized('VIEW')
  @FieldResolver(() => String, {
    nullable: true,
    description: 'The gateway number of the order that it is about; null where it is about none.',
  })
  async orderNo(@Root() { orderId }: LedgerEntryRow, @Ctx() { loaders }: GraphContext): Promise<string | undefined> {
    return orderId === null ? undefined : (await loaders.orderNos.load(orderId))?.orderNo;
  }
}
