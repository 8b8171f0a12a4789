import {
  Arg,
  Authorized,
  Ctx,
  Field,
  FieldResolver,
  ID,
  InputType,
  Mutation,
  ObjectType,
  Query,
  Resolver,
  Root,
} from 'type-graphql';
import { openDebitAccount, openDebitMemo, openDebitName } from '../../crypto/personal';
import type { Money } from '../../domain/money';
import type { BankAccountRow } from '../../db/accounts/bank-accounts';
import * as db from '../../db/transfers/bank-debits';
import { BankAccount } from '../accounts/bank-account';
import { type GraphContext } from '../context';
import { ActorInfo, actorInfoOf, labelOfActor } from '../actor-info';
import { PayoutAttempt } from '../payouts/payout-attempt';
import { DecimalScalar } from '../scalars';
import { recordDebit, type RecordedDebit, type ReportedDebit } from '../../steps/debits/record-debit';
import { ReportedMovementInput } from '../transfers/reported-movement-input';

@ObjectType({
  simpleResolvers: true,
  description:
    'Money that left a managed account, as its bank reported it; each debit is recorded once. Evidence of a payout: it posts nothing.',
})
export class BankDebit {
  @Field(() => ID, { description: 'A UUID, as `explainDebit` takes it.' })
  id!: string;

  @Field(() => ID, { description: 'The id of the managed account that the money left, a UUID.' })
  accountId!: string;

  @Field(() => DecimalScalar, {
    description: 'What left the account, in its currency, four decimal places; always positive.',
  })
  amount!: Money;

  @Field({ description: 'ISO 4217.' })
  currencyCode!: string;

  @Field(() => String, { nullable: true, description: "The bank's own reference." })
  bankReference!: string | null;

  @Field({ description: 'When the bank booked it.' })
  bankTime!: Date;

  @Field(() => DecimalScalar, {
    nullable: true,
    description: "The account's balance after it, as the bank reported it.",
  })
  balanceAfter!: Money | null;

  @Field({
    deprecationReason: 'Use `sourceInfo`.',
    description: 'Who reported it: `operator:{id}` or `agent:{id}`.',
  })
  source!: string;

  @Field({ description: 'When it was reported to the platform.' })
  receivedAt!: Date;

  @Field(() => ID, { nullable: true, description: 'The payout attempt that it paid.' })
  attemptId!: string | null;

  @Field(() => String, { nullable: true, description: "That withdrawal's gateway number." })
  orderNo!: string | null;

  @Field(() => String, {
    nullable: true,
    deprecationReason: 'Use `explainedByInfo`.',
    description:
      'Who says what it was: `system` for the rule, else `operator:{id}`; null while it waits for an operator.',
  })
  explainedBy!: string | null;

  @Field(() => Date, {
    nullable: true,
    description: 'When an operator explained it; null if nobody had to or has.',
  })
  explainedAt!: Date | null;

  @Field(() => String, { nullable: true, description: 'The explanation by an operator.' })
  reason!: string | null;
}

@ObjectType({ simpleResolvers: true, description: 'The result of a reported debit.' })
export class BankDebitResult {
  @Field(() => BankDebit, {
    description: 'The recorded debit; the earlier one where the same was reported before.',
  })
  debit!: BankDebit;

  @Field({ description: 'True if this debit had been recorded before; nothing happened now.' })
  duplicate!: boolean;
}

@InputType({ description: 'A debit on a managed account, as its bank shows it.' })
export class BankDebitInput extends ReportedMovementInput implements ReportedDebit {
  @Field(() => String, {
    nullable: true,
    description: 'The name of who was paid; null if the bank does not tell.',
  })
  payeeName?: string | null;

  @Field(() => String, {
    nullable: true,
    description: 'The account number that was paid; null if the bank does not tell.',
  })
  payeeAccount?: string | null;
}

@Resolver(() => BankDebit)
export class BankDebitResolver {
  @FieldResolver(() => String, {
    nullable: true,
    description: 'The name of who was paid, as reported; null if unknown.',
  })
  payeeName(@Root() debit: db.BankDebitView, @Ctx() { sealer }: GraphContext): string | null {
    return openDebitName(sealer, debit);
  }

  @FieldResolver(() => String, {
    nullable: true,
    description: 'The account number that was paid, as reported; null if unknown.',
  })
  payeeAccount(@Root() debit: db.BankDebitView, @Ctx() { sealer }: GraphContext): string | null {
    return openDebitAccount(sealer, debit);
  }

  @FieldResolver(() => String, {
    description: 'The text of the transfer, as reported; may be empty.',
  })
  memo(@Root() debit: db.BankDebitView, @Ctx() { sealer }: GraphContext): string {
    return openDebitMemo(sealer, debit);
  }

  @Authorized('RECONCILE', 'AGENT')
  @Mutation(() => BankDebitResult, {
    description: 'Records a debit, and which manual transfer it paid out if the rule says so. Safe to repeat.',
  })
  async recordBankDebit(
    @Arg('input', { description: 'What the bank says of the debit.' }) input: BankDebitInput,
    @Ctx() context: GraphContext,
  ): Promise<RecordedDebit> {
    return await recordDebit(context, input);
  }

  @Authorized('VIEW')
  @Query(() => BankDebit, { nullable: true, description: 'One debit, explained or not.' })
  async bankDebit(
    @Arg('id', () => ID, { description: 'A UUID.' }) id: string,
    @Ctx() { database }: GraphContext,
  ): Promise<db.BankDebitView | undefined> {
    return await db.findBankDebit(database.sql, id);
  }

  @Authorized('VIEW')
  @FieldResolver(() => ActorInfo, {
    nullable: true,
    description: 'Who says what it was; null while it waits for an operator.',
  })
  explainedByInfo(@Root() { explainedBy }: BankDebit): ActorInfo | null {
    return explainedBy === null ? null : actorInfoOf(explainedBy);
  }

  @Authorized('VIEW')
  @FieldResolver(() => ActorInfo, { description: 'Who reported it.' })
  sourceInfo(@Root() { source }: BankDebit): ActorInfo {
    return actorInfoOf(source);
  }

  @Authorized('VIEW')
  @FieldResolver(() => String, {
    nullable: true,
    deprecationReason: 'Use `sourceInfo`.',
    description: 'Who reported it: the login or the label of its source.',
  })
  async sourceLabel(@Root() { source }: BankDebit, @Ctx() { loaders }: GraphContext): Promise<string | null> {
    return await labelOfActor(loaders, source);
  }

  @Authorized('VIEW')
  @FieldResolver(() => BankAccount, { description: 'The managed account that the money left.' })
  async account(
    @Root() { accountId }: BankDebit,
    @Ctx() { loaders }: GraphContext,
  ): Promise<BankAccountRow | undefined> {
    return await loaders.bankAccounts.load(accountId);
  }
}

@Resolver(() => PayoutAttempt)
export class DebitOfPayoutResolver {
  @Authorized('VIEW')
  @FieldResolver(() => BankDebit, {
    nullable: true,
    description: 'Of a manual payout: the bank debit that explains it.',
  })
  async debit(@Root() { id }: PayoutAttempt, @Ctx() { loaders }: GraphContext): Promise<db.BankDebitView | undefined> {
    return await loaders.debitOfAttempt.load(id);
  }
}
