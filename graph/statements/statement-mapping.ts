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
import { businessError, invalidField, notFound } from '../../domain/errors';
import {
  checkMapping,
  COLUMN_ROLES,
  type ColumnRole,
  type CsvMapping,
  type Encoding,
  ENCODINGS,
} from '../../domain/statement';
import * as db from '../../db/statements/mappings';
import { ActorInfo, actorInfoOf } from '../actor-info';
import type { GraphContext } from '../context';
import { REASON } from '../descriptions';
import { operatorAction } from '../../steps/operators/operator-action';
import { actorName } from '../../steps/access/caller';

const MOST_NAME = 64;
const MOST_HEADINGS = 10;
const HOLDS = `One of ${COLUMN_ROLES.join(', ')}. A column whose heading names a status or a currency is one of these or ignored.`;

@ObjectType({ simpleResolvers: true, description: 'What columns of a CSV file hold.' })
export class StatementColumn {
  @Field({ description: HOLDS })
  holds!: string;

  @Field(() => [String], { description: 'The headings; texts of several are put together.' })
  headings!: readonly string[];
}

@InputType({ description: 'What columns of a CSV file hold.' })
export class StatementColumnInput {
  @Field({ description: HOLDS })
  holds!: string;

  @Field(() => [String], { description: 'The headings; texts of several are put together.' })
  headings!: string[];
}

@ObjectType({ simpleResolvers: true, description: 'How a bank writes its CSV files.' })
export class StatementMapping {
  @Field(() => ID, { description: 'A UUID.' })
  id!: string;

  @Field({ description: 'For people; unique.' })
  name!: string;

  @Field(() => String, { nullable: true, description: 'It is of the accounts at this bank.' })
  bankCode!: string | null;

  @Field(() => ID, { nullable: true, description: 'It is of this account alone.' })
  accountId!: string | null;

  @Field({ description: 'When it was added.' })
  createdAt!: Date;

  @Field({ description: 'When it last changed.' })
  updatedAt!: Date;
}

@InputType({ description: 'How a bank writes its CSV files.' })
export class StatementMappingInput {
  @Field(() => ID, {
    nullable: true,
    description: 'The mapping to change; a new one unless given.',
  })
  id?: string | null;

  @Field({ description: `1-${MOST_NAME} characters, unique.` })
  name!: string;

  @Field(() => String, { nullable: true, description: 'Of the accounts at this bank.' })
  bankCode?: string | null;

  @Field(() => ID, { nullable: true, description: 'Of this account alone.' })
  accountId?: string | null;

  @Field({ defaultValue: ',', description: 'What stands between fields: one character.' })
  delimiter!: string;

  @Field({ defaultValue: 'utf-8', description: `One of ${ENCODINGS.join(', ')}.` })
  encoding!: string;

  @Field(() => Int, { defaultValue: 0, description: 'Lines before the headings, 0-100.' })
  skipLines!: number;

  @Field(() => [StatementColumnInput], { description: 'What its columns hold.' })
  columns!: StatementColumnInput[];

  @Field({
    description: 'Such as DD/MM/YYYY or "DD MMM YY HH:mm"; of YYYY, YY, MM, MMM, DD, HH, mm and ss.',
  })
  dateFormat!: string;

  @Field({ defaultValue: '.', description: 'Before the decimals: a point or a comma.' })
  decimalSign!: string;

  @Field(() => Int, {
    defaultValue: 0,
    description: 'Of years that count otherwise: 543 in Thailand.',
  })
  yearsAhead!: number;

  @Field(() => [String], {
    nullable: true,
    description: 'Words of the column `direction` that mean money that left, such as DR.',
  })
  debitWords?: string[] | null;

  @Field(() => [String], {
    nullable: true,
    description:
      'Words of the column `status` that mean a booked movement, such as Completed; the usual ones unless given. Other rows are no movements.',
  })
  bookedWords?: string[] | null;
}

/** @throws INVALID_FIELD */
function mappingOf(input: StatementMappingInput): CsvMapping {
  const { delimiter, encoding, skipLines, dateFormat, decimalSign, yearsAhead } = input;
  if (!ENCODINGS.includes(encoding as Encoding))
    throw invalidField('encoding', `must be one of ${ENCODINGS.join(', ')}`, 'UNKNOWN_VALUE');
  if (decimalSign !== '.' && decimalSign !== ',')
    throw invalidField('decimalSign', 'must be a point or a comma', 'UNKNOWN_VALUE');
  if (dateFormat.length > 40) throw invalidField('dateFormat', 'is too long', 'OUT_OF_RANGE');
  const columns: Partial<Record<ColumnRole, readonly string[]>> = {};
  for (const { holds, headings } of input.columns) {
    if (!(COLUMN_ROLES as readonly string[]).includes(holds))
      throw invalidField('columns', `none holds ${holds}`, 'UNKNOWN_VALUE');
    const named = headings.map((heading) => heading.trim()).filter((heading) => heading !== '');
    if (named.length > (holds === 'ignored' ? 40 : MOST_HEADINGS) || named.some((heading) => heading.length > 128))
      throw invalidField('columns', 'names too many or too long headings', 'OUT_OF_RANGE');
    columns[holds as ColumnRole] = named;
  }
  const debitWords = (input.debitWords ?? []).slice(0, 20);
  const bookedWords = (input.bookedWords ?? []).slice(0, 20);
  return checkMapping({
    delimiter: delimiter === '\\t' ? '\t' : delimiter,
    encoding: encoding as Encoding,
    skipLines,
    columns,
    dateFormat,
    decimalSign,
    yearsAhead,
    debitWords,
    bookedWords,
  });
}

