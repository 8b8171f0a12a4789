import {
  Arg,
  Authorized,
  Ctx,
  Extensions,
  Field,
  ID,
  InputType,
  Mutation,
  Resolver,
} from 'type-graphql';
import { BILLING_LINES } from '../../domain/billing';
import { businessError, invalidField } from '../../domain/errors';
import { formatMoney } from '../../domain/money';
import { type Day, isDay } from '../../domain/zone';
import * as db from '../../db/billing/day-postings';
import { type GraphContext } from '../context';
import { REASON } from '../descriptions';
import {
  Export,
  EXPORT_COST,
  EXPORT_WORDS,
  type Exportable,
  EXPORTERS,
  exportList,
  MOST_ROWS,
} from './export';
import { requireReach } from '../../steps/access/caller';

@InputType({ description: 'A day of a merchant’s balance.' })
export class BillingDayFilter {
  @Field(() => ID, { description: 'Its merchant.' })
  merchantId!: string;

  @Field({ description: 'ISO 4217.' })
  currencyCode!: string;

  @Field(() => String, { description: 'In the merchant’s time zone, YYYY-MM-DD; it has ended.' })
  day!: Day;
}

const REFUSED: Readonly<Record<db.BillingDayRefusal, string>> = {
  NO_MONTH: 'the merchant has no billing statement of that month, and it is not the next one',
  NOT_ENDED: 'the day has not ended in the merchant’s time zone',
  UNSEALED:
    'the chain of the books has no link yet for what was posted last: try again in a minute',
};

const POSTINGS: Exportable<db.BillingPostingRow, 'SEQ', db.BillingDay> = {
  noun: 'billing-day',
  sorts: db.BILLING_POSTING_SORTS,
  id: { of: ({ seq }) => seq, type: 'text' },
  // Each SQL statement sums the balance from the beginning of the month.
  batch: MOST_ROWS,
  read: db.listBillingPostings,
  columns: [
    ['posting', ({ seq }) => seq],
    ['transfer_id', ({ transferId }) => transferId],
    ['at', ({ at }) => at],
    ['type', ({ type }) => type.toLowerCase()],
    ['title', ({ type }) => BILLING_LINES[type].title],
    ['order_no', ({ orderNo }) => orderNo],
    ['merchant_order_no', ({ merchantOrderNo }) => merchantOrderNo],
    ['amount', ({ amount }) => formatMoney(amount)],
    ['fee', ({ fee }) => formatMoney(fee)],
    ['available', ({ available }) => formatMoney(available)],
    ['frozen', ({ frozen }) => formatMoney(frozen)],
    ['receivable', ({ receivable }) => formatMoney(receivable)],
    ['balance', ({ balance }) => formatMoney(balance)],
  ],
  shownOf: async () => await Promise.resolve({}),
};

@Resolver()
export class BillingDayExportResolver {
  @Authorized(...EXPORTERS)
  @Extensions({ cost: EXPORT_COST })
  @Mutation(() => Export, {
    description: `A merchant's reconciliation file of a day: every posting that moved its balance, with a running balance, at most ${MOST_ROWS} a call. The days of a month add up to its billing statement. The audit log records each export.`,
  })
  async exportBillingDay(
    @Arg('reason', { description: REASON }) reason: string,
    @Arg('filter', { description: 'Which day.' }) asked: BillingDayFilter,
    @Ctx() context: GraphContext,
    @Arg('after', () => String, { nullable: true, description: EXPORT_WORDS.after })
    after?: string | null,
    @Arg('cursors', { defaultValue: false, description: EXPORT_WORDS.cursors })
    cursors?: boolean,
  ): Promise<Export> {
    const { merchantId, currencyCode, day } = asked;
    if (!isDay(day)) throw invalidField('filter.day', 'must be a day, YYYY-MM-DD');
    if (!/^[A-Z]{3}$/.test(currencyCode))
      throw invalidField('filter.currencyCode', 'must be ISO 4217');
    requireReach(context.actor, merchantId, 'merchant');
    const month = await db.findBillingMonth(context.database, asked, day, context.now);
    if (month.refusal !== null) throw businessError('WRONG_STATE', REFUSED[month.refusal]);
    return await exportList(context, POSTINGS, {
      ...{ reason, sort: 'SEQ_ASC', asked, after, cursors: cursors ?? false },
      filter: { merchantId, currencyCode, day, month },
    });
  }
}
