import { CatalogueError } from '../../domain/errors';
import { Tenant, type TestMerchant, type TestSession } from '../support/tenant';

const AT_ONCE = 500;

/** The outcome of concurrent calls: the number of successes, and the kinds of the refusals. */
async function all(steps: readonly (() => Promise<unknown>)[]): Promise<Record<string, number>> {
  const outcomes: Record<string, number> = {};
  await Promise.all(
    steps.map(async (step) => {
      let outcome = 'DONE';
      try {
        await step();
      } catch (error) {
        if (!(error instanceof CatalogueError)) throw error;
        outcome = error.kind;
      }
      outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
    }),
  );
  return outcomes;
}

describe('five hundred concurrent calls', () => {
  let tenant: Tenant;
  let merchant: TestMerchant;

  beforeAll(async () => {
    tenant = await Tenant.create();
    merchant = await tenant.cashierMerchant();
    await tenant.account();
    await tenant.account('THB', { mode: 'FLOAT', float: { step: '0.01', up: '5', down: '5' } });
  });
  afterAll(async () => {
    await tenant.close();
  });

  /** A session with its orders and numbers, as stored. */
  async function left(sessionId: string) {
    const { sql } = tenant.database;
    const orders = await sql<{ id: string }[]>`
      select id from deposit_orders where cashier_session_id = ${sessionId}`;
    const events = await sql<{ type: string }[]>`
      select type from order_events where order_id = ${sessionId} order by position`;
    const numbers = await sql<{ noun: string; orderId: string }[]>`
      select n.noun, n.order_id from merchant_order_numbers n join cashier_sessions s
        on s.merchant_id = n.merchant_id and s.merchant_order_no = n.merchant_order_no
      where s.id = ${sessionId}`;
    return { orders, numbers, events: events.map(({ type }) => type) };
  }

  it('create one order from concurrent submits of one session', async () => {
    const session = await tenant.cashier(merchant);
    const actor = await tenant.graph.authenticateCashier(session.token);
    expect(actor.kind).toBe('payer');
    const amounts = ['100', '500', '77.50'];
    const outcomes = await all(
      Array.from({ length: AT_ONCE }, (_, n) => async () => {
        await tenant.asPayer(session.token, 'SubmitCashierSession', { amount: amounts[n % 3] });
      }),
    );
    expect(outcomes).toEqual({ DONE: AT_ONCE });
    const { orders, numbers, events } = await left(session.sessionId);
    expect(orders).toHaveLength(1);
    expect(numbers).toEqual([{ noun: 'deposit', orderId: orders[0]?.id }]);
    expect(events).toEqual(['created', 'submitted']);
    const [reserved] = await tenant.database.sql<{ count: number }[]>`
      select count(*)::int as count from reserved_amounts`;
    expect(reserved?.count).toBeLessThanOrEqual(1);
    process.stdout.write(`submits=${AT_ONCE} orders=${orders.length}\n`);
  });

  it('open one session from concurrent creates for one user', async () => {
    const sessions: TestSession[] = [];
    const outcomes = await all(
      Array.from({ length: AT_ONCE }, () => async () => {
        sessions.push(await tenant.cashier(merchant, { userId: 'one user' }));
      }),
    );
    expect(outcomes).toEqual({ DONE: AT_ONCE });
    expect(new Set(sessions.map(({ sessionId }) => sessionId)).size).toBe(1);
    const rows = await tenant.database.sql<{ status: string }[]>`
      select status from cashier_sessions where user_id = 'one user'`;
    expect(rows).toEqual([{ status: 'PENDING' }]);
    const [claimed] = await tenant.database.sql<{ count: number }[]>`
      select count(*)::int as count from merchant_order_numbers where order_id = ${sessions[0]?.sessionId ?? ''}`;
    expect(claimed?.count).toBe(AT_ONCE);
    process.stdout.write(`opens=${AT_ONCE} sessions=${rows.length}\n`);
  });

  it('accept one of the creates with one number for many users', async () => {
    const outcomes = await all(
      Array.from({ length: 100 }, (_, n) => async () => {
        const input = { userId: `user ${n}`, merchantOrderNo: 'one number' };
        await tenant.cashier(merchant, n % 2 ? input : { ...input, amount: '100' });
      }),
    );
    expect(outcomes).toEqual({ DONE: 1, CONFLICT: 99 });
    const rows = await tenant.database.sql`
      select 1 from cashier_sessions where merchant_order_no = 'one number'`;
    expect(rows).toHaveLength(1);
  });

  it('leave a session in one consistent state after submit, reuse, revocation and expiry', async () => {
    const sessions = await Promise.all(
      Array.from({ length: 50 }, async (_, n) => ({
        ...(await tenant.cashier(merchant, { userId: `racer ${n}` })),
        userId: `racer ${n}`,
      })),
    );
    const { sql } = tenant.database;
    await all(
      sessions.flatMap(({ token, sessionId, userId }) => [
        async () => await tenant.asPayer(token, 'SubmitCashierSession', { amount: '100' }),
        async () => await tenant.cashier(merchant, { userId, amount: '500' }),
        async () => await tenant.cashier(merchant, { userId }),
        async () => await tenant.operate('RevokeCashierSession', { id: sessionId, reason: 'race' }),
        async () => await sql`select expire_cashier_session(${sessionId}, now() + interval '1 hour')`,
      ]),
    );
    const wrong = await sql`
      select s.id, s.status, count(d.id) as orders
      from cashier_sessions s left join deposit_orders d on d.cashier_session_id = s.id
      group by s.id having count(d.id) <> case s.status when 'SUBMITTED' then 1 else 0 end`;
    expect(wrong).toEqual([]);
    const ends = await sql<{ ends: number }[]>`
      select count(*)::int as ends from order_events
      where noun = 'cashier' and type in ('submitted', 'expired', 'revoked')
      group by order_id having count(*) > 1`;
    expect(ends).toEqual([]);
    const twice = await sql`
      select user_id from cashier_sessions where status = 'PENDING' group by merchant_id, user_id
      having count(*) > 1 and user_id is not null`;
    expect(twice).toEqual([]);
    const lost = await sql`
      select s.id from cashier_sessions s left join merchant_order_numbers n
        on n.merchant_id = s.merchant_id and n.merchant_order_no = s.merchant_order_no
      where n.order_id is distinct from coalesce(s.deposit_order_id, s.id)`;
    expect(lost).toEqual([]);
  });
});