@Resolver(() => StatementMapping)
export class StatementMappingResolver {
  @Authorized('VIEW')
  @Query(() => [StatementMapping], { description: 'How banks write their CSV files, by name.' })
  async statementMappings(@Ctx() { database }: GraphContext): Promise<db.MappingRow[]> {
    return await db.findMappings(database);
  }

  @Authorized('RECONCILE')
  @Mutation(() => StatementMapping, {
    description:
      'Saves how a bank writes its CSV files. What a mapping makes of a file is shown before it is imported; statements that were read keep theirs.',
  })
  async putStatementMapping(
    @Arg('input', { description: 'The mapping as it is to be.' }) input: StatementMappingInput,
    @Arg('reason', { description: REASON }) reason: string,
    @Ctx() context: GraphContext,
  ): Promise<db.MappingRow> {
    const { actor, database, loaders, now } = context;
    const name = input.name.trim();
    if (name === '' || Array.from(name).length > MOST_NAME)
      throw invalidField('name', `must have 1-${MOST_NAME} characters`, 'OUT_OF_RANGE');
    const { bankCode = null, accountId = null } = input;
    if (bankCode !== null && accountId !== null)
      throw invalidField('bankCode', 'is not for a mapping of one account', 'NOT_ALLOWED');
    if (accountId !== null && !(await loaders.bankAccounts.load(accountId))) throw notFound('bank account');
    const there = await db.findMappings(database);
    const current = there.find(({ id }) => id === input.id);
    if (input.id != null && !current) throw notFound('mapping');
    if (there.some((one) => one.name === name && one.id !== current?.id))
      throw businessError('WRONG_STATE', 'a mapping has this name');
    const row: db.MappingRow = {
      id: current?.id ?? uuidv7(),
      name,
      bankCode,
      accountId,
      mapping: mappingOf(input),
      updatedBy: actorName(actor),
      createdAt: current?.createdAt ?? now,
      updatedAt: now,
    };
    const action = {
      action: 'putStatementMapping',
      subject: `statement_mapping:${row.id}`,
      reason,
    };
    await operatorAction(context, { ...action, detail: { name } }, async (tx) => {
      await db.putMapping(tx, row);
    });
    return row;
  }

  @Authorized('VIEW')
  @FieldResolver(() => String, { description: 'What stands between fields.' })
  delimiter(@Root() { mapping }: db.MappingRow): string {
    return mapping.delimiter;
  }

  @Authorized('VIEW')
  @FieldResolver(() => String, { description: 'The encoding of the file’s text.' })
  encoding(@Root() { mapping }: db.MappingRow): string {
    return mapping.encoding;
  }

  @Authorized('VIEW')
  @FieldResolver(() => Int, { description: 'Lines before the headings.' })
  skipLines(@Root() { mapping }: db.MappingRow): number {
    return mapping.skipLines;
  }

  @Authorized('VIEW')
  @FieldResolver(() => [StatementColumn], { description: 'What its columns hold.' })
  columns(@Root() { mapping }: db.MappingRow): StatementColumn[] {
    return Object.entries(mapping.columns).map(([holds, headings]) => ({ holds, headings }));
  }

  @Authorized('VIEW')
  @FieldResolver(() => String, { description: 'Such as DD/MM/YYYY.' })
  dateFormat(@Root() { mapping }: db.MappingRow): string {
    return mapping.dateFormat;
  }

  @Authorized('VIEW')
  @FieldResolver(() => String, { description: 'Before the decimals: a point or a comma.' })
  decimalSign(@Root() { mapping }: db.MappingRow): string {
    return mapping.decimalSign;
  }

  @Authorized('VIEW')
  @FieldResolver(() => Int, { description: 'What its years are ahead of ours.' })
  yearsAhead(@Root() { mapping }: db.MappingRow): number {
    return mapping.yearsAhead;
  }

  @Authorized('VIEW')
  @FieldResolver(() => [String], { description: 'Words that mean money that left.' })
  debitWords(@Root() { mapping }: db.MappingRow): readonly string[] {
    return mapping.debitWords;
  }

  @Authorized('VIEW')
  @FieldResolver(() => [String], {
    description: 'Words of a status that mean a booked movement; none: the usual ones.',
  })
  bookedWords(@Root() { mapping }: db.MappingRow): readonly string[] {
    return mapping.bookedWords ?? [];
  }

  @Authorized('VIEW')
  @FieldResolver(() => ActorInfo, { description: 'Who changed it last.' })
  updatedBy(@Root() { updatedBy }: db.MappingRow): ActorInfo {
    return actorInfoOf(updatedBy);
  }
}
