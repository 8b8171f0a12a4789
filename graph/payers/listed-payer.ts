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
  Resolver,
  Root,
} from 'type-graphql';
import { uuidv7 } from 'uuidv7';
import { openListedPayer } from '../../crypto/listed-payer';
import { invalidField, notFound } from '../../domain/errors';
import { LIMITS } from '../../domain/limits';
import { type PayerList, type PayerTrait, TRAIT_WORDS, traitKey } from '../../domain/payer-lists';
import type { ChangeRow } from '../../db/changes/change-requests';
import * as db from '../../db/payers/listed';
import { ChangeRequest, EvidenceInput } from '../changes/change-request';
import { propose } from '../../steps/changes/propose';
import type { GraphContext } from '../context';
import { EVIDENCE, PAYLOAD_CHANGE, REASON } from '../descriptions';
import type { ListPayerPayload } from '../../steps/payers/payer-effects';
import { PayerListEnum, PayerTraitEnum } from './payer-enums';
import { requireReach } from '../../steps/access/caller';

@ObjectType({ simpleResolvers: true, description: 'A payer on a list.' })
export class ListedPayer {
  @Field(() => ID, { description: 'A UUID, as `unlistPayer` takes it.' })
  id!: string;

  @Field(() => PayerListEnum, { description: 'The list that it is on.' })
  list!: PayerList;

  @Field(() => PayerTraitEnum, { description: 'By what it is known.' })
  trait!: PayerTrait;

  @Field(() => String, {
    nullable: true,
    description: 'Of an account: only at this bank; null: at any.',
  })
  bankCode!: string | null;

  @Field(() => ID, { nullable: true, description: 'Null: for all merchants.' })
  merchantId!: string | null;

  @Field({ description: 'Why it was listed.' })
  reason!: string;

  @Field({ description: 'When it was listed.' })
  createdAt!: Date;

  @Field(() => Date, {
    nullable: true,
    description: 'When the entry expires; null: never.',
  })
  expiresAt!: Date | null;
}

@InputType({ description: 'A payer to list.' })
export class ListPayerInput {
  @Field(() => PayerListEnum, { description: 'The list to put it on.' })
  list!: PayerList;

  @Field(() => PayerTraitEnum, { description: 'By what it is known.' })
  trait!: PayerTrait;

  @Field({ description: `The name, number or address; 1-${LIMITS.email} characters.` })
  value!: string;

  @Field(() => String, {
    nullable: true,
    description: 'Of an account: only at this bank; null: at any.',
  })
  bankCode?: string | null;

  @Field(() => ID, {
    nullable: true,
    description: 'Counts for this merchant alone; null: for all.',
  })
  merchantId?: string | null;

  @Field(() => Date, {
    nullable: true,
    description: 'When the entry expires; null: never.',
  })
  expiresAt?: Date | null;
}

@ObjectType({ simpleResolvers: true, description: 'A proposed listing of a payer.' })
export class ListedPayerChange {
  @Field(() => ChangeRequest, { description: PAYLOAD_CHANGE })
  change!: ChangeRow;
}

/**
 * The entry in the form that is compared. @throws INVALID_FIELD for a value that would fit nobody, or too many payers
 */
function keyOf({ trait, value, bankCode, expiresAt }: ListPayerInput, now: Date): string {
  const key = traitKey(trait, value);
  if (key === null || Array.from(value).length > LIMITS.email)
    throw invalidField('value', `must be a whole ${TRAIT_WORDS[trait]}`, 'OUT_OF_RANGE');
  if (bankCode && trait !== 'ACCOUNT') throw invalidField('bankCode', 'is of an account alone', 'NOT_ALLOWED');
  if (bankCode && bankCode.length > LIMITS.beneficiaryBankCode)
    throw invalidField('bankCode', `must be 1-${LIMITS.beneficiaryBankCode} characters`, 'OUT_OF_RANGE');
  if (expiresAt && expiresAt <= now) throw invalidField('expiresAt', 'must be still to come, or null', 'OUT_OF_RANGE');
  return key;
}

const VERBS: Readonly<Record<PayerList, string>> = {
  DENY: 'Deny',
  WATCH: 'Watch',
  ALLOW: 'Allow',
};

@Resolver(() => ListedPayer)
export class ListedPayerResolver {
  @FieldResolver(() => String, { description: 'The name, number or address, as it was entered.' })
  value(@Root() listed: db.ListedPayerRow, @Ctx() { sealer }: GraphContext): string {
    return openListedPayer(sealer, listed);
  }

  @Authorized('CONFIGURE')
  @Mutation(() => ListedPayerChange, {
    description:
      'Proposes to put a payer on a list, of one merchant or of all; the denylist and the watchlist take one person.',
  })
  async listPayer(
    @Arg('input', { description: 'The payer and the list.' }) input: ListPayerInput,
    @Arg('reason', { description: REASON }) reason: string,
    @Ctx() context: GraphContext,
    @Arg('evidence', () => EvidenceInput, { nullable: true, description: EVIDENCE })
    evidence?: EvidenceInput | null,
  ): Promise<ListedPayerChange> {
    const { list, trait, value } = input;
    const merchantId = input.merchantId ?? null;
    if (merchantId !== null) {
      if (!(await context.loaders.merchants.load(merchantId))) throw notFound('merchant');
      requireReach(context.actor, merchantId, 'merchant');
    }
    const payload: ListPayerPayload = {
      id: uuidv7(),
      list,
      trait,
      value,
      key: keyOf(input, context.now),
      merchantId,
      bankCode: input.bankCode || null,
      expiresAt: input.expiresAt?.toISOString() ?? null,
    };
    const { key: _key, id, ...after } = payload;
    const change = await propose(context, {
      kind: 'LIST_PAYER',
      subject: { kind: 'listed_payer', id, name: value },
      merchantId,
      summary: `${VERBS[list]} the payer with the ${TRAIT_WORDS[trait]} ${value}`,
      before: {},
      after,
      payload,
      reason,
      evidence,
      // An entry that denies or watches only closes.
      alone: list === 'ALLOW' ? null : 'CLOSING',
    });
    return { change };
  }

  @Authorized('CONFIGURE')
  @Mutation(() => ListedPayerChange, {
    description: 'Proposes to take a payer off its list; off the allowlist it is done at once.',
  })
  async unlistPayer(
    @Arg('id', () => ID, { description: 'The id of the entry.' }) id: string,
    @Arg('reason', { description: REASON }) reason: string,
    @Ctx() context: GraphContext,
  ): Promise<ListedPayerChange> {
    const listed = await db.findListedPayer(context.database, id);
    if (!listed || listed.removedAt !== null) throw notFound('payer');
    const { list, trait, merchantId } = listed;
    const value = openListedPayer(context.sealer, listed);
    if (merchantId !== null) requireReach(context.actor, merchantId, 'payer');
    const change = await propose(context, {
      kind: 'UNLIST_PAYER',
      subject: { kind: 'listed_payer', id, name: value },
      merchantId,
      summary: `Take the payer with the ${TRAIT_WORDS[trait]} ${value} off its list`,
      before: { list },
      after: { list: null },
      payload: { id },
      reason,
      alone: list === 'ALLOW' ? 'CLOSING' : null,
    });
    return { change };
  }
}
