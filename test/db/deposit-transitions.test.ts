import { uuidv7 } from 'uuidv7';
import { DEPOSIT_STATUSES, DEPOSIT_TRANSITIONS, type DepositStatus } from '../../domain/deposit';
import { depositCredit } from '../../domain/ledger';
import { money } from '../../domain/money';
import { creditDeposit } from '../../db/deposits/credits';
import { issueWarrant } from '../../domain/authority/issue';
import { cancelDeposit, expireDeposit, matchDeposit } from '../../db/deposits/deposits';
import { Tenant, type TestMerchant } from '../support/tenant';

/** The statement that moves a deposit into each state. FAILED has none here: only a channel's deposits fail. */
type Move = Extract<DepositStatus, 'MATCHED' | 'COMPLETED' | 'EXPIRED' | 'CANCELLED'>;

describe('the guarded statements of a deposit', () => {
  let tenant: Tenant;
  let merchant: TestMerchant;
  let accountId: string;
  const created = new Date();
  const now = new Date(created.getTime() + 60_000);
  beforeAll(async () => {
    tenant = await Tenant.create();
    tenant.now = () => created;
    merchant = await tenant.merchant();
    accountId = await tenant.account();
  });
  afterAll(async () => {
    await tenant.close();
  });

  async function depositIn(status: DepositStatus): Promise<string> {
    const { orderNo } = await tenant.deposit(merchant);
    const [row] = await tenant.database.sql<{ id: string }[]>`
      update deposit_orders set status = ${status},
        matched_at = case when ${status} in ('MATCHED', 'COMPLETED') then created_at end,
        completed_at = case when ${status} = 'COMPLETED' then created_at end,
        actual_amount = case when ${status} = 'COMPLETED' then amount else 0 end,
        expire_at = created_at
      where order_no = ${orderNo} returning id`;
    if (!row) throw new Error('no deposit');
    return row.id;
  }

  const matched = async (depositId: string, transferId: string): Promise<boolean> => {
    const match = { transferId, depositId, fee: money('1.5'), actor: 'test', reason: null, now };
    return await tenant.database.transaction(
      async (tx) => (await matchDeposit(tx, issueWarrant('matchTransfer'), match)) !== undefined,
    );
  };

  const moves: Record<Move, (depositId: string) => Promise<boolean>> = {
    MATCHED: async (depositId) => {
      const { transfer } = await tenant.notify({ accountId, memo: '', bankReference: uuidv7() });
      return await matched(depositId, transfer.id);
    },
    COMPLETED: async (depositId) =>
      await creditDeposit(tenant.database, {
        depositId,
        merchantId: merchant.id,
        actual: money('100'),
        fee: money('1.5'),
        postings: depositCredit(merchant.id, money('100'), money('1.5')),
        callbackBody: '{}',
        now,
      }),
    EXPIRED: async (depositId) => await expireDeposit(tenant.database, depositId, null, now),
    CANCELLED: async (depositId) =>
      await tenant.database.transaction(
        async (tx) =>
          await cancelDeposit(tx, {
            depositId,
            actor: 'test',
            reason: 'test',
            callbackBody: null,
            now,
          }),
      ),
  };

  it.each((Object.keys(moves) as Move[]).flatMap((to) => DEPOSIT_STATUSES.map((from) => ({ from, to }))))(
    'move $from to $to only as the table allows',
    async ({ from, to }) => {
      const id = await depositIn(from);
      expect(await moves[to](id)).toBe(DEPOSIT_TRANSITIONS[to].includes(from));
      const [row] = await tenant.database.sql<{ status: string }[]>`
      select status from deposit_orders where id = ${id}`;
      expect(row?.status).toBe(DEPOSIT_TRANSITIONS[to].includes(from) ? to : from);
    },
  );

  it('expire nothing before its time', async () => {
    const { orderNo, expireAt } = await tenant.deposit(merchant);
    const [row] = await tenant.database.sql<{ id: string }[]>`
      select id from deposit_orders where order_no = ${orderNo}`;
    const due = new Date(expireAt);
    const early = new Date(due.getTime() - 1);
    expect(await expireDeposit(tenant.database, row?.id ?? '', null, early)).toBe(false);
    expect(await expireDeposit(tenant.database, row?.id ?? '', null, due)).toBe(true);
  });

  it('let one of match, expiry, cancellation and credit win', async () => {
    const seen = new Set<string>();
    for (let round = 0; round < 40; round++) {
      const id = await depositIn(round % 2 ? 'PENDING' : 'MATCHED');
      const { transfer } = await tenant.notify({ accountId, memo: '', bankReference: uuidv7() });
      const racing = [
        async () => await matched(id, transfer.id),
        async () => await moves.EXPIRED(id),
        async () => await moves.CANCELLED(id),
        async () => await moves.COMPLETED(id),
      ];
      // Another one starts first each time.
      const order = [...racing.slice(round % 4), ...racing.slice(0, round % 4)];
      await Promise.all(order.map(async (move) => await move()));
      const [row] = await tenant.database.sql<{ status: string; credits: string; finals: string }[]>`
        select status, (select count(*) from ledger_transfers where order_id = d.id) as credits,
          (select count(*) from order_events
            where order_id = d.id and type in ('completed', 'expired', 'cancelled')) as finals
        from deposit_orders d where id = ${id}`;
      const completed = row?.status === 'COMPLETED';
      expect(row?.credits).toBe(completed ? '1' : '0');
      expect(row?.finals).toBe(row?.status === 'MATCHED' ? '0' : '1');
      seen.add(row?.status ?? '');
    }
    // More than one kind won.
    expect(seen.size).toBeGreaterThan(1);
  });
});
