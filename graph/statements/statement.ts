import {
  Arg,
  Authorized,
  Ctx,
  Extensions,
  Field,
  FieldResolver,
  ID,
  InputType,
  Int,
  Mutation,
  ObjectType,
  Query,
  registerEnumType,
  Resolver,
  Root,
} from 'type-graphql';
import { uuidv7 } from 'uuidv7';
import { openLineText, sealPart } from '../../crypto/statements';
import { businessError, CatalogueError, invalidField, notFound } from '../../domain/errors';
import { LIMITS } from '../../domain/limits';
import type { Money } from '../../domain/money';
import {
  LINE_STATES,
  type LineState,
  STATEMENT_FORMATS,
  STATEMENT_STATUSES,
  type StatementFormat,
  type StatementStatus,
} from '../../domain/statement';
import type { Day } from '../../domain/zone';
import type { BankAccountRow } from '../../db/accounts/bank-accounts';
import { findMapping } from '../../db/statements/mappings';
import { listLines } from '../../db/statements/statement-list';
import * as db from '../../db/statements/statements';
import { ActorInfo, actorInfoOf } from '../actor-info';
import { BankAccount } from '../accounts/bank-account';
import type { GraphContext } from '../context';
import { BankDebit } from '../debits/bank-debit';
import { findBankDebit } from '../../db/transfers/bank-debits';
import { findBankTransfer } from '../../db/transfers/bank-transfers';
import { REASON } from '../descriptions';
import { FILE_COST } from '../kept-file';
import { operatorAction } from '../../steps/operators/operator-action';
import { DecimalScalar, enumOf } from '../scalars';
import { BankTransfer } from '../transfers/bank-transfer';
import { importOn } from '../../steps/statements/import-statement';
import { dryRun } from '../../steps/statements/read-statement';
import { actorName } from '../../steps/access/caller';

export const StatementFormatEnum = enumOf(STATEMENT_FORMATS);
registerEnumType(StatementFormatEnum, {
  name: 'StatementFormat',
  description: 'The form of a statement’s file.',
  valuesConfig: {
    CSV: { description: 'Comma-separated values, by a saved mapping.' },
    CAMT053: { description: 'ISO 20022 camt.053, of any version.' },
    MT940: { description: 'SWIFT MT940 or MT942.' },
  },
});
export const StatementStatusEnum = enumOf(STATEMENT_STATUSES);
registerEnumType(StatementStatusEnum, {
  name: 'StatementStatus',
  description: 'Where a statement stands.',
  valuesConfig: {
    UPLOADING: { description: 'Its file comes, or is being read.' },
    READ: { description: 'Its totals say what an import would do; nothing is recorded.' },
    IMPORTING: { description: 'Its lines are being recorded; `importStatement` goes on.' },
    IMPORTED: { description: 'Each line is known, paired, recorded or named as bad.' },
    DROPPED: { description: 'Forgotten before it was imported.' },
  },
});
export const LineStateEnum = enumOf(LINE_STATES);
registerEnumType(LineStateEnum, {
  name: 'StatementLineState',
  description: 'What becomes of a line of a statement.',
  valuesConfig: {
    BAD: { description: 'It cannot be read or recorded; `problem` says why.' },
    NEW: { description: 'Nothing reported it: an import records it.' },
    KNOWN: { description: 'Another statement that was imported has it.' },
    PAIRED: { description: 'An agent or an operator has reported the same movement.' },
    RECORDED: { description: 'The import recorded it.' },
  },
});

@ObjectType({ simpleResolvers: true, description: 'What lines of one state add up to.' })
export class StatementTotal {
  @Field(() => LineStateEnum, { description: 'Of these lines.' })
  state!: LineState;

  @Field(() => String, {
    nullable: true,
    description: 'CREDIT, DEBIT, or null for lines that cannot be read.',
  })
  direction!: string | null;

  @Field(() => Int, { description: 'How many there are.' })
  lines!: number;

  @Field(() => DecimalScalar, { description: 'Their sum.' })
  amount!: Money;
}

@ObjectType({
  simpleResolvers: true,
  description: 'A line of a statement, or what could not be read as one.',
})
export class StatementLine {
  @Field(() => Int, { description: 'Where it stands in the file, from 1.' })
  line!: number;

  @Field(() => LineStateEnum, { description: 'What becomes of it.' })
  state!: LineState;

  @Field(() => String, { nullable: true, description: 'Of a bad one: what is wrong with it.' })
  problem!: string | null;

  @Field(() => String, { nullable: true, description: 'CREDIT or DEBIT, seen from the account.' })
  direction!: string | null;

  @Field(() => DecimalScalar, { nullable: true, description: 'Always positive.' })
  amount!: Money | null;

