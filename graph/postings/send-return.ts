import { Arg, Authorized, Ctx, Field, ID, Mutation, ObjectType, Resolver } from 'type-graphql';
import { openReturnName } from '../../crypto/personal';
import { businessError, invalidField } from '../../domain/errors';
import { LIMITS } from '../../domain/limits';
import { formatMoney } from '../../domain/money';
import type { ChangeRow } from '../../db/changes/change-requests';
import * as db from '../../db/ledger/payer-returns';
import { warrantOf } from '../authority/warrant';
import { ChangeRequest, EvidenceInput } from '../changes/change-request';
import { propose } from '../../steps/changes/propose';
import type { GraphContext } from '../context';
import { EVIDENCE, REASON } from '../descriptions';
import { operatorAction } from '../../steps/operators/operator-action';
import { endReturn, type CompleteReturnPayload } from '../../steps/postings/payer-return-effects';
import { requireEvidence } from '../../steps/postings/post';
import { PayerReturn } from './payer-return';
import { actorName, operatorOf } from '../../steps/access/caller';
import { takesTwo } from '../../steps/authority/row';
import {
  cancelReturn,
  CANNOT_SEND,
  debitOfReturn,
  findReturn,
} from '../../steps/postings/send-return';

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
    warrantOf(context, 'beginReturn');
    await findReturn(context, id);
    const action = { action: 'beginReturn', subject: `return:${id}`, reason: 'sends it' };
    await operatorAction(context, { ...action, detail: { accountId } }, async (tx) => {
      const { id: operatorId } = operatorOf(context.actor);
      const refusal = await db.beginPayerReturn(tx, {
        id,
        accountId,
        operatorId,
        now: context.now,
      });
      if (refusal)
        throw businessError(
          refusal === 'WRONG_ACCOUNT' ? 'MISMATCH' : 'WRONG_STATE',
          CANNOT_SEND[refusal],
        );
    });
    return await findReturn(context, id);
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
    warrantOf(context, 'completeReturn');
    const found = await findReturn(context, id);
    const { now, actor } = context;
    const reference = bankReference.trim();
    if (reference === '' || reference.length > LIMITS.bankReference)
      throw invalidField('bankReference', `must have 1-${LIMITS.bankReference} characters`);
    const { id: operatorId } = operatorOf(actor);
    if (found.status !== 'SENDING')
      throw businessError('WRONG_STATE', 'the return is not being sent');
    if (found.sentBy !== operatorId)
      throw businessError('NOT_HELD', 'another operator is sending this return');
    const debitId = await debitOfReturn(context, found, reference);
    if (debitId === null && takesTwo(context)) {
      requireEvidence(evidence);
      const { amount, currencyCode } = found;
      const payeeName = openReturnName(context.sealer, found);
      const payload: CompleteReturnPayload = {
        ...{ returnId: id, sentBy: operatorId, bankReference: reference },
      };
      const change = await propose(context, {
        kind: 'COMPLETE_RETURN',
        subject: { kind: 'payer_return', id, name: `${formatMoney(amount)} ${currencyCode}` },
        merchantId: found.merchantId,
        summary: `${formatMoney(amount)} ${currencyCode} went back to ${payeeName}`,
        before: { status: 'SENDING' },
        after: { status: 'COMPLETED', bankReference: reference },
        money: { amount, currencyCode },
        ...{ payload, reason: 'sent, and no debit shows it yet', evidence },
      });
      return { payerReturn: await findReturn(context, id), change };
    }
    const action = {
      action: 'completeReturn',
      subject: `return:${id}`,
      reason: 'the bank paid it',
    };
    const detail = { bankReference: reference, debitId };
    await operatorAction(context, { ...action, detail }, async (tx) => {
      await endReturn(tx, {
        ...{ id, bankReference: reference, debitId, actor: actorName(actor), now },
      });
    });
    return { payerReturn: await findReturn(context, id), change: null };
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
    warrantOf(context, 'releaseReturn');
    await findReturn(context, id);
    const action = { action: 'releaseReturn', subject: `return:${id}`, reason };
    await operatorAction(context, action, async (tx) => {
      if (!(await db.releasePayerReturn(tx, id, operatorOf(context.actor).id)))
        throw businessError('NOT_HELD', 'another person than the sender gives it back');
    });
    return await findReturn(context, id);
  }

  @Authorized('TREASURER')
  @Mutation(() => PayerReturn, {
    description:
      "Cancels a return that nobody is sending: the money waits again, or is the merchant's again.",
  })
  async cancelReturn(
    @Arg('id', () => ID, { description: 'The id of the return, a UUID.' }) id: string,
    @Arg('reason', { description: REASON }) reason: string,
    @Ctx() context: GraphContext,
  ): Promise<db.PayerReturnRow> {
    return await cancelReturn(context, warrantOf(context, 'cancelReturn'), { id, reason });
  }
}
