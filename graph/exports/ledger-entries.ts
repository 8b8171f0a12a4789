import { Arg, Authorized, Ctx, Extensions, Mutation, Resolver } from 'type-graphql';
import * as db from '../../db/ledger/ledger-list';
import { type SortName } from '../connection';
import { type GraphContext } from '../context';
import { REASON } from '../descriptions';
import { LedgerEntryFilter, LedgerEntrySort } from '../ledger/ledger-list';
import { toOwnMerchants } from '../list-resolver';
import { Export, EXPORT_COST, EXPORT_WORDS, EXPORTERS, exportList } from './export';
import { ENTRIES } from '../../steps/exports/ledger-entries';
import { MOST_ROWS } from '../../steps/exports/exportable';

@Resolver()
export class LedgerEntryExportResolver {
  @Authorized(...EXPORTERS)
  @Extensions({ cost: EXPORT_COST })
  @Mutation(() => Export, {
    description: `The ledger's lines of a list as a file, at most ${MOST_ROWS} a call. The audit log records each export.`,
  })
  async exportLedgerEntries(
    @Arg('reason', { description: REASON }) reason: string,
    @Ctx() context: GraphContext,
    @Arg('sort', () => LedgerEntrySort, {
      defaultValue: 'AT_DESC',
      description: 'The order of the rows.',
    })
    sort: SortName<db.LedgerEntrySortBy>,
    @Arg('filter', () => LedgerEntryFilter, {
      nullable: true,
      description: 'Which to write, as in `ledgerEntries`; null: all that you may see.',
    })
    filter?: LedgerEntryFilter | null,
    @Arg('after', () => String, { nullable: true, description: EXPORT_WORDS.after })
    after?: string | null,
    @Arg('cursors', { defaultValue: false, description: EXPORT_WORDS.cursors })
    cursors?: boolean,
  ): Promise<Export> {
    const asked: db.LedgerEntryFilter = filter ?? {};
    return await exportList(context, ENTRIES, {
      reason,
      sort,
      asked,
      after,
      cursors: cursors ?? false,
      filter: toOwnMerchants(asked, context),
    });
  }
}
