import { Field, ID, Int, InterfaceType } from 'type-graphql';
import type { NotificationStatus } from '../../domain/callback';
import type { Money } from '../../domain/money';
import { Callback, CallbackStatusEnum } from '../callbacks/callback';
import { OrderEvent } from '../deposits/order-event';
import { Merchant } from '../merchants/merchant';
import { DecimalScalar } from '../scalars';
import { Workflow } from '../workflow';

/** The fields that deposits and withdrawals have in common. Their own types resolve each field. */
@InterfaceType({
  description: 'What deposits and withdrawals have in common.',
  resolveType: (order: object) => ('beneficiaryAccount' in order ? 'WithdrawalOrder' : 'DepositOrder'),
})
export abstract class Order {
  @Field(() => ID, { description: 'A UUID; queries and mutations name orders by `orderNo`.' })
  id!: string;

  @Field({ description: "The gateway's number: D… of a deposit, W… of a withdrawal." })
  orderNo!: string;

  @Field({ description: "The merchant's number, unique per merchant over all kinds of orders." })
  merchantOrderNo!: string;

  @Field(() => ID, { description: 'The id of the merchant whose order it is, a UUID.' })
  merchantId!: string;

  @Field(() => Merchant, { description: 'The merchant whose order it is.' })
  merchant!: unknown;

  @Field(() => DecimalScalar, {
    description: 'What the payer must transfer, or what the beneficiary gets.',
  })
  amount!: Money;

  @Field(() => DecimalScalar, { description: 'What the merchant pays for it.' })
  fee!: Money;

  @Field(() => DecimalScalar, { description: 'What was received or paid; zero until completed.' })
  actualAmount!: Money;

  @Field({ description: 'ISO 4217.' })
  currencyCode!: string;

  @Field(() => Date, { nullable: true, description: 'When it was completed; null before.' })
  completedAt!: Date | null;

  @Field(() => String, {
    nullable: true,
    description: 'Where callbacks about it go; null: it has none.',
  })
  callbackUrl!: string | null;

  @Field(() => CallbackStatusEnum, {
    nullable: true,
    description: 'The status of its newest callback; null before any.',
  })
  callbackStatus!: NotificationStatus | null;

  @Field(() => Int, { description: 'The attempts of all its callbacks.' })
  callbackCount!: number;

  @Field(() => String, {
    nullable: true,
    description: 'Of the request that created it, as in log lines.',
  })
  traceId!: string | null;

  @Field({ description: 'When it was created.' })
  createdAt!: Date;

  @Field({ description: 'When it last changed.' })
  updatedAt!: Date;

  @Field(() => [OrderEvent], { description: 'Everything that happened to it, in order.' })
  timeline!: unknown;

  @Field(() => [Callback], {
    description: 'Callbacks to the merchant about it, one for each event that causes a callback.',
  })
  callbacks!: unknown;

  @Field(() => Workflow, { description: 'The Temporal workflow that drives it.' })
  workflow!: unknown;
}
