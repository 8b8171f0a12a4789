import { Field, InputType } from 'type-graphql';

@InputType({ description: 'Where money goes back to.' })
export class PayeeInput {
  @Field({ description: 'The name of who gets it, 1-128 characters.' })
  name!: string;

  @Field({ description: 'The account number, 1-64 characters.' })
  account!: string;

  @Field(() => String, { nullable: true, description: 'The bank, for who sends it.' })
  bank?: string | null;
}
