import { Arg, Authorized, Ctx, Extensions, Mutation, Resolver } from 'type-graphql';
import * as db from '../../db/withdrawals/withdrawal-list';
import type { SortName } from '../connection';
import { type GraphContext } from '../context';
import { REASON } from '../descriptions';
import { toOwnMerchants } from '../list-resolver';
import { WithdrawalFilter, WithdrawalSort } from '../withdrawals/withdrawal-list';
import { Export, EXPORT_COST, EXPORT_WORDS, EXPORTERS, exportList } from './export';
import { operatorOf } from '../../steps/access/caller';
import { WITHDRAWALS } from '../../steps/exports/withdrawals';
import { MOST_ROWS } from '../../steps/exports/exportable';

@Resolver()
export class WithdrawalExportResolver {
  @Authorized(...EXPORTERS)
  @Extensions({ cost: EXPORT_COST })
  @Mutation(() => Export, {
    description: `The withdrawals of a list as a file, at most ${MOST_ROWS} a call. The audit log records each export.`,
  })
  async exportWithdrawals(
    @Arg('reason', { description: REASON }) reason: string,
    @Ctx() context: GraphContext,
    @Arg('sort', () => WithdrawalSort, {
      defaultValue: 'CREATED_AT_DESC',
      description: 'The order of the rows.',
    })
    sort: SortName<db.WithdrawalSortBy>,
    @Arg('filter', () => WithdrawalFilter, {
      nullable: true,
      description: 'Which to write, as in `withdrawals`; null: all that you may see.',
    })
    filter?: WithdrawalFilter | null,
    @Arg('after', () => String, { nullable: true, description: EXPORT_WORDS.after })
    after?: string | null,
    @Arg('cursors', { defaultValue: false, description: EXPORT_WORDS.cursors })
    cursors?: boolean,
  ): Promise<Export> {
    const { mine, ...asked }: WithdrawalFilter = filter ?? {};
    const own = mine ? { claimedBy: [operatorOf(context.actor).id] } : {};
    return await exportList(context, WITHDRAWALS, {
      reason,
      sort,
      asked: { ...asked, ...own },
      after,
      cursors: cursors ?? false,
      filter: { ...toOwnMerchants(asked, context), ...own },
    });
  }
}
