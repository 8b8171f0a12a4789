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
    description: 'It is passed over if less than this percentage of its orders succeeds.',
  })
  successPercent!: number | null;

  @Field(() => Int, {
    nullable: true,
    description: 'It is passed over after this many consecutive failures.',
  })
  failuresInRow!: number | null;

  @Field(() => Int, { description: 'The percentage needs at least this many orders.' })
  leastOrders!: number;

  @Field(() => Int, { description: 'The window, minutes: only its orders count.' })
  minutes!: number;

  @Field(() => Int, {
    description:
      'After this many seconds one order is tried; the pause doubles with each trial that fails, up to an hour.',
  })
  pauseSeconds!: number;
}

@InputType({
  description:
    'When a channel is passed over because its orders fail. Omitted fields stay unchanged, or take their defaults at creation.',
})
export class ChannelBreakerInput {
  @Field(() => Int, {
    nullable: true,
    description:
      '1-100: it is passed over if less than this percentage of its orders succeeds. 0, the default: never for that.',
  })
  successPercent?: number | null;

  @Field(() => Int, {
    nullable: true,
    description: '1-1000: it is passed over after this many consecutive failures. 0, the default: never for that.',
  })
  failuresInRow?: number | null;

  @Field(() => Int, {
    nullable: true,
    description: 'The percentage needs at least this many orders; 1-10000, default 10.',
  })
  leastOrders?: number | null;

  @Field(() => Int, {
    nullable: true,
    description: 'The window, minutes: only its orders count; 1-1440, default 10.',
  })
  minutes?: number | null;

  @Field(() => Int, {
    nullable: true,
    description: 'After this many seconds one order is tried; 10-3600, default 60.',
  })
  pauseSeconds?: number | null;
}

/** A number; 0 clears it. */
const orNone = (given: number | null | undefined, current: number | null): number | null =>
  given === 0 ? null : (given ?? current);

/** The settings of a breaker after a change. @throws INVALID_FIELD */
export function breakerOf(input: ChannelBreakerInput | null | undefined, was: BreakerSettings): BreakerSettings {
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
