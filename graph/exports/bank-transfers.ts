import { Arg, Authorized, Ctx, Extensions, Mutation, Resolver } from 'type-graphql';
import * as db from '../../db/transfers/bank-transfer-list';
import type { SortName } from '../connection';
import { type GraphContext } from '../context';
import { REASON } from '../descriptions';
import { BankTransferFilter, BankTransferSort, unlessRestricted } from '../transfers/bank-transfer-list';
import { Export, EXPORT_COST, EXPORT_WORDS, EXPORTERS, exportList } from './export';
import { seesMasked } from '../../steps/access/masking';
import { MASKED_TRANSFERS, TRANSFERS } from '../../steps/exports/bank-transfers';
import { MOST_ROWS } from '../../steps/exports/exportable';

@Resolver()
export class BankTransferExportResolver {
  @Authorized(...EXPORTERS)
  @Extensions({ cost: EXPORT_COST })
  @Mutation(() => Export, {
    description: `The bank transfers of a list as a file, at most ${MOST_ROWS} a call. The audit log records each export.`,
  })
  async exportBankTransfers(
    @Arg('reason', { description: REASON }) reason: string,
    @Ctx() context: GraphContext,
    @Arg('sort', () => BankTransferSort, {
      defaultValue: 'RECEIVED_AT_DESC',
      description: 'The order of the rows.',
    })
    sort: SortName<db.BankTransferSortBy>,
    @Arg('filter', () => BankTransferFilter, {
      nullable: true,
      description: 'Which to write, as in `bankTransfers`; null: all that you may see.',
    })
    filter?: BankTransferFilter | null,
    @Arg('after', () => String, { nullable: true, description: EXPORT_WORDS.after })
    after?: string | null,
    @Arg('cursors', { defaultValue: false, description: EXPORT_WORDS.cursors })
    cursors?: boolean,
  ): Promise<Export> {
    const asked: db.BankTransferFilter = filter ?? {};
    return await exportList(context, seesMasked(context) ? MASKED_TRANSFERS : TRANSFERS, {
      reason,
      sort,
      asked,
      after,
      cursors: cursors ?? false,
      filter: unlessRestricted(asked, context),
    });
  }
}
