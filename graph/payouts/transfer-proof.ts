import { hash } from 'node:crypto';
import {
  Arg,
  Authorized,
  Ctx,
  Extensions,
  Field,
  FieldResolver,
  ID,
  Int,
  Mutation,
  ObjectType,
  Query,
  Resolver,
  Root,
} from 'type-graphql';
import { uuidv7 } from 'uuidv7';
import { businessError, invalidField, notFound } from '../../domain/errors';
import { proofType } from '../../domain/file-type';
import { LIMITS } from '../../domain/limits';
import type { OperatorRow } from '../../db/operators/operators';
import * as db from '../../db/payouts/transfer-proofs';
import type { WithdrawalView } from '../../db/withdrawals/withdrawals';
import type { GraphContext } from '../context';
import { FILE_COST } from '../kept-file';
import { Operator } from '../operators/operator';
import { WithdrawalOrder } from '../withdrawals/withdrawal';
import { PayoutAttempt } from './payout-attempt';
import { operatorOf, requireReach } from '../../steps/access/caller';
import { findTask, taskStep } from '../../steps/payouts/transfer-task';
import { fileOf } from '../../steps/kept-file';

@ObjectType({
  simpleResolvers: true,
  description: 'A proof of a manual payout: a file, stored as received and never changed.',
})
export class TransferProof {
  @Field(() => ID, { description: 'A UUID, as `transferProofFile` takes it.' })
  id!: string;

  @Field({
    description: 'image/png, image/jpeg, image/webp or application/pdf, by its first bytes.',
  })
  type!: string;

  @Field(() => Int, { description: 'Bytes.' })
  size!: number;

  @Field({ description: 'SHA-256 of the file, hex.' })
  sha256!: string;

  @Field({ description: 'When it was attached.' })
  at!: Date;
}

const REFUSED: Readonly<Record<db.AttachRefusal, string>> = {
  NOT_YOURS: 'you are neither sending this payout nor have you sent it',
  TOO_MANY: `the transfer already has ${LIMITS.transferProofs} proofs`,
};

@Resolver(() => TransferProof)
export class TransferProofResolver {
  @Authorized('TREASURER')
  @Mutation(() => WithdrawalOrder, {
    description:
      "Attaches a proof, such as the bank's receipt, to a manual payout that the operator sends or has sent. It completes nothing. A repeated file is attached once.",
  })
  async attachTransferProof(
    @Arg('orderNo', { description: 'The gateway number of the withdrawal; it begins with W.' })
    orderNo: string,
    @Arg('proof', {
      description: 'A PNG, JPEG or WebP picture or a PDF of at most 2 MB, base64. Sent to /graphql/files.',
    })
    base64: string,
    @Ctx() context: GraphContext,
  ): Promise<WithdrawalView> {
    const proof = fileOf(base64, 'proof', {
      most: LIMITS.transferProofBytes,
      typeOf: proofType,
      mustBe: 'a PNG, JPEG or WebP picture or a PDF',
    });
    if (!proof) throw invalidField('proof', 'must be a file');
    const { type, bytes: file } = proof;
    const found = await findTask(context, orderNo);
    const sha256 = hash('sha256', file);
    const attached = {
      id: uuidv7(),
      attemptId: found.task.id,
      attachedBy: operatorOf(context.actor).id,
      type,
      file,
      sha256,
      most: LIMITS.transferProofs,
      at: context.now,
    };
    const reason = `${type} of ${file.length} bytes, sha256 ${sha256}`;
    return await taskStep(context, 'attachTransferProof', found, reason, async (tx) => {
      const refusal = await db.attachTransferProof(tx, attached);
      if (refusal) throw businessError('WRONG_STATE', REFUSED[refusal]);
    });
  }

  // One at a time: a list of orders with all their files would be too large.
  @Authorized('VIEW')
  @Extensions({ cost: FILE_COST })
  @Query(() => String, {
    description: 'The file of a proof as received, base64, unchecked. Save it; never show it as a page.',
  })
  async transferProofFile(
    @Arg('id', () => ID, { description: 'The id of the proof, a UUID.' }) id: string,
    @Ctx() { actor, database }: GraphContext,
  ): Promise<string> {
    operatorOf(actor);
    const found = await db.findProofFile(database, id);
    if (!found) throw notFound('proof');
    requireReach(actor, found.merchantId, 'proof');
    return found.file.toString('base64');
  }

  @FieldResolver(() => Operator, { nullable: true, description: 'Who attached it.' })
  async attachedBy(
    @Root() { attachedBy }: db.TransferProofRow,
    @Ctx() { loaders }: GraphContext,
  ): Promise<OperatorRow | undefined> {
    return await loaders.operators.load(attachedBy);
  }
}

@Resolver(() => PayoutAttempt)
export class AttemptProofsResolver {
  @Authorized('VIEW')
  @FieldResolver(() => [TransferProof], {
    description: 'Of a manual payout: its proofs, the oldest first.',
  })
  async proofs(
    @Root() { id }: PayoutAttempt,
    @Ctx() { loaders }: GraphContext,
  ): Promise<readonly db.TransferProofRow[]> {
    return await loaders.proofsOfAttempt.load(id);
  }
}
