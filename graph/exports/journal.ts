import { Arg, Authorized, Ctx, Extensions, Field, ID, InputType, Mutation, Resolver } from 'type-graphql';
import { invalidField, notFound } from '../../domain/errors';
import { type ChartAccount, checkChart } from '../../domain/journal-chart';
import { findChart } from '../../db/ledger/journal-charts';
import * as db from '../../db/ledger/ledger-list';
import { type SortName } from '../connection';
import { type GraphContext } from '../context';
import { REASON } from '../descriptions';
import { LedgerEntryFilter } from '../ledger/ledger-list';
import { toOwnMerchants } from '../list-resolver';
import { Export, EXPORT_COST, EXPORT_WORDS, EXPORTERS, exportList } from './export';
import { journalOf } from '../../steps/exports/journal';
import { MOST_ROWS } from '../../steps/exports/exportable';

@InputType({ description: 'An account of your chart, and what of the ledger goes there.' })
export class ChartAccountInput {
  @Field({
    description:
      'How the ledger’s accounts begin, such as `bank`, `merchant` or `bank:{id}`. The longest that fits counts; `` fits all.',
  })
  account!: string;

  @Field({ description: 'The number in your chart; 1-32 characters.' })
  code!: string;

  @Field(() => String, { nullable: true, description: 'Its name in your chart.' })
  name?: string | null;
}

/**
 * @throws INVALID_FIELD, NOT_FOUND if it is neither given nor saved
 */
async function chartOf(
  { database }: GraphContext,
  given: readonly ChartAccountInput[] | null,
  savedId: string | null,
): Promise<readonly ChartAccount[]> {
  if ((given === null) === (savedId === null)) throw invalidField('chart', 'give either chart or chartId', 'REQUIRED');
  if (given) return checkChart(given.map(({ account, code, name = null }) => ({ account, code, name })));
  const saved = await findChart(database, savedId ?? '');
  if (!saved) throw notFound('chart');
  return saved.accounts;
}

@Resolver()
export class JournalExportResolver {
  @Authorized(...EXPORTERS)
  @Extensions({ cost: EXPORT_COST })
  @Mutation(() => Export, {
    description: `The ledger's lines as a journal of your own chart of accounts, oldest first, at most ${MOST_ROWS} a call. What no account of the chart fits has no code. The audit log records each export.`,
  })
  async exportJournal(
    @Arg('reason', { description: REASON }) reason: string,
    @Ctx() context: GraphContext,
    @Arg('chart', () => [ChartAccountInput], {
      nullable: true,
      description: 'What of the ledger goes where; null: as the saved chart says.',
    })
    chart?: ChartAccountInput[] | null,
    @Arg('chartId', () => ID, {
      nullable: true,
      description: 'The id of a saved chart, a UUID; instead of `chart`.',
    })
    chartId?: string | null,
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
    const places = await chartOf(context, chart ?? null, chartId ?? null);
    const asked: db.LedgerEntryFilter = filter ?? {};
    const sort: SortName<db.LedgerEntrySortBy> = 'AT_ASC';
    return await exportList(context, journalOf(places), {
      reason,
      sort,
      asked,
      after,
      cursors: cursors ?? false,
      filter: toOwnMerchants(asked, context),
    });
  }
}
