import { Field, Int, ObjectType } from 'type-graphql';

/** The payload of a mutation without other results. */
@ObjectType({ simpleResolvers: true, description: 'It was done.' })
export class Done {
  @Field({ description: 'True; a refusal is an error.' })
  ok!: boolean;
}

/** It was done. */
export const DONE: Done = { ok: true };

@ObjectType({ simpleResolvers: true, description: 'Sessions that were ended.' })
export class EndedSessions {
  @Field(() => Int, { description: 'How many.' })
  ended!: number;
}
