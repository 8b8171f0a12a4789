import { Field, ID, ObjectType } from 'type-graphql';
import type { Waiting } from '../domain/waiting';
import type { GraphDeps } from './context';

@ObjectType({ simpleResolvers: true, description: 'The durable workflow of an order.' })
export class Workflow {
  @Field(() => ID, { description: 'The workflow id in Temporal, such as `deposit:{orderNo}`.' })
  id!: string;

  @Field(() => String, { nullable: true, description: 'Its runs in the Temporal UI.' })
  url!: string | null;

  @Field(() => String, {
    nullable: true,
    description: 'What it waits for, as far as the order says; null where it has nothing more to do.',
  })
  waitsFor!: string | null;

  @Field(() => Date, { nullable: true, description: 'Since when it waits for that.' })
  since!: Date | null;
}

/**
 * A list with the runs of one workflow. The workflow's own page does not exist before it has begun, or after its
 * history was deleted.
 */
const byId = (id: string): string => encodeURIComponent(`WorkflowId="${id}"`);

/** A workflow by its id, with its runs in the Temporal UI if its address is known, and what it waits for. */
export const linkTo = (
  { temporalUi }: Pick<GraphDeps, 'temporalUi'>,
  id: string,
  waiting: Waiting | null = null,
): Workflow => ({
  id,
  waitsFor: waiting?.waitsFor ?? null,
  since: waiting?.since ?? null,
  url: temporalUi === null ? null : `${temporalUi}/workflows?query=${byId(id)}`,
});
