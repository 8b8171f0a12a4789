import {
  Arg,
  Authorized,
  Ctx,
  Field,
  FieldResolver,
  ID,
  InputType,
  Mutation,
  ObjectType,
  Query,
  Resolver,
  Root,
} from 'type-graphql';
import { uuidv7 } from 'uuidv7';
import { businessError, invalidField, notFound } from '../../domain/errors';
import { checkChart } from '../../domain/journal-chart';
import * as db from '../../db/ledger/journal-charts';
import { ActorInfo, actorInfoOf } from '../actor-info';
import type { GraphContext } from '../context';
import { REASON } from '../descriptions';
import { operatorAction } from '../../steps/operators/operator-action';
import { ChartAccountInput } from './journal';
import { actorName } from '../../steps/access/caller';

@ObjectType({ simpleResolvers: true, description: 'An account of a chart.' })
export class ChartAccount {
  @Field({ description: 'How the ledger’s accounts begin; the longest that fits counts.' })
  account!: string;

  @Field({ description: 'Its number in the chart.' })
  code!: string;

  @Field(() => String, { nullable: true, description: 'Its name in the chart.' })
  name!: string | null;
}

@ObjectType({
  simpleResolvers: true,
  description: 'A chart of accounts: what of the ledger goes where in a journal.',
})
export class JournalChart {
  @Field(() => ID, { description: 'A UUID, as `exportJournal` takes it.' })
  id!: string;

  @Field({ description: 'For people; unique.' })
  name!: string;

  @Field(() => [ChartAccount], { description: 'Its accounts.' })
  accounts!: readonly ChartAccount[];

  @Field({ description: 'When it was added.' })
  createdAt!: Date;

  @Field({ description: 'When it last changed.' })
  updatedAt!: Date;
}

@InputType({ description: 'A chart of accounts, as it is to be.' })
export class JournalChartInput {
  @Field(() => ID, { nullable: true, description: 'The chart to change; a new one unless given.' })
  id?: string | null;

  @Field({ description: '1-64 characters, unique.' })
  name!: string;

  @Field(() => [ChartAccountInput], { description: 'What of the ledger goes where; 1-200.' })
  accounts!: ChartAccountInput[];
}

@Resolver(() => JournalChart)
export class JournalChartResolver {
  @Authorized('VIEW')
  @Query(() => [JournalChart], { description: 'The saved charts of accounts, by name.' })
  async journalCharts(@Ctx() { database }: GraphContext): Promise<db.ChartRow[]> {
    return await db.findCharts(database);
  }

  @Authorized('CONFIGURE')
  @Mutation(() => JournalChart, {
    description: 'Saves a chart of accounts, for journals of the ledger. It moves no money.',
  })
  async putJournalChart(
    @Arg('input', { description: 'The chart as it is to be.' }) input: JournalChartInput,
    @Arg('reason', { description: REASON }) reason: string,
    @Ctx() context: GraphContext,
  ): Promise<db.ChartRow> {
    const { actor, database, now } = context;
    const name = input.name.trim();
    if (name === '' || Array.from(name).length > 64)
      throw invalidField('name', 'must have 1-64 characters', 'OUT_OF_RANGE');
    const accounts = checkChart(
      input.accounts.map(({ account, code, name: called }) => ({
        account: account.trim(),
        code: code.trim(),
        name: called ?? null,
      })),
    );
    const there = await db.findCharts(database);
    const current = there.find(({ id }) => id === input.id);
    if (input.id != null && !current) throw notFound('chart');
    if (there.some((one) => one.name === name && one.id !== current?.id))
      throw businessError('WRONG_STATE', 'a chart has this name');
    const row: db.ChartRow = {
      id: current?.id ?? uuidv7(),
      name,
      accounts,
      updatedBy: actorName(actor),
      createdAt: current?.createdAt ?? now,
      updatedAt: now,
    };
    const action = { action: 'putJournalChart', subject: `journal_chart:${row.id}`, reason };
    await operatorAction(context, { ...action, detail: { name } }, async (tx) => {
      await db.putChart(tx, row);
    });
    return row;
  }

  @Authorized('VIEW')
  @FieldResolver(() => ActorInfo, { description: 'Who changed it last.' })
  updatedBy(@Root() { updatedBy }: db.ChartRow): ActorInfo {
    return actorInfoOf(updatedBy);
  }
}
