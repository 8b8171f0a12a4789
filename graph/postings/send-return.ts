import { Arg, Authorized, Ctx, Field, ID, Mutation, ObjectType, Resolver } from 'type-graphql';
import type { ChangeRow } from '../../db/changes/change-requests';
import type * as db from '../../db/ledger/payer-returns';
import { warrantOf } from '../authority/warrant';
import { ChangeRequest, EvidenceInput } from '../changes/change-request';
import type { GraphContext } from '../context';
import { EVIDENCE, REASON } from '../descriptions';
import { PayerReturn } from './payer-return';
import { beginReturn, cancelReturn, completeReturn, releaseReturn } from '../../steps/postings/send-return';

@ObjectType({ simpleResolvers: true, description: 'A return to a payer, and what confirms it.' })
export class CompletedReturn {
  @Field(() => PayerReturn, { description: 'Its present state.' })
  payerReturn!: db.PayerReturnRow;

  @Field(() => ChangeRequest, {
    nullable: true,
    description: 'Where no debit shows it: what another treasurer confirms; else null.',
  })
  change!: ChangeRow | null;
}

@Resolver(() => PayerReturn)
export class SendReturnResolver {
  @Authorized('TREASURER')
  @Mutation(() => PayerReturn, {
    description:
      'Says that the operator sends a return now, from this account. From then on only another person gives it back.',
  })
  async beginReturn(
    @Arg('id', () => ID, { description: 'The id of the return, a UUID.' }) id: string,
    @Arg('accountId', () => ID, { description: 'The managed account that pays it.' })
    accountId: string,
    @Ctx() context: GraphContext,
  ): Promise<db.PayerReturnRow> {
    return await beginReturn(context, warrantOf(context, 'beginReturn'), { id, accountId });
  }

  @Authorized('TREASURER')
  @Mutation(() => CompletedReturn, {
    description:
      'Completes a return that the operator has sent. Where a debit of the account shows it, at once; else another treasurer confirms it, with evidence.',
  })
  async completeReturn(
    @Arg('id', () => ID, { description: 'The id of the return, a UUID.' }) id: string,
    @Arg('bankReference', { description: "The bank's number of the transfer." })
    bankReference: string,
    @Ctx() context: GraphContext,
    @Arg('evidence', () => EvidenceInput, { nullable: true, description: EVIDENCE })
    evidence?: EvidenceInput | null,
  ): Promise<CompletedReturn> {
    const warrant = warrantOf(context, 'completeReturn');
    return await completeReturn(context, warrant, { id, bankReference, evidence });
  }

  @Authorized('TREASURER')
  @Mutation(() => PayerReturn, {
    description: 'Gives back a return that somebody else was sending: the bank has not paid it.',
  })
  async releaseReturn(
    @Arg('id', () => ID, { description: 'The id of the return, a UUID.' }) id: string,
    @Arg('reason', { description: REASON }) reason: string,
    @Ctx() context: GraphContext,
  ): Promise<db.PayerReturnRow> {
    return await releaseReturn(context, warrantOf(context, 'releaseReturn'), { id, reason });
  }

  @Authorized('TREASURER')
  @Mutation(() => PayerReturn, {
    description: "Cancels a return that nobody is sending: the money waits again, or is the merchant's again.",
  })
  async cancelReturn(
    @Arg('id', () => ID, { description: 'The id of the return, a UUID.' }) id: string,
    @Arg('reason', { description: REASON }) reason: string,
    @Ctx() context: GraphContext,
  ): Promise<db.PayerReturnRow> {
    return await cancelReturn(context, warrantOf(context, 'cancelReturn'), { id, reason });
  }
}
