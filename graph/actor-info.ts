import { Ctx, Field, FieldResolver, ID, ObjectType, registerEnumType, Resolver, Root } from 'type-graphql';
import type { GraphContext } from './context';
import type { Loaders } from './loaders';
import { enumOf } from './scalars';

const KINDS = ['SYSTEM', 'OPERATOR', 'MERCHANT', 'AGENT', 'PAYER', 'CHANNEL'] as const;

export const ActorKindEnum = enumOf(KINDS);
registerEnumType(ActorKindEnum, {
  name: 'ActorKind',
  description: 'Who did something.',
  valuesConfig: {
    SYSTEM: { description: 'The platform itself.' },
    OPERATOR: { description: 'An operator; without an id, two operators together.' },
    MERCHANT: { description: 'A merchant, by its API.' },
    AGENT: { description: 'An agent that watches bank accounts.' },
    PAYER: { description: 'A payer, on the cashier page; the id is of the session.' },
    CHANNEL: { description: 'A channel.' },
  },
});

/** The actor of an action, as GraphQL shows it. */
@ObjectType('Actor', { simpleResolvers: true, description: 'Who did something.' })
export class ActorInfo {
  @Field(() => ActorKindEnum, { description: 'What kind of actor it is. Expect new kinds.' })
  kind!: (typeof KINDS)[number];

  @Field(() => ID, { nullable: true, description: 'Null for the platform itself.' })
  id!: string | null;
}

/** @param name as events and bank rows have it, such as `operator:{id}` */
export function actorInfoOf(name: string): ActorInfo {
  const [word = '', id = null] = name.split(':');
  if (word === 'operators') return { kind: 'OPERATOR', id: null };
  return { kind: KINDS.find((kind) => kind === word.toUpperCase()) ?? 'SYSTEM', id };
}

/** The readable name of an actor: a login, a merchant's code, an agent's label; null if it has none. */
export async function labelOfActor(loaders: Loaders, name: string): Promise<string | null> {
  const { kind, id } = actorInfoOf(name);
  if (id === null) return null;
  switch (kind) {
    case 'OPERATOR':
      return (await loaders.operators.load(id))?.login ?? null;
    case 'MERCHANT':
      return (await loaders.merchants.load(id))?.merchantCode ?? null;
    case 'AGENT':
      return (await loaders.agentLabels.load(id)) ?? null;
    default:
      return null;
  }
}

@Resolver(() => ActorInfo)
export class ActorInfoResolver {
  @FieldResolver(() => String, {
    nullable: true,
    description: "A login, a merchant's code or an agent's label; null where there is none.",
  })
  async label(@Root() { kind, id }: ActorInfo, @Ctx() { loaders }: GraphContext): Promise<string | null> {
    return id === null ? null : await labelOfActor(loaders, `${kind.toLowerCase()}:${id}`);
  }
}
