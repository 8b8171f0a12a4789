import { Arg, Authorized, Ctx, Extensions, Mutation, Resolver } from 'type-graphql';
import * as db from '../../db/deposits/deposit-list';
import type { SortName } from '../connection';
import { type GraphContext } from '../context';
import { DepositFilter, DepositSort } from '../deposits/deposit-list';
import { REASON } from '../descriptions';
import { toOwnMerchants } from '../list-resolver';
import { Export, EXPORT_COST, EXPORT_WORDS, EXPORTERS, exportList } from './export';
import { DEPOSITS } from '../../steps/exports/deposits';
import { MOST_ROWS } from '../../steps/exports/exportable';

@Resolver()
export class DepositExportResolver {
  @Authorized(...EXPORTERS)
  @Extensions({ cost: EXPORT_COST })
  @Mutation(() => Export, {
    description: `The deposits of a list as a file, at most ${MOST_ROWS} a call. The audit log records each export.`,
  })
  async exportDeposits(
    @Arg('reason', { description: REASON }) reason: string,
    @Ctx() context: GraphContext,
    @Arg('sort', () => DepositSort, {
      defaultValue: 'CREATED_AT_DESC',
      description: 'The order of the rows.',
    })
    sort: SortName<db.DepositSortBy>,
    @Arg('filter', () => DepositFilter, {
      nullable: true,
      description: 'Which deposits to write, as in `deposits`; null: all that you may see.',
    })
    filter?: DepositFilter | null,
    @Arg('after', () => String, { nullable: true, description: EXPORT_WORDS.after })
    after?: string | null,
    @Arg('cursors', { defaultValue: false, description: EXPORT_WORDS.cursors })
    cursors?: boolean,
  ): Promise<Export> {
    const asked: db.DepositFilter = filter ?? {};
    return await exportList(context, DEPOSITS, {
      reason,
      sort,
      asked,
      after,
      cursors: cursors ?? false,
      filter: toOwnMerchants(asked, context),
    });
  }
}
