import { Arg, Authorized, Ctx, Mutation, Resolver } from 'type-graphql';
import type { MockOrderOutcome } from '../../domain/channel-deposit';
import { businessError, notFound } from '../../domain/errors';
import { setMockDeposit } from '../../db/deposits/channel-deposits';
import { type DepositView, findDeposit } from '../../db/deposits/deposits';
import type { GraphContext } from '../context';
import { DepositOrder } from '../deposits/deposit';
import { REASON } from '../descriptions';
import { operatorAction } from '../../steps/operators/operator-action';
import { MockOrderOutcomeEnum } from './channel-enums';
import { requireReach } from '../../steps/access/caller';

@Resolver()
export class MockDepositResolver {
  @Authorized('CONFIGURE')
  @Mutation(() => DepositOrder, {
    description:
      'Makes a mock channel report an outcome of one open deposit, at once, independent of the channel’s setting. Only in sandboxes.',
  })
  async setMockDepositOutcome(
    @Arg('orderNo', { description: 'The gateway number of the deposit; it begins with D.' })
    orderNo: string,
    @Arg('outcome', () => MockOrderOutcomeEnum, { description: 'What the channel reports of it.' })
    outcome: MockOrderOutcome,
    @Arg('reason', { description: REASON }) reason: string,
    @Ctx() context: GraphContext,
  ): Promise<DepositView> {
    const { actor, database, environment, now } = context;
    if (environment !== 'sandbox') throw businessError('NOT_ENABLED', 'this is available only in a sandbox');
    const deposit = await findDeposit(database, { orderNo });
    if (!deposit) throw notFound('deposit');
    requireReach(actor, deposit.merchantId, 'deposit');
    const action = { action: 'setMockDepositOutcome', subject: `deposit:${orderNo}`, reason };
    await operatorAction(context, { ...action, detail: { outcome } }, async (tx) => {
      if (!(await setMockDeposit(tx, deposit.id, outcome, now)))
        throw businessError('WRONG_STATE', 'the deposit is not open at a mock channel');
    });
    return (await findDeposit(database, { orderNo })) ?? deposit;
  }
}