  @Field(() => String, {
    nullable: true,
    description: "The day of the booking in the account's time zone, YYYY-MM-DD.",
  })
  day!: Day | null;

  @Field(() => String, { nullable: true, description: "The bank's own reference." })
  bankReference!: string | null;

  @Field(() => DecimalScalar, { nullable: true, description: "The account's balance after it." })
  balanceAfter!: Money | null;
}

@ObjectType({
  simpleResolvers: true,
  description: 'A file in which a bank tells what moved on a managed account.',
})
export class BankStatement {
  @Field(() => ID, { description: 'A UUID.' })
  id!: string;

  @Field(() => ID, { description: 'The id of the managed account, a UUID.' })
  accountId!: string;

  @Field({ description: 'As the operator’s computer calls it.' })
  fileName!: string;

  @Field(() => StatementFormatEnum, { description: 'Its form.' })
  format!: StatementFormat;

  @Field(() => StatementStatusEnum, { description: 'Its status.' })
  status!: StatementStatus;

  @Field(() => Int, { description: 'The size of what has come of its file.' })
  bytes!: number;

  @Field(() => Int, { description: 'Parts of its file that have come.' })
  parts!: number;

  @Field(() => String, {
    nullable: true,
    description: 'SHA-256 of its file; null until it is read.',
  })
  sha256!: string | null;

  @Field(() => DecimalScalar, {
    nullable: true,
    description: 'The balance with which it begins, where the file tells it.',
  })
  openingBalance!: Money | null;

  @Field(() => String, { nullable: true, description: 'The day of that balance, YYYY-MM-DD.' })
  openingDay!: Day | null;

  @Field(() => DecimalScalar, {
    nullable: true,
    description: 'The balance with which it ends, where the file tells it.',
  })
  closingBalance!: Money | null;

  @Field(() => String, { nullable: true, description: 'The day of that balance, YYYY-MM-DD.' })
  closingDay!: Day | null;

  @Field(() => String, {
    nullable: true,
    description:
      'The contradiction between its balances and its lines; null: none, or two people have said why (`explainStatement`).',
  })
  contradiction!: string | null;

  @Field(() => DecimalScalar, {
    nullable: true,
    description:
      'By how much its lines exceed its balances where it does not add up, also after two people have said why.',
  })
  difference!: Money | null;

  @Field(() => Date, {
    nullable: true,
    description:
      'The time of the confirmation that its file is the bank’s; until then it confirms nothing that an operator entered.',
  })
  confirmedAt!: Date | null;

  @Field({ description: 'When its file began to come.' })
  createdAt!: Date;

  @Field(() => Date, { nullable: true, description: 'When it was read to its end.' })
  readAt!: Date | null;

  @Field(() => Date, { nullable: true, description: 'When its last line was imported.' })
  importedAt!: Date | null;
}

@InputType({ description: 'A statement that is about to come.' })
export class StatementInput {
  @Field(() => ID, { description: 'The id of the managed account, a UUID.' })
  accountId!: string;

  @Field(() => StatementFormatEnum, { description: 'The form of the file.' })
  format!: StatementFormat;

  @Field({ description: 'What the file is called; 1-255 characters.' })
  fileName!: string;

  @Field(() => ID, { nullable: true, description: 'Of a CSV file: how it is read.' })
  mappingId?: string | null;
}

const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/;
const MOST_LINES = 200;

async function findOrRefuse({ database }: GraphContext, id: string): Promise<db.StatementRow> {
  const statement = await db.findStatement(database.sql, id);
  if (!statement) throw notFound('statement');
  return statement;
}

@Resolver(() => BankStatement)
export class StatementResolver {
  @Authorized('RECONCILE')
  @Mutation(() => BankStatement, {
    description:
      'Begins a statement. Then `addStatementPart` sends its file, `readStatement` reads it and says what an import would do, and `importStatement` does that.',
  })
  async beginStatement(
    @Arg('input', { description: 'What is about to come.' }) input: StatementInput,
    @Ctx() context: GraphContext,
  ): Promise<db.StatementRow> {
    const { accountId, format, mappingId } = input;
    const { actor, audit, database, loaders, now } = context;
    const fileName = input.fileName.trim();
    if (fileName === '' || Array.from(fileName).length > 255)
      throw invalidField('fileName', 'must have 1-255 characters', 'OUT_OF_RANGE');
    if (!(await loaders.bankAccounts.load(accountId))) throw notFound('bank account');
    if ((format === 'CSV') !== Boolean(mappingId))
      throw invalidField('mappingId', 'is for a CSV file, which needs one');
    const mapping = mappingId ? await findMapping(database, mappingId) : null;
    if (mapping === undefined) throw notFound('mapping');
    const statement: db.StatementRow = {
      id: uuidv7(),
      accountId,
      fileName,
      format,
      mapping: mapping?.mapping ?? null,
      status: 'UPLOADING',
      bytes: 0,
      parts: 0,
      sha256: null,
      lines: null,
      readItems: 0,
      throughLine: 0,
      openingBalance: null,
      openingDay: null,
      closingBalance: null,
      closingDay: null,
      problem: null,
      contradiction: null,
      difference: null,

      confirmedBy: null,
      confirmedAt: null,
      uploadedBy: actorName(actor),
      createdAt: now,
      readAt: null,
      importedBy: null,
      importedAt: null,
    };
    audit.note = { subject: `statement:${statement.id}`, after: { accountId, fileName } };
    await database.transaction(async (tx) => {
      await db.insertStatement(tx, statement);
    });
    return statement;
  }

