import { Arg, Authorized, Ctx, Extensions, Field, ID, InputType, Mutation, Resolver } from 'type-graphql';
import { businessError, invalidField } from '../../domain/errors';
import { type Day, isDay } from '../../domain/zone';
import * as db from '../../db/billing/day-postings';
import { type GraphContext } from '../context';
import { REASON } from '../descriptions';
import { Export, EXPORT_COST, EXPORT_WORDS, EXPORTERS, exportList } from './export';
import { requireReach } from '../../steps/access/caller';
import { POSTINGS } from '../../steps/exports/billing-day';
import { MOST_ROWS } from '../../steps/exports/exportable';

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
  UNSEALED: 'the chain of the books has no link yet for what was posted last: try again in a minute',
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
    if (!/^[A-Z]{3}$/.test(currencyCode)) throw invalidField('filter.currencyCode', 'must be ISO 4217');
    requireReach(context.actor, merchantId, 'merchant');
    const month = await db.findBillingMonth(context.database, asked, day, context.now);
    if (month.refusal !== null) throw businessError('WRONG_STATE', REFUSED[month.refusal]);
    return await exportList(context, POSTINGS, {
      reason,
      sort: 'SEQ_ASC',
      asked,
      after,
      cursors: cursors ?? false,
      filter: { merchantId, currencyCode, day, month },
    });
  }
}
