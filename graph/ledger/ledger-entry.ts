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

/** The transfer type as GraphQL knows it. */
export const LedgerTransferTypeEnum = enumOf(TRANSFER_TYPES);
registerEnumType(LedgerTransferTypeEnum, {
  name: 'LedgerTransferType',
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

  @Field(() => LedgerTransferTypeEnum)
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

@Resolver(() => LedgerEntry)
export class LedgerEntryResolver {
  @Authorized('VIEW')
  @FieldResolver(() => String, {
    nullable: true,
    description: 'The gateway number of the order that it is about; null where it is about none.',
  })
  async orderNo(
    @Root() { orderId }: LedgerEntryRow,
    @Ctx() { loaders }: GraphContext,
  ): Promise<string | undefined> {
    return orderId === null ? undefined : (await loaders.orderNos.load(orderId))?.orderNo;
  }
}
