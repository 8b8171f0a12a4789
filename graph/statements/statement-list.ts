import { Field, ID, InputType } from 'type-graphql';
import type { StatementStatus } from '../../domain/statement';
import * as db from '../../db/statements/statement-list';
import { BY_ID, connectionOf, sortEnum } from '../connection';
import { listResolver } from '../list-resolver';
import { BankStatement, StatementStatusEnum } from './statement';

@InputType({ description: 'Filter of statements. All given conditions must hold.' })
export class BankStatementFilter implements db.StatementFilter {
  @Field(() => [ID], { nullable: true, description: 'Of one of these bank accounts.' })
  accountId?: string[] | null;

  @Field(() => [StatementStatusEnum], { nullable: true, description: 'In one of these.' })
  status?: StatementStatus[] | null;
}

export const StatementListResolver = listResolver('bankStatements', {
  description: 'The statements of managed accounts, the newest first.',
  connection: connectionOf(BankStatement, 'BankStatement'),
  sort: sortEnum('BankStatementSort', {
    CREATED_AT: 'By when they came',
  }),
  defaultSort: 'CREATED_AT_DESC',
  filter: BankStatementFilter,
  sorts: db.STATEMENT_SORTS,
  id: BY_ID,
  read: db.listStatements,
  count: db.countStatements,
});
