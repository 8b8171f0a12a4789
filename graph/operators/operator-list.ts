import { Field, InputType } from 'type-graphql';
import * as db from '../../db/operators/operator-list';
import { BY_ID, connectionOf, sortEnum } from '../connection';
import { listResolver } from '../list-resolver';
import { Operator } from './operator';

@InputType({ description: 'Filter of operators. All given conditions must hold.' })
export class OperatorFilter implements db.OperatorFilter {
  @Field(() => [String], { nullable: true, description: 'Has one of these roles.' })
  role?: string[] | null;

  @Field(() => Boolean, { nullable: true, description: 'True: may not log in.' })
  disabled?: boolean | null;

  @Field(() => String, { nullable: true, description: 'How the login begins.' })
  loginPrefix?: string | null;
}

export const OperatorListResolver = listResolver('operators', {
  description: 'The operators, by login.',
  role: 'ADMIN',
  connection: connectionOf(Operator, 'Operator'),
  sort: sortEnum('OperatorSort', { LOGIN: 'By their login' }),
  defaultSort: 'LOGIN_ASC',
  filter: OperatorFilter,
  sorts: db.OPERATOR_SORTS,
  id: BY_ID,
  read: db.listOperators,
  count: db.countOperators,
});
