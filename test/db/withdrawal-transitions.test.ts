import { issueWarrant } from '../../domain/authority/issue';
import postgres from 'postgres';
import { uuidv7 } from 'uuidv7';
import { withdrawalPaid, withdrawalReleased } from '../../domain/ledger';
import { money } from '../../domain/money';
import {
  WITHDRAWAL_STATUSES,
  WITHDRAWAL_TRANSITIONS,
  type WithdrawalStatus,
  type WithdrawalVerdict,
} from '../../domain/withdrawal';
import { failPayout, markSent, openTransferTask, payWithdrawal, preparePayout } from '../../db/payouts/payouts';
import { beginTransfer, cancelTransfer, claimTransferTask, completeTransfer } from '../../db/payouts/transfer-tasks';
import { applyDecisions } from '../../db/withdrawals/withdrawals';
import { createTestChannel } from '../support/channel-tenant';
import { Tenant, type TestMerchant } from '../support/tenant';
import { approvedWithdrawal, fundedMerchant, withdrawalNow } from '../support/withdrawals';

/** A statement that moves a withdrawal, and the set-up that it needs. */
interface Move {
  readonly by: string;
  readonly to: WithdrawalStatus;
  /** Called while the withdrawal is APPROVED. @returns what `run` acts on */
  readonly prepare: (withdrawalId: string) => Promise<string>;
  readonly run: (withdrawalId: string, prepared: string) => Promise<boolean>;
}

