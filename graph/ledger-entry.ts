import { Field, ID, Int, ObjectType, registerEnumType } from 'type-graphql';
import { TRANSFER_TYPES, type TransferType } from '../domain/ledger';
import type { Money } from '../domain/money';
import { DecimalScalar, enumOf } from './scalars';

/** The transfer type as GraphQL knows it. */
export const TransferTypeEnum = enumOf(TRANSFER_TYPES);
registerEnumType(TransferTypeEnum, {
  name: 'TransferType',
  description: 'What a ledger transfer records; see docs/ledger.md.',
  valuesConfig: {
    BANK_CREDIT: { description: 'Money arrived on a managed account: bank → suspense.' },
    DEPOSIT_CREDIT: { description: "It became a merchant's: suspense → merchant and fee income." },
  },
});

@ObjectType({
  simpleResolvers: true,
  description:
    'A line of a ledger transfer. Credits are positive, debits negative; a transfer sums to zero.',
})
export class LedgerEntry {
  @Field(() => ID)
  transferId!: string;

  @Field(() => TransferTypeEnum)
  type!: TransferType;

  @Field()
  at!: Date;

  @Field(() => Int)
  line!: number;

  @Field()
  account!: string;

  @Field({ description: 'ISO 4217.' })
  currencyCode!: string;

  @Field(() => DecimalScalar)
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
