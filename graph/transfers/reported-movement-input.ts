import { Field, ID, InputType } from 'type-graphql';
import type { Money } from '../../domain/money';
import { DecimalScalar } from '../scalars';
import type { ReportedMovement } from '../../steps/transfers/reported-movement';

/** The common fields of a report of a credit and one of a debit. */
@InputType()
export abstract class ReportedMovementInput implements ReportedMovement {
  @Field(() => ID, { description: 'The id of the managed account whose bank reports it, a UUID.' })
  accountId!: string;

  @Field(() => DecimalScalar, { description: 'Greater than 0, such as "1500.00".' })
  amount!: Money;

  @Field({ description: 'ISO 4217.' })
  currencyCode!: string;

  @Field({ description: 'When the bank booked it.' })
  bankTime!: Date;

  @Field({ description: 'The memo, as the bank shows it; at most 512 characters.' })
  memo!: string;

  @Field(() => String, {
    nullable: true,
    description: "The bank's own reference; best against duplicates, and what names a debit's task.",
  })
  bankReference?: string | null;

  @Field(() => DecimalScalar, { nullable: true, description: "The account's balance after it." })
  balanceAfter?: Money | null;
}
