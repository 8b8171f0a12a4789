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
  registerEnumType,
  Resolver,
  Root,
} from 'type-graphql';
import { openCreditAccount, openCreditMemo, openCreditName } from '../../crypto/personal';
import type { Money } from '../../domain/money';
import { UNMATCHED_REASONS, type UnmatchedReason } from '../../domain/matching';
import type { BankAccountRow } from '../../db/accounts/bank-accounts';
import * as db from '../../db/transfers/bank-transfers';
import type { ChangeRow } from '../../db/changes/change-requests';
import { ActorInfo, actorInfoOf, labelOfActor } from '../actor-info';
import { BankAccount } from '../accounts/bank-account';
import { warrantOf } from '../authority/warrant';
import { type GraphContext } from '../context';
import { ChangeRequest, EvidenceInput } from '../changes/change-request';
import { IDEMPOTENCY_KEY, idempotent } from '../../steps/idempotent';
import { findMatched, type MatchedTransfer, matchTransfer } from '../../steps/transfers/match-transfer';
import { type RecordedTransfer, recordTransfer, type ReportedTransfer } from '../../steps/transfers/record-transfer';
import { DecimalScalar, enumOf } from '../scalars';
import { ReportedMovementInput } from './reported-movement-input';
import { EVIDENCE, REASON } from '../descriptions';

/** The direction of the money, from the account's point of view. */
export type BankTransferDirection = db.BankTransferRow['direction'];
export const BankTransferDirectionEnum = enumOf<BankTransferDirection>(['CREDIT']);
registerEnumType(BankTransferDirectionEnum, {
  name: 'BankTransferDirection',
  description: 'Which way the money went, seen from the account.',
  valuesConfig: { CREDIT: { description: 'It arrived.' } },
});

export const UnmatchedReasonEnum = enumOf(UNMATCHED_REASONS);
registerEnumType(UnmatchedReasonEnum, {
  name: 'UnmatchedReason',
  description: 'Why a transfer waits for an operator.',
  valuesConfig: {
    REFERENCE_REUSED: {
      description: 'Its bank reference came before, with another amount or currency.',
    },
    BALANCE_DIFFERS: {
      description: "The balance after it does not follow from its account's: it is credited once others close the gap.",
    },
    ACCOUNT_PAUSED: { description: 'Its account is paused or disabled.' },
    NEAR_DUPLICATE: {
      description: 'Another source reported the same account, amount, memo and time.',
    },
    NO_REMARK: { description: 'The memo names no order.' },
    NO_AMOUNT: { description: 'No order of its account waits, or waited lately, for this amount.' },
    SEVERAL_REMARKS: {
      description:
        'The memo names more than one order, or it is a collective booking whose payments cannot be separated, or a payer may have written it into a text of the statement.',
    },
    OTHER_ACCOUNT: { description: 'The order was to be paid to another account.' },
    OTHER_CURRENCY: { description: "The currency is not the account's or not the order's." },
    ORDER_NOT_PENDING: { description: 'The order is paid or closed already.' },
    AMOUNT_DIFFERS: { description: 'The amount is not exactly what was to be paid.' },
    AMOUNT_SHARED: {
      description: "Another payer's order had this amount on its account lately, and the payer's data do not agree.",
    },
    NO_BALANCE: {
      description: 'Its account demands the balance after each credit, and none was reported.',
    },
    TOO_EARLY: { description: 'The bank booked it before the order existed.' },
    ENTERED_BY_PERSON: {
      description: 'An operator entered it, so another one matches it.',
    },
    OVER_AGENT_LIMIT: { description: 'Beyond a ceiling of the agent key that reported it.' },
    PAYER_DENIED: { description: 'Its payer is on the denylist.' },
    PAYER_WAITS: { description: 'A rule about payers has its order wait for an operator.' },
    PAYER_DIFFERS: { description: 'Its payer is not the one whom the merchant announced.' },
    REOPENED: { description: 'Its order was cancelled or failed after the match.' },
  },
});

@ObjectType({
  simpleResolvers: true,
  description: 'What a bank reported on a managed account; each transfer is recorded once.',
})
export class BankTransfer {
  @Field(() => ID, { description: 'A UUID, as `matchTransfer` takes it.' })
  id!: string;

  @Field(() => ID, { description: 'The id of the managed account that the money reached, a UUID.' })
  accountId!: string;

  @Field(() => BankTransferDirectionEnum, {
    description: 'Always CREDIT: money that came in. What left an account is a BankDebit.',
  })
  direction!: BankTransferDirection;

