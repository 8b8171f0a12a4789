import { Arg, Authorized, Ctx, Field, FieldResolver, ID, Mutation, ObjectType, Resolver, Root } from 'type-graphql';
import { businessError, notFound } from '../../domain/errors';
import { formatMoney } from '../../domain/money';
import type { ChangeRow } from '../../db/changes/change-requests';
import * as db from '../../db/statements/statements';
import { ActorInfo, actorInfoOf } from '../actor-info';
import { ChangeRequest, EvidenceInput } from '../changes/change-request';
import { propose } from '../../steps/changes/propose';
import { warrantOf } from '../authority/warrant';
import type { GraphContext } from '../context';
import { EVIDENCE, PAYLOAD_CHANGE, REASON } from '../descriptions';
import { confirmFile } from '../../steps/statements/confirm-statement';
import type { ExplainStatementPayload } from '../../steps/statements/explain-effects';
import { BankStatement } from './statement';

@ObjectType({ simpleResolvers: true, description: 'A proposed explanation of a statement.' })
export class StatementChange {
  @Field(() => ChangeRequest, { description: PAYLOAD_CHANGE })
  change!: ChangeRow;

  @Field(() => BankStatement, { description: 'As it is now.' })
  statement!: db.StatementRow;
}

/** The evidence for a statement, and what contradicts it. */
@Resolver(() => BankStatement)
export class StatementProofResolver {
  @Authorized('RECONCILE', 'TREASURER')
  @Mutation(() => StatementChange, {
    description:
      'Proposes to import a statement that does not add up, with the reason why it does not. A second person approves; until then nothing of it is recorded.',
  })
  async explainStatement(
    @Arg('id', () => ID, { description: 'The id of the statement.' }) id: string,
    @Arg('reason', { description: 'Why it does not add up, and how you know.' }) reason: string,
    @Ctx() context: GraphContext,
    @Arg('evidence', () => EvidenceInput, { nullable: true, description: EVIDENCE })
    evidence?: EvidenceInput | null,
  ): Promise<StatementChange> {
    const { database, loaders } = context;
    const statement = await db.findStatement(database.sql, id);
    if (!statement) throw notFound('statement');
    const { accountId, contradiction, fileName, status } = statement;
    if (status !== 'READ') throw businessError('WRONG_STATE', 'read the statement first');
    if (contradiction === null) throw businessError('NO_CHANGE', 'nothing in the statement contradicts its balances');
    const account = await loaders.bankAccounts.load(accountId);
    const payload: ExplainStatementPayload = { statementId: id };
    const change = await propose(context, {
      kind: 'EXPLAIN_STATEMENT',
      subject: { kind: 'statement', id, name: fileName },
      summary: `Import the statement ${fileName} of ${account?.name ?? accountId}, which does not add up`,
      before: { contradiction },
      after: { contradiction: null },
      payload,
      reason,
      evidence,
    });
    return { change, statement: (await db.findStatement(database.sql, id)) ?? statement };
  }

  @Authorized('APPROVE', 'TREASURER')
  @Mutation(() => BankStatement, {
    description:
      'States that a statement’s file is the bank’s. From then on it confirms the credits that operators entered and that it tells of, and its closing balance counts for the daily close. Not by who uploaded or imported this file, nor by who entered one of these credits.',
  })
  async confirmStatement(
    @Arg('id', () => ID, { description: 'The id of the statement.' }) id: string,
    @Arg('reason', { description: REASON }) reason: string,
    @Ctx() context: GraphContext,
  ): Promise<db.StatementRow> {
    await confirmFile(context, warrantOf(context, 'confirmStatement'), id, reason);
    const statement = await db.findStatement(context.database.sql, id);
    if (!statement) throw notFound('statement');
    return statement;
  }

  @Authorized('VIEW')
  @FieldResolver(() => String, {
    nullable: true,
    description: 'Why it cannot be imported, such as the number of another account, or where it does not add up.',
  })
  problem(@Root() { problem, contradiction }: db.StatementRow): string | null {
    return problem ?? contradiction;
  }

  @Authorized('VIEW')
  @FieldResolver(() => String, {
    nullable: true,
    description:
      'The difference between its opening balance and the closing balance of the statement before; it can be imported anyway.',
  })
  async gap(@Root() statement: db.StatementRow, @Ctx() { database }: GraphContext): Promise<string | null> {
    const { openingBalance, openingDay } = statement;
    if (openingBalance === null || openingDay === null) return null;
    const before = await db.findStatementBefore(database, statement);
    if (!before || before.balance.equals(openingBalance)) return null;
    const [ended, begins] = [formatMoney(before.balance), formatMoney(openingBalance)];
    return `the statement before ends on ${before.day} with ${ended}, and this one begins with ${begins}: movements between them are not in either`;
  }

  @Authorized('VIEW')
  @FieldResolver(() => ActorInfo, {
    nullable: true,
    description:
      'The operator who confirmed that its file is the bank’s; where one person may decide, the one who imported it.',
  })
  confirmedBy(@Root() { confirmedBy }: db.StatementRow): ActorInfo | null {
    return confirmedBy === null ? null : actorInfoOf(confirmedBy);
  }
}