describe('the guarded statements of a withdrawal', () => {
  const now = new Date();
  const [amount, fee] = [money('100'), money('2')];
  let tenant: Tenant;
  let merchant: TestMerchant;
  let operatorId: string;
  let channelId: string;
  let accountId: string;
  beforeAll(async () => {
    tenant = await Tenant.create();
    merchant = await fundedMerchant(tenant, '100000');
    ({ id: channelId } = await createTestChannel(tenant, { kind: 'MOCK' }));
    accountId = await tenant.account();
    if (tenant.operator.kind !== 'operator') throw new Error('no operator');
    operatorId = tenant.operator.operator.id;
  });
  afterAll(async () => {
    await tenant.close();
  });

  const decided = (verdict: WithdrawalVerdict) => async (withdrawalId: string) => {
    const id = uuidv7();
    await tenant.database.sql`
      insert into withdrawal_decisions (id, withdrawal_id, operator_id, verdict, remarks, at)
      values (${id}, ${withdrawalId}, ${operatorId}, ${verdict}, 'test', ${now})`;
    return id;
  };
  const applied = async (id: string, rejection: string | null): Promise<boolean> => {
    const bodies = { approved: '{}', rejected: '{}', rejection };
    const release = withdrawalReleased(merchant.id, amount, fee);
    return await applyDecisions(tenant.database, id, bodies, release, now);
  };
  const sent = async (withdrawalId: string): Promise<string> => {
    const id = uuidv7();
    await preparePayout(tenant.database, id, withdrawalId, channelId, money('1'), now);
    await markSent(tenant.database, id, now);
    return id;
  };
  const opened = async (withdrawalId: string): Promise<string> => {
    const id = uuidv7();
    await openTransferTask(tenant.database, id, withdrawalId, now);
    return id;
  };
  const sending = async (withdrawalId: string): Promise<string> => {
    const step = { attemptId: await opened(withdrawalId), operatorId, now };
    await tenant.database.transaction(async (tx) => {
      await claimTransferTask(tx, { ...step, accountId });
      await beginTransfer(tx, step);
    });
    return step.attemptId;
  };

  const moves: readonly Move[] = [
    {
      by: 'an approval',
      to: 'APPROVED',
      prepare: decided('APPROVE'),
      run: async (id) => await applied(id, null),
    },
    {
      by: 'a rejection',
      to: 'REJECTED',
      prepare: decided('REJECT'),
      run: async (id, decisionId) => await applied(id, decisionId),
    },
    {
      by: 'a channel that paid',
      to: 'COMPLETED',
      prepare: sent,
      run: async (_id, attemptId) =>
        await payWithdrawal(tenant.database.sql, {
          attemptId,
          channelOrderNo: null,
          bankReference: null,
          cost: money('1'),
          returned: false,
          paid: withdrawalPaid(merchant.id, amount, fee, { channelId }),
          charged: [],
          actor: 'test',
          callbackBody: '{}',
          now,
        }),
    },
    {
      by: 'a transfer by hand',
      to: 'COMPLETED',
      prepare: sending,
      run: async (_id, attemptId) =>
        await tenant.database.transaction(
          async (tx) =>
            await completeTransfer(tx, issueWarrant('completeTransfer'), {
              attemptId,
              operatorId,
              bankReference: uuidv7(),
              proof: null,
              paid: withdrawalPaid(merchant.id, amount, fee, { bankAccountId: accountId }),
              callbackBody: '{}',
              now,
            }),
        ),
    },
    {
      by: 'a channel that failed',
      to: 'FAILED',
      prepare: sent,
      run: async (_id, attemptId) =>
        await failPayout(tenant.database.sql, {
          attemptId,
          reason: 'test',
          release: withdrawalReleased(merchant.id, amount, fee),
          actor: 'test',
          callbackBody: '{}',
          now,
        }),
    },
    {
      by: 'a cancelled task',
      to: 'CANCELLED',
      prepare: opened,
      run: async (_id, attemptId) =>
        await tenant.database.transaction(
          async (tx) =>
            await cancelTransfer(tx, {
              attemptId,
              operatorId,
              reason: 'test',
              now,
              release: withdrawalReleased(merchant.id, amount, fee),
            }),
        ),
    },
  ];

  /** Puts the withdrawal into this state as after one person's decision. */
  const put = async (id: string, status: WithdrawalStatus): Promise<void> => {
    const approved = status !== 'PENDING' && status !== 'REJECTED';
    const ended = ['REJECTED', 'FAILED', 'CANCELLED'].includes(status);
    await tenant.database.sql`
      update withdrawal_orders set status = ${status}, people_needed = 1, is_auto_approved = false,
        approved_at = ${approved ? now : null}, approved_by = ${approved ? operatorId : null},
        payout_method = case when ${approved} then payout_method end,
        processed_at = case when ${approved} then processed_at end,
        completed_at = ${status === 'COMPLETED' ? now : null},
        actual_amount = case when ${status === 'COMPLETED'} then amount else 0 end,
        ended_at = ${ended ? now : null}
      where id = ${id}`;
    // A withdrawal that was not approved sends the merchant no callback of an approval.
    if (!approved) await tenant.database.sql`delete from notification_logs where order_id = ${id}`;
  };

  /** An attempt or task that ends while the withdrawal is not APPROVED raises CW003: both stay unchanged. */
  const moved = async (running: Promise<boolean>): Promise<boolean> => {
    try {
      return await running;
    } catch (error) {
      if (error instanceof postgres.PostgresError && error.code === 'CW003') return false;
      throw error;
    }
  };

  it('have one for each state that can be reached', () => {
    const reachable = WITHDRAWAL_STATUSES.filter((to) => WITHDRAWAL_TRANSITIONS[to].length > 0);
    expect(new Set(moves.map(({ to }) => to))).toEqual(new Set(reachable));
  });

  it.each(moves.flatMap((move) => WITHDRAWAL_STATUSES.map((from) => ({ from, ...move }))))(
    'move $from to $to by $by only as the table allows',
    async ({ from, to, prepare, run }) => {
      const { id } = await approvedWithdrawal(tenant, merchant);
      const prepared = await prepare(id);
      await put(id, from);
      const may = WITHDRAWAL_TRANSITIONS[to].includes(from);
      expect(await moved(run(id, prepared))).toBe(may);
      expect((await withdrawalNow(tenant, id)).status).toBe(may ? to : from);
    },
  );
});
