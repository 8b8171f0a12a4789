import {
  Arg,
  Authorized,
  Ctx,
  Field,
  FieldResolver,
  ID,
  InputType,
  Int,
  Mutation,
  ObjectType,
  Query,
  Resolver,
  Root,
} from 'type-graphql';
import { uuidv7 } from 'uuidv7';
import { invalidField, notFound } from '../../domain/errors';
import { LIMITS } from '../../domain/limits';
import { isDay } from '../../domain/zone';
import type { ChangeRow } from '../../db/changes/change-requests';
import * as db from '../../db/settlements/calendars';
import { ChangeRequest, EvidenceInput } from '../changes/change-request';
import { propose } from '../../steps/changes/propose';
import type { GraphContext } from '../context';
import { EVIDENCE, PAYLOAD_CHANGE, REASON } from '../descriptions';
import { calendarFields, type CalendarPayload } from '../../steps/settlements/calendar-effects';
import { checkedWeekdays, checkedName, WEEKDAYS } from '../../steps/settlements/calendar';

@ObjectType({ simpleResolvers: true, description: 'A day on which banks do not work.' })
export class Holiday {
  @Field({ description: 'YYYY-MM-DD.' })
  day!: string;

  @Field({ description: 'What it is called.' })
  name!: string;
}

@ObjectType({
  simpleResolvers: true,
  description: 'A named list of the days on which banks do not work.',
})
export class Calendar {
  @Field(() => ID, { description: 'A UUID.' })
  id!: string;

  @Field({ description: 'Its name; no other calendar has it.' })
  name!: string;

  @Field(() => [Int], { description: `${WEEKDAYS} These are off, week by week.` })
  daysOff!: readonly number[];

  @Field({ description: 'When its first version was approved.' })
  createdAt!: Date;

  @Field({ description: 'When its days were changed last.' })
  updatedAt!: Date;
}

@InputType({ description: 'A day on which banks do not work.' })
export class HolidayInput {
  @Field({ description: 'YYYY-MM-DD.' })
  day!: string;

  @Field({ description: `What it is called, 1-${LIMITS.calendarName} characters.` })
  name!: string;
}

@InputType({ description: 'A calendar as it is to be.' })
export class CalendarInput {
  @Field(() => ID, { nullable: true, description: 'The calendar to change; null: a new one.' })
  id?: string | null;

  @Field({ description: `Its name, 1-${LIMITS.calendarName} characters.` })
  name!: string;

  @Field(() => [Int], { description: `${WEEKDAYS} At most six.` })
  daysOff!: number[];

  @Field(() => [HolidayInput], { description: `At most ${LIMITS.calendarHolidays}, in any order.` })
  holidays!: HolidayInput[];
}

@ObjectType({ simpleResolvers: true, description: 'A proposed calendar.' })
export class CalendarChange {
  @Field(() => ChangeRequest, { description: PAYLOAD_CHANGE })
  change!: ChangeRow;

  @Field(() => Calendar, { nullable: true, description: 'Null until the change is applied.' })
  calendar!: db.CalendarRow | null;
}

/** A calendar of an input, its holidays by day. @throws INVALID_FIELD */
function payloadOf({ name, daysOff, holidays }: CalendarInput, id: string): CalendarPayload {
  if (holidays.length > LIMITS.calendarHolidays)
    throw invalidField('holidays', `must be at most ${LIMITS.calendarHolidays}`, 'OUT_OF_RANGE');
  for (const { day } of holidays) if (!isDay(day)) throw invalidField('holidays', `${day} must be a day, YYYY-MM-DD`);
  if (new Set(holidays.map(({ day }) => day)).size !== holidays.length)
    throw invalidField('holidays', 'must name each day once', 'NOT_ALLOWED');
  const byDay = [...holidays].sort((a, b) => (a.day < b.day ? -1 : 1));
  return {
    id,
    name: checkedName('name', name),
    daysOff: checkedWeekdays('daysOff', daysOff, 6),
    holidays: byDay.map(({ day }) => day),
    holidayNames: byDay.map((one) => checkedName('holidays', one.name)),
  };
}

@Resolver(() => Calendar)
export class CalendarResolver {
  @Authorized('VIEW')
  @Query(() => [Calendar], {
    description: 'The calendars that settlement plans may follow, by name.',
  })
  async calendars(@Ctx() { database }: GraphContext): Promise<readonly db.CalendarRow[]> {
    return await db.findCalendars(database);
  }

  @Authorized('CONFIGURE')
  @Mutation(() => CalendarChange, {
    description: 'Proposes the days on which banks do not work: a new calendar, or all days of one that is there.',
  })
  async putCalendar(
    @Arg('input', { description: 'The calendar as it is to be.' }) input: CalendarInput,
    @Arg('reason', { description: REASON }) reason: string,
    @Ctx() context: GraphContext,
    @Arg('evidence', () => EvidenceInput, { nullable: true, description: EVIDENCE })
    evidence?: EvidenceInput | null,
  ): Promise<CalendarChange> {
    const { loaders } = context;
    const before = input.id == null ? undefined : await loaders.calendars.load(input.id);
    if (input.id != null && !before) throw notFound('calendar');
    const payload = payloadOf(input, before?.id ?? uuidv7());
    const { id, name } = payload;
    const change = await propose(context, {
      kind: 'PUT_CALENDAR',
      subject: { kind: 'calendar', id, name },
      summary: `${before ? 'Change' : 'Add'} the calendar ${name}`,
      before: before ? calendarFields(before) : {},
      after: calendarFields(payload),
      payload,
      reason,
      evidence,
    });
    const applied = change.status === 'APPLIED' ? await loaders.calendars.clear(id).load(id) : null;
    return { change, calendar: applied ?? null };
  }

  @Authorized('VIEW')
  @FieldResolver(() => [Holiday], { description: 'By day.' })
  holidays(@Root() { holidays, holidayNames }: db.CalendarRow): Holiday[] {
    return holidays.map((day, at) => ({ day, name: holidayNames[at] ?? '' }));
  }
}
