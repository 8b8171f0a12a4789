import {
  Arg,
  Authorized,
  Ctx,
  Extensions,
  Field,
  Int,
  Mutation,
  ObjectType,
  Resolver,
} from 'type-graphql';
import { type CsvColumn, csvOf } from '../../domain/csv';
import { formatMoney } from '../../domain/money';
import { shownMerchants } from '../../domain/permissions';
import * as db from '../../db/deposits/deposit-list';
import type { DepositView } from '../../db/deposits/deposits';
import type { MerchantRow } from '../../db/merchants/merchants';
import type { Place } from '../../db/pages';
import { operatorOf } from '../access/authorization';
import type { SortName } from '../connection';
import { type GraphContext } from '../context';
import { requireReason } from '../operators/operator-action';
import { DepositFilter, DepositSort } from './deposit-list';
import { REASON } from '../descriptions';

/** Most rows of an export; export day by day for more. */
const MOST_ROWS = 10_000;
/** Rows that one statement reads. */
const BATCH = 1_000;
/** Of one export among the limits of an operation: few objects, but many rows are read. */
const COST = 2_000;

@ObjectType({ simpleResolvers: true, description: 'A list as a file for spreadsheets.' })
export class Export {
  @Field({ description: 'A name for the file.' })
  fileName!: string;

  @Field({
    description:
      'Comma-separated values (RFC 4180), UTF-8, with a line of headings; amounts with 4 decimals, times in UTC.',
  })
  csv!: string;

  @Field(() => Int, { description: 'Rows in it, without the headings.' })
  rows!: number;

  @Field({ description: `There are more than ${MOST_ROWS} rows: the others are not in it.` })
  cut!: boolean;
}

type Row = DepositView & { readonly merchant: MerchantRow | undefined };

/** No payer's name, no account number: an export contains only what bookkeeping needs. */
const COLUMNS: readonly CsvColumn<Row>[] = [
  ['order_no', ({ orderNo }) => orderNo],
  ['merchant_order_no', ({ merchantOrderNo }) => merchantOrderNo],
  ['merchant_code', ({ merchant }) => merchant?.merchantCode],
  ['order_type', ({ orderType }) => orderType.toLowerCase()],
  ['status', ({ status }) => status.toLowerCase()],
  ['currency_code', ({ currencyCode }) => currencyCode],
  ['requested_amount', ({ requestedAmount }) => formatMoney(requestedAmount)],
  ['amount', ({ amount }) => formatMoney(amount)],
  ['actual_amount', ({ actualAmount }) => formatMoney(actualAmount)],
  ['fee', ({ fee }) => formatMoney(fee)],
  ['user_id', ({ userId }) => userId],
  ['created_at', ({ createdAt }) => createdAt],
  ['expire_at', ({ expireAt }) => expireAt],
  ['matched_at', ({ matchedAt }) => matchedAt],
  ['completed_at', ({ completedAt }) => completedAt],
  ['callback_status', ({ callbackStatus }) => callbackStatus?.toLowerCase()],
];

/** The first rows of a list, one more than fits if there are more. */
async function readRows(
  { database }: GraphContext,
  filter: db.DepositFilter,
  sort: SortName<db.DepositSortBy>,
): Promise<DepositView[]> {
  const by = sort.slice(0, sort.lastIndexOf('_')) as db.DepositSortBy;
  const descending = sort.endsWith('_DESC');
  const { value } = db.DEPOSIT_SORTS[by];
  const rows: DepositView[] = [];
  let after: Place | null = null;
  for (;;) {
    const page = { by, descending, size: BATCH, after, before: null, fromEnd: false };
    const { rows: more, hasNext } = await db.listDeposits(database, filter, page);
    rows.push(...more);
    const last = more.at(-1);
    if (!hasNext || !last || rows.length > MOST_ROWS) return rows;
    after = { value: value(last), id: last.id };
  }
}

@Resolver()
export class DepositExportResolver {
  @Authorized('SUPPORT', 'RECONCILE', 'TREASURER', 'ADMIN')
  @Extensions({ cost: COST })
  @Mutation(() => Export, {
    description: `The deposits of a list as a file, at most ${MOST_ROWS}. The audit log says who took which.`,
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
  ): Promise<Export> {
    const { actor, audit, loaders, now } = context;
    const asked: db.DepositFilter = filter ?? {};
    audit.note = { subject: 'deposits', reason };
    requireReason(reason);
    const merchantId = shownMerchants(operatorOf(actor), asked.merchantId);
    const found = await readRows(context, { ...asked, merchantId }, sort);
    const shown = await Promise.all(
      found
        .slice(0, MOST_ROWS)
        .map(async (row) => ({ ...row, merchant: await loaders.merchants.load(row.merchantId) })),
    );
    const wanted = JSON.parse(JSON.stringify({ filter: asked, sort })) as object;
    audit.note = { ...audit.note, after: { ...wanted, rows: shown.length } };
    return {
      fileName: `deposits-${now.toISOString().slice(0, 19).replaceAll(':', '')}Z.csv`,
      csv: csvOf(COLUMNS, shown),
      rows: shown.length,
      cut: found.length > MOST_ROWS,
    };
  }
}
