import { Authorized, Ctx, Field, Int, ObjectType, Query, registerEnumType, Resolver } from 'type-graphql';
import {
  type PlatformProblem as Problem,
  type PlatformState,
  PROBLEM_KINDS,
  PROBLEM_MEANS,
  type ProblemKind,
} from '../../domain/platform-health';
import type { GraphContext } from '../context';
import { enumOf } from '../scalars';
import type { PlatformHealth as Health } from '../../steps/platform/platform-watch';

const ProblemKindEnum = enumOf(PROBLEM_KINDS);
registerEnumType(ProblemKindEnum, {
  name: 'PlatformProblemKind',
  description: 'What keeps the platform from its work.',
  valuesConfig: Object.fromEntries(PROBLEM_KINDS.map((kind) => [kind, { description: PROBLEM_MEANS[kind] }])),
});

const STATE_MEANS: Readonly<Record<PlatformState, string>> = {
  WORKING: 'Nothing keeps it from its work.',
  IMPAIRED: 'Money moves, but a part does not work.',
  STALLED: 'Money does not move.',
  UNKNOWN: 'The database does not answer.',
};
const PlatformStateEnum = enumOf(Object.keys(STATE_MEANS) as PlatformState[]);
registerEnumType(PlatformStateEnum, {
  name: 'PlatformState',
  description: 'How the platform does its work.',
  valuesConfig: Object.fromEntries(Object.entries(STATE_MEANS).map(([state, description]) => [state, { description }])),
});

@ObjectType({
  simpleResolvers: true,
  description: 'One thing that keeps the platform from its work.',
})
export class PlatformProblem {
  @Field(() => ProblemKindEnum, { description: 'What it is.' })
  kind!: ProblemKind;

  @Field(() => String, { description: 'The same as text.' })
  message!: string;

  @Field(() => Date, {
    description: 'Since when: the last heartbeat, or since when the oldest waits.',
  })
  since!: Date;

  @Field(() => Int, { description: 'How many orders, workers or channels, counted up to 1,000.' })
  count!: number;
}

@ObjectType({
  simpleResolvers: true,
  description: 'Whether the platform works, judged from outside its workers, each 5 seconds.',
})
export class PlatformHealth {
  @Field(() => PlatformStateEnum, { description: 'How the platform does its work.' })
  state!: PlatformState;

  @Field(() => [PlatformProblem], {
    description: 'What keeps it from its work, what stops money first.',
  })
  problems!: PlatformProblem[];

  @Field(() => Date, { description: 'When this was found, UTC.' })
  checkedAt!: Date;
}

const inWords = (problem: Problem): PlatformProblem => ({
  ...problem,
  message: PROBLEM_MEANS[problem.kind],
});

/** A health as GraphQL and the health listener show it. */
export const healthInWords = ({ problems, ...health }: Health): PlatformHealth => ({
  ...health,
  problems: problems.map(inWords),
});

@Resolver()
export class PlatformHealthResolver {
  @Authorized('VIEW')
  @Query(() => PlatformHealth, {
    nullable: true,
    description:
      'Whether the platform works: its workers live, money moves, channels answer. It names no order and no merchant.',
  })
  async platformHealth(@Ctx() { platformWatch }: GraphContext): Promise<PlatformHealth> {
    return healthInWords(await platformWatch.now());
  }
}
