import { Field, ID, ObjectType } from 'type-graphql';
import type { GraphDeps } from './context';

@ObjectType({ simpleResolvers: true, description: 'The durable workflow of an order.' })
export class Workflow {
  @Field(() => ID)
  id!: string;

  @Field(() => String, { nullable: true, description: 'Its page in the Temporal UI.' })
  url!: string | null;
}

/** A workflow by its id, with its page in the Temporal UI if that is known. */
export const linkTo = ({ temporalUi }: Pick<GraphDeps, 'temporalUi'>, id: string): Workflow => ({
  id,
  url: temporalUi === null ? null : `${temporalUi}/workflows/${encodeURIComponent(id)}`,
});