  @Field(() => DecimalScalar, {
    description: 'What arrived, in the currency of the account, four decimal places; always positive.',
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

  @Field(() => UnmatchedReasonEnum, { nullable: true, description: 'Null once it pays a deposit.' })
  unmatchedReason!: UnmatchedReason | null;

  @Field(() => ID, { nullable: true, description: 'The deposit that it pays.' })
  depositId!: string | null;

  @Field(() => String, { nullable: true, description: "That deposit's gateway number." })
  orderNo!: string | null;

  @Field({ description: 'When it was reported to the platform.' })
  receivedAt!: Date;

  @Field(() => Date, {
    nullable: true,
    description:
      'When an agent or a statement reported the same; null until then, and where a bank’s side reported it first.',
  })
  confirmedAt!: Date | null;

  @Field(() => ChangeRequest, {
    nullable: true,
    description: 'The match that `matchTransfer` has just proposed, where it takes two people; null anywhere else.',
  })
  change?: ChangeRow | null;
}

@ObjectType({ simpleResolvers: true, description: 'What became of a notification.' })
export class BankNotificationResult {
  @Field(() => BankTransfer, {
    description: 'The recorded credit; the earlier one where the same was reported before.',
  })
  transfer!: BankTransfer;

  @Field({ description: 'True if this transfer had been recorded before; nothing happened now.' })
  duplicate!: boolean;
}

@InputType({ description: 'A credit on a managed account, as its bank shows it.' })
export class BankNotificationInput extends ReportedMovementInput implements ReportedTransfer {
  @Field(() => String, {
    nullable: true,
    description: "The payer's name; null if the bank does not tell.",
  })
  payerName?: string | null;

  @Field(() => String, {
    nullable: true,
    description: "The payer's account number; null if the bank does not tell.",
  })
  payerAccount?: string | null;
}

@Resolver(() => BankTransfer)
export class BankTransferResolver {
  @FieldResolver(() => String, {
    nullable: true,
    description: "The payer's name, as reported; null if unknown.",
  })
  payerName(@Root() transfer: db.BankTransferView, @Ctx() { sealer }: GraphContext): string | null {
    return openCreditName(sealer, transfer);
  }

  @FieldResolver(() => String, {
    nullable: true,
    description: "The payer's account number, as reported; null if unknown.",
  })
  payerAccount(@Root() transfer: db.BankTransferView, @Ctx() { sealer }: GraphContext): string | null {
    return openCreditAccount(sealer, transfer);
  }

  @FieldResolver(() => String, {
    description: 'The text of the transfer, as reported; may be empty.',
  })
  memo(@Root() transfer: db.BankTransferView, @Ctx() { sealer }: GraphContext): string {
    return openCreditMemo(sealer, transfer);
  }

  @Authorized('RECONCILE', 'AGENT')
  @Mutation(() => BankNotificationResult, {
    description: 'Records a credit and matches it to its deposit if the rules allow. Safe to repeat.',
  })
  async recordBankNotification(
    @Arg('input', { description: 'What the bank says of the credit.' })
    input: BankNotificationInput,
    @Ctx() context: GraphContext,
  ): Promise<RecordedTransfer> {
    return await recordTransfer(context, input);
  }

  @Authorized('VIEW')
  @Query(() => BankTransfer, { nullable: true, description: 'One transfer, matched or not.' })
  async bankTransfer(
    @Arg('id', () => ID, { description: 'A UUID.' }) id: string,
    @Ctx() { database }: GraphContext,
  ): Promise<db.BankTransferView | undefined> {
    return await db.findBankTransfer(database, id);
  }

  @Authorized('RECONCILE')
  @Mutation(() => BankTransfer, {
    description:
      'Says that an unmatched transfer pays a PENDING deposit, which is then credited what arrived. What the rules alone would not match takes two people: the answer is then the unchanged transfer with its `change`.',
  })
  async matchTransfer(
    @Arg('transferId', () => ID, { description: 'The id of the bank transfer, a UUID.' })
    transferId: string,
    @Arg('orderNo', { description: 'The gateway number of the deposit; it begins with D.' })
    orderNo: string,
    @Arg('reason', { description: REASON }) reason: string,
    @Ctx() context: GraphContext,
    @Arg('idempotencyKey', () => String, { nullable: true, description: IDEMPOTENCY_KEY })
    idempotencyKey?: string | null,
    @Arg('evidence', () => EvidenceInput, { nullable: true, description: EVIDENCE })
    evidence?: EvidenceInput | null,
  ): Promise<MatchedTransfer> {
    const args = { transferId, orderNo, reason };
    return await idempotent(
      context,
      { mutation: 'matchTransfer', key: idempotencyKey, args },
      async (recordKey) =>
        await matchTransfer(
          context,
          warrantOf(context, 'matchTransfer'),
          { ...args, evidence: evidence ?? null },
          recordKey,
        ),
      async (reference) => await findMatched(context, reference),
    );
  }

  @Authorized('VIEW')
  @FieldResolver(() => ActorInfo, { description: 'Who reported it.' })
  sourceInfo(@Root() { source }: BankTransfer): ActorInfo {
    return actorInfoOf(source);
  }

  @Authorized('VIEW')
  @FieldResolver(() => String, {
    nullable: true,
    deprecationReason: 'Use `sourceInfo`.',
    description: 'Who reported it: the login or the label of its source.',
  })
  async sourceLabel(@Root() { source }: BankTransfer, @Ctx() { loaders }: GraphContext): Promise<string | null> {
    return await labelOfActor(loaders, source);
  }

  @Authorized('VIEW')
  @FieldResolver(() => BankAccount, { description: 'The managed account that the money reached.' })
  async account(@Root() transfer: BankTransfer, @Ctx() { loaders }: GraphContext): Promise<BankAccountRow | undefined> {
    return await loaders.bankAccounts.load(transfer.accountId);
  }
}
