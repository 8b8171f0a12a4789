import { Arg, Authorized, Ctx, ID, Mutation, Resolver } from 'type-graphql';
import type { BankDebitView } from '../../db/transfers/bank-debits';
import { warrantOf } from '../authority/warrant';
import { type GraphContext } from '../context';
import { BankDebit } from './bank-debit';
import { explainDebit } from '../../steps/debits/explain-debit';

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
  ): Promise<BankDebitView | undefined> {
    const warrant = warrantOf(context, 'explainDebit');
    return await explainDebit(context, warrant, { id, reason, orderNo });
  }
}