  @Authorized('RECONCILE')
  @Extensions({ cost: FILE_COST })
  @Mutation(() => BankStatement, {
    description: 'The next part of a statement’s file. A part that came before is kept as it was.',
  })
  async addStatementPart(
    @Arg('id', () => ID, { description: 'The id of the statement.' }) id: string,
    @Arg('part', () => Int, { description: 'Its number in the file, from 0.' }) part: number,
    @Arg('content', {
      description: 'At most 2 MB of the file, base64. Sent to /graphql/files.',
    })
    base64: string,
    @Ctx() context: GraphContext,
  ): Promise<db.StatementRow> {
    if (!BASE64.test(base64)) throw invalidField('content', 'must be base64');
    const content = Buffer.from(base64, 'base64');
    if (content.length > LIMITS.statementPartBytes)
      throw invalidField('content', 'must be at most 2 MB', 'OUT_OF_RANGE');
    await context.database.transaction(async (tx) => {
      const statement = await db.lockStatement(tx, id);
      if (!statement) throw notFound('statement');
      // Who brought the file is one person: another confirms it.
      if (statement.uploadedBy !== actorName(context.actor))
        throw new CatalogueError('AUTHORIZATION_ERROR', 'another person began this statement: begin one of your own');
      if (part < statement.parts) return;
      if (statement.status !== 'UPLOADING' || statement.readItems > 0)
        throw businessError('WRONG_STATE', 'the file is being read or was read');
      if (part !== statement.parts) throw invalidField('part', `must be ${statement.parts}, the next one`);
      const bytes = statement.bytes + content.length;
      if (bytes > LIMITS.statementBytes)
        throw invalidField('content', 'the file must be at most 64 MB', 'OUT_OF_RANGE');
      await db.insertPart(tx, id, part, sealPart(context.sealer, id, part, content));
      await db.updateStatement(tx, id, { parts: part + 1, bytes });
    });
    return await findOrRefuse(context, id);
  }

  @Authorized('RECONCILE')
  @Extensions({ cost: FILE_COST })
  @Mutation(() => BankStatement, {
    description:
      'Reads a statement and says what an import would do: the dry run. It records nothing. It works for some seconds: call it until the status is READ.',
  })
  async readStatement(
    @Arg('id', () => ID, { description: 'The id of the statement.' }) id: string,
    @Ctx() context: GraphContext,
  ): Promise<db.StatementRow> {
    await dryRun(context, await findOrRefuse(context, id));
    return await findOrRefuse(context, id);
  }

  @Authorized('RECONCILE')
  @Extensions({ cost: FILE_COST })
  @Mutation(() => BankStatement, {
    description:
      'Records each line of a statement that nothing reported. A credit is then as provisional as one that the operator enters; one that an operator entered is confirmed by the line that tells of it once the file is confirmed (`confirmStatement`). Refused while the statement does not add up. It works for some seconds: call it until the status is IMPORTED. Safe to repeat.',
  })
  async importStatement(
    @Arg('id', () => ID, { description: 'The id of the statement.' }) id: string,
    @Arg('reason', { description: REASON }) reason: string,
    @Ctx() context: GraphContext,
  ): Promise<db.StatementRow> {
    await importOn(context, await findOrRefuse(context, id), reason);
    return await findOrRefuse(context, id);
  }

  @Authorized('RECONCILE')
  @Mutation(() => BankStatement, {
    description: 'Forgets a statement that is not imported; its file is kept.',
  })
  async dropStatement(
    @Arg('id', () => ID, { description: 'The id of the statement.' }) id: string,
    @Arg('reason', { description: REASON }) reason: string,
    @Ctx() context: GraphContext,
  ): Promise<db.StatementRow> {
    const action = { action: 'dropStatement', subject: `statement:${id}`, reason };
    await operatorAction(context, action, async (tx) => {
      const statement = await db.lockStatement(tx, id);
      if (!statement) throw notFound('statement');
      if (statement.status !== 'UPLOADING' && statement.status !== 'READ')
        throw businessError('WRONG_STATE', 'the import of the statement has begun');
      await db.updateStatement(tx, id, { status: 'DROPPED' });
    });
    return await findOrRefuse(context, id);
  }

