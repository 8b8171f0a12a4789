import { Arg, Authorized, Ctx, Field, ID, Mutation, ObjectType, registerEnumType, Resolver } from 'type-graphql';
import { CatalogueError, notFound } from '../../domain/errors';
import { MOST_REVEALS_AN_HOUR } from '../../domain/personal';
import { countActions } from '../../db/audit/reveals';
import type { GraphContext } from '../context';
import { REASON } from '../descriptions';
import { operatorAction } from '../../steps/operators/operator-action';
import { enumOf } from '../scalars';
import { FIND, HOUR_MS, requireSight, type Subject, SUBJECTS } from '../../steps/personal/reveal';

const PersonalSubjectEnum = enumOf(SUBJECTS);
registerEnumType(PersonalSubjectEnum, {
  name: 'PersonalSubject',
  description: 'What has data of a payer or a beneficiary.',
  valuesConfig: {
    DEPOSIT: { description: 'What the merchant said of the payer of a deposit.' },
    WITHDRAWAL: { description: 'The beneficiary of a withdrawal.' },
    BANK_TRANSFER: { description: 'What the bank says of a credit.' },
    BANK_DEBIT: { description: 'What the bank says of a debit.' },
    PAYER_RETURN: { description: 'Whom money goes back to.' },
  },
});

@ObjectType({ simpleResolvers: true, description: 'A value of a person.' })
export class PersonalField {
  @Field({ description: 'What it is, such as `payerName`. Expect others.' })
  name!: string;

  @Field({ description: 'The value, as it is kept.' })
  value!: string;
}

@ObjectType({ simpleResolvers: true, description: 'What is known of a payer or a beneficiary.' })
export class RevealedPerson {
  @Field(() => [PersonalField], { description: 'What there is; nothing that is unknown.' })
  fields!: readonly PersonalField[];
}

@Resolver()
export class RevealPersonalResolver {
  @Authorized('SUPPORT', 'RECONCILE', 'APPROVE', 'TREASURER', 'READ_PERSONAL')
  @Mutation(() => RevealedPerson, {
    description: `What is known of one payer or beneficiary, in clear. The audit log says who had whom revealed, which fields and why. At most ${MOST_REVEALS_AN_HOUR} an hour; not for API tokens.`,
  })
  async revealPersonal(
    @Arg('of', () => PersonalSubjectEnum, { description: 'Whose data it is.' }) of: Subject,
    @Arg('id', () => ID, { description: 'The id of that order, transfer or return; a UUID.' })
    id: string,
    @Arg('reason', { description: REASON }) reason: string,
    @Ctx() context: GraphContext,
  ): Promise<RevealedPerson> {
    const { actor, now } = context;
    if (actor.kind !== 'operator' || actor.via !== 'session')
      throw new CatalogueError('AUTHORIZATION_ERROR', 'only a person who has logged in');
    const found = await FIND[of](context, id);
    if (!found) throw notFound('person');
    requireSight(context, found);
    const fields = Object.entries(found.values).flatMap(([name, value]) =>
      value === null || value === '' ? [] : [{ name, value }],
    );
    const action = {
      action: 'reveal personal',
      subject: `${of.toLowerCase()}:${id}`,
      reason,
      detail: { fields: fields.map(({ name }) => name) },
    };
    await operatorAction(context, action, async (tx) => {
      const since = new Date(now.getTime() - HOUR_MS);
      const before = await countActions(tx, actor.operator.id, 'revealPersonal', since);
      if (before >= MOST_REVEALS_AN_HOUR)
        throw new CatalogueError('RATE_LIMITED', 'too many were revealed in the last hour', {
          retryAfterMs: HOUR_MS,
        });
    });
    return { fields };
  }
}
