import { Arg, Authorized, Ctx, ID, Mutation, Resolver } from 'type-graphql';
import { businessError, notFound } from '../../domain/errors';
import * as db from '../../db/transfers/bank-debits';
import { findWithdrawal } from '../../db/withdrawals/withdrawals';
import { type GraphContext } from '../context';
import { operatorAction } from '../../steps/operators/operator-action';
import { BankDebit } from './bank-debit';
import { actorName } from '../../steps/access/caller';
import { findPaidTask } from '../../steps/debits/explain-debit';

@Resolver()
export class ExplainDebitResolver {
  @Authorized('RECONCILE')
  @Mutation(() => BankDebit, {
    description:
      'Explains a debit that no task explains: as the manual payout of a withdrawal, or as something else, such as a charge of the bank. Moves no money.',
  })
  async explainDebit(
    @Arg('id', () => ID, { description: 'The id of the debit.' }) id: string,
    @Arg('reason', { description: 'What it was, or how it is known.' }) reason: string,
    @Ctx() context: GraphContext,
    @Arg('orderNo', () => String, {
      nullable: true,
      description: 'The withdrawal that it paid out; null: none.',
    })
    orderNo?: string | null,
  ): Promise<db.BankDebitView | undefined> {
    const debit = await db.findBankDebit(context.database.sql, id);
    if (!debit) throw notFound('bank debit');
    const withdrawal = orderNo ? await findWithdrawal(context.database, { orderNo }) : null;
    if (withdrawal === undefined) throw notFound('withdrawal');
    const action = { action: 'explainDebit', subject: `bank_debit:${id}`, reason };
    const detail = { detail: { orderNo: orderNo ?? null } };
    await operatorAction(context, { ...action, ...detail }, async (tx) => {
      await db.lockReportedBalance(tx, debit.accountId);
      const attemptId = withdrawal && (await findPaidTask(context, tx, debit, withdrawal));
      const { actor, now } = context;
      const said = { id, attemptId, by: actorName(actor), reason, now };
      if (!(await db.explainDebit(tx, said)))
        throw businessError('WRONG_STATE', 'the debit is already explained');
    });
    return await db.findBankDebit(context.database.sql, id);
  }
}
