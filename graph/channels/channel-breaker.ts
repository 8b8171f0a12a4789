import { Field, InputType, Int, ObjectType } from 'type-graphql';
import { type BreakerSettings, problemOfBreaker } from '../../domain/health';
import { invalidField } from '../../domain/errors';

@ObjectType({
  simpleResolvers: true,
  description:
    'When a channel is passed over because its orders fail. Without a percentage and a number of failures it never is.',
})
export class ChannelBreaker {
  @Field(() => Int, {
    nullable: true,
    description: 'It is passed over where less than so many percent of its orders succeed.',
  })
  successPercent!: number | null;

  @Field(() => Int, {
    nullable: true,
    description: 'It is passed over after so many failures one after another.',
  })
  failuresInRow!: number | null;

  @Field(() => Int, { description: 'A percentage of fewer orders says nothing.' })
  leastOrders!: number;

  @Field(() => Int, { description: 'The orders of so many minutes count.' })
  minutes!: number;

  @Field(() => Int, {
    description:
      'After so many seconds one order is tried; the pause doubles with each trial that fails, up to an hour.',
  })
  pauseSeconds!: number;
}

@InputType({
  description:
    'When a channel is passed over because its orders fail. What is left out stays as it is, or takes its default at creation.',
})
export class ChannelBreakerInput {
  @Field(() => Int, {
    nullable: true,
    description:
      '1-100: it is passed over where less than so many percent of its orders succeed. 0, the default: never for that.',
  })
  successPercent?: number | null;

  @Field(() => Int, {
    nullable: true,
    description:
      '1-1000: it is passed over after so many failures one after another. 0, the default: never for that.',
  })
  failuresInRow?: number | null;

  @Field(() => Int, {
    nullable: true,
    description: 'A percentage of fewer orders says nothing; 1-10000, default 10.',
  })
  leastOrders?: number | null;

  @Field(() => Int, {
    nullable: true,
    description: 'The orders of so many minutes count; 1-1440, default 10.',
  })
  minutes?: number | null;

  @Field(() => Int, {
    nullable: true,
    description: 'After so many seconds one order is tried; 10-3600, default 60.',
  })
  pauseSeconds?: number | null;
}

/** A number that 0 takes away. */
const orNone = (given: number | null | undefined, current: number | null): number | null =>
  given === 0 ? null : (given ?? current);

/** A breaker as it will stand. @throws INVALID_FIELD */
export function breakerOf(
  input: ChannelBreakerInput | null | undefined,
  was: BreakerSettings,
): BreakerSettings {
  const settings = {
    breakerPercent: orNone(input?.successPercent, was.breakerPercent),
    breakerFailures: orNone(input?.failuresInRow, was.breakerFailures),
    breakerOrders: input?.leastOrders ?? was.breakerOrders,
    breakerMinutes: input?.minutes ?? was.breakerMinutes,
    breakerPause: input?.pauseSeconds ?? was.breakerPause,
  };
  const problem = problemOfBreaker(settings);
  if (problem) throw invalidField('breaker', problem, 'OUT_OF_RANGE');
  return settings;
}

/** The breaker's settings of a channel, and of a proposal. */
export const breakerIn = ({
  breakerPercent,
  breakerFailures,
  breakerOrders,
  breakerMinutes,
  breakerPause,
}: BreakerSettings): BreakerSettings => ({
  ...{ breakerPercent, breakerFailures, breakerOrders, breakerMinutes, breakerPause },
});

/** The breaker of a channel that does not say. */
export const NEW_BREAKER: BreakerSettings = {
  ...{ breakerPercent: null, breakerFailures: null },
  ...{ breakerOrders: 10, breakerMinutes: 10, breakerPause: 60 },
};