  @Authorized('VIEW')
  @Query(() => BankStatement, { nullable: true, description: 'One statement.' })
  async bankStatement(
    @Arg('id', () => ID, { description: 'A UUID.' }) id: string,
    @Ctx() { database }: GraphContext,
  ): Promise<db.StatementRow | undefined> {
    return await db.findStatement(database.sql, id);
  }

  @Authorized('VIEW')
  @FieldResolver(() => BankAccount, { description: 'The account that it is of.' })
  async account(
    @Root() { accountId }: BankStatement,
    @Ctx() { loaders }: GraphContext,
  ): Promise<BankAccountRow | undefined> {
    return await loaders.bankAccounts.load(accountId);
  }

  @Authorized('VIEW')
  @FieldResolver(() => [StatementTotal], {
    description: 'What its lines add up to, by state and direction.',
  })
  async totals(@Root() { id }: BankStatement, @Ctx() { loaders }: GraphContext): Promise<readonly db.LineTotal[]> {
    return await loaders.statementTotals.load(id);
  }

  @Authorized('VIEW')
  @Extensions({ cost: MOST_LINES })
  @FieldResolver(() => [StatementLine], {
    description: `Its lines in the order of the file, at most ${MOST_LINES}.`,
  })
  async lines(
    @Root() { id }: BankStatement,
    @Ctx() { database }: GraphContext,
    @Arg('states', () => [LineStateEnum], {
      nullable: true,
      description: 'In one of these; null: all.',
    })
    states?: LineState[] | null,
    @Arg('afterLine', () => Int, { defaultValue: 0, description: 'Those behind this line.' })
    afterLine?: number,
    @Arg('explained', () => Boolean, {
      nullable: true,
      description: 'Those alone that a rule explains.',
    })
    explained?: boolean | null,
  ): Promise<db.StatementLineRow[]> {
    const asked = { states: states ?? null, explained: explained ?? false, after: afterLine ?? 0 };
    return await listLines(database, id, asked, MOST_LINES);
  }

  @Authorized('VIEW')
  @FieldResolver(() => ActorInfo, { description: 'Who brought it.' })
  uploadedBy(@Root() { uploadedBy }: db.StatementRow): ActorInfo {
    return actorInfoOf(uploadedBy);
  }

  @Authorized('VIEW')
  @FieldResolver(() => ActorInfo, { nullable: true, description: 'Who began its import.' })
  importedBy(@Root() { importedBy }: db.StatementRow): ActorInfo | null {
    return importedBy === null ? null : actorInfoOf(importedBy);
  }
}

@Resolver(() => StatementLine)
export class StatementLineResolver {
  @FieldResolver(() => String, {
    nullable: true,
    description: 'Of a bad one: how its text begins. Of one that only a person matches: why, and its text.',
  })
  raw(@Root() line: db.StatementLineRow, @Ctx() { sealer }: GraphContext): string | null {
    return openLineText(sealer, line, 'raw');
  }

  @FieldResolver(() => String, { nullable: true, description: 'The text of the transfer.' })
  memo(@Root() line: db.StatementLineRow, @Ctx() { sealer }: GraphContext): string | null {
    return openLineText(sealer, line, 'memo');
  }

  @FieldResolver(() => String, { nullable: true, description: 'Who paid or was paid.' })
  partyName(@Root() line: db.StatementLineRow, @Ctx() { sealer }: GraphContext): string | null {
    return openLineText(sealer, line, 'partyName');
  }

  @FieldResolver(() => String, { nullable: true, description: 'That account’s number.' })
  partyAccount(@Root() line: db.StatementLineRow, @Ctx() { sealer }: GraphContext): string | null {
    return openLineText(sealer, line, 'partyAccount');
  }

  @Authorized('VIEW')
  @FieldResolver(() => BankTransfer, {
    nullable: true,
    description: 'Its bank credit; in a dry run: the one that it would pair with.',
  })
  async transfer(@Root() { transferId }: db.StatementLineRow, @Ctx() { database }: GraphContext) {
    return transferId === null ? undefined : await findBankTransfer(database, transferId);
  }

  @Authorized('VIEW')
  @FieldResolver(() => BankDebit, {
    nullable: true,
    description: 'Its bank debit; in a dry run: the one that it would pair with.',
  })
  async debit(@Root() { debitId }: db.StatementLineRow, @Ctx() { database }: GraphContext) {
    return debitId === null ? undefined : await findBankDebit(database.sql, debitId);
  }
}
