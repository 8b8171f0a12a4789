import { randomBytes } from 'node:crypto';
import { MockActivityEnvironment } from '@temporalio/testing';
import { uuidv7 } from 'uuidv7';
import { DEFAULT_DAY_LIMITS, type DayLimits } from '../../domain/authority/day-amounts';
import { money } from '../../domain/money';
import { type Database, openDatabase } from '../../db/client';
import { beginRecoveryByHand, endRecovery } from '../../db/platform/recoveries';
import { applyDecisions } from '../../db/withdrawals/withdrawals';
import type { Actor } from '../../steps/access/actor';
import { createSettlementActivities } from '../../temporal/activities/settlements';
import { type OperatorActor, PATIENCE, Tenant, type TestMerchant } from '../support/tenant';
import { expectWholeLedger } from '../support/whole-ledger';
import { fundedMerchant } from '../support/withdrawals';

const HOUR = 3_600_000;
const QUARTER = HOUR / 4;

interface Plan {
  readonly id: string;
  readonly version: number;
  readonly effectiveFrom: string;
  readonly ends: boolean;
  readonly inForce: boolean;
}
interface Run {
  readonly dueOn: string;
  readonly missed: number;
  readonly available: string;
  readonly skipped: string | null;
  readonly withdrawal: {
    readonly id: string;
    readonly orderNo: string;
    readonly amount: string;
    readonly peopleNeeded: number;
  } | null;
}
type Changed = { readonly change: { readonly id: string; readonly status: string } };

/** A Wednesday, 09:00 in Bangkok. */
const START = new Date('2026-12-02T02:00:00Z');

describe('settlement plans', () => {
  let tenant: Tenant;
  /** With the rights of a worker. */
  let worker: Database;
  let bob: OperatorActor;
  let cy: OperatorActor;
  let merchant: TestMerchant;
  let accountId: string;
  let now: Date;
  const limits: { dayLimits: DayLimits } = { dayLimits: null };

  beforeAll(async () => {
    tenant = await Tenant.create();
    worker = openDatabase({
      url: `${tenant.url}?role=causeway_worker`,
      applicationName: 'test',
      max: 8,
      patience: PATIENCE,
    });
    bob = await tenant.person('bob', ['approve']);
    cy = await tenant.person('cy', ['approve']);
    await tenant.operate('PutBanks', {
      currencyCode: 'THB',
      reason: 'test',
      banks: [{ bankCode: 'GOODBANK', name: 'Good Bank' }],
    });
  });
  beforeEach(async () => {
    tenant.changes.onePerson = true;
    tenant.changes.coolingMs = 0;
    limits.dayLimits = null;
    now = new Date(START.getTime() - HOUR);
    tenant.now = () => now;
    merchant = await fundedMerchant(tenant, '1000');
    await tenant.database.sql`
      update merchants set time_zone = 'Asia/Bangkok' where id = ${merchant.id}`;
    accountId = await account();
    tenant.changes.onePerson = false;
  });
  afterEach(async () => {
    await expectWholeLedger(tenant);
    await tenant.database.sql`update banks set enabled = true where not enabled`;
    // Each test has its own merchant, whose plan must not run in the next test.
    await tenant.operate('EndSettlementPlan', place()).catch(() => undefined);
  });
  afterAll(async () => {
    await worker.close();
    await tenant.close();
  });

  const place = () => ({ merchantId: merchant.id, currencyCode: 'THB', reason: 'over' });
  const account = async (): Promise<string> => {
    const { account: made } = await tenant.operate<{ account: { id: string } }>('CreateSettlementAccount', {
      input: {
        merchantId: merchant.id,
        currencyCode: 'THB',
        bankCode: 'GOODBANK',
        accountNo: uuidv7(),
        accountHolder: 'The merchant',
      },
      reason: 'their letter',
    });
    return made.id;
  };
  const DAILY = { trigger: 'EVERY_DAY', time: '09:00' };
  const propose = async (fields: Record<string, unknown> = {}, actor?: Actor): Promise<Changed> =>
    await tenant.operate(
      'PutSettlementPlan',
      {
        input: {
          merchantId: merchant.id,
          currencyCode: 'THB',
          settlementAccountId: accountId,
          days: DAILY,
          ...fields,
        },
        reason: 'as agreed',
      },
      actor,
    );
  const approve = async ({ change }: Changed, actor: Actor = bob): Promise<unknown> =>
    await tenant.operate('ApproveChange', { id: change.id, reason: 'seen' }, actor);
  const put = async (fields: Record<string, unknown> = {}, actor?: Actor): Promise<void> => {
    await approve(await propose(fields), actor);
  };
  const plans = async (): Promise<Plan[]> =>
    (
      await tenant.operate<{ settlementPlans: Plan[] }>('SettlementPlans', {
        merchantId: merchant.id,
      })
    ).settlementPlans;
  const runs = async (): Promise<Run[]> =>
    await tenant.list('SettlementRuns', { filter: { merchantId: [merchant.id] } });
  const said = async (): Promise<string[]> =>
    (await runs()).map(({ dueOn, skipped, withdrawal }) => `${dueOn} ${skipped ?? withdrawal?.amount ?? ''}`);
  /** One run of the schedule. @returns the number of created settlements */
  const settle = async (at: Date = now): Promise<number> => {
    now = at;
    const { changes } = tenant;
    const steps = createSettlementActivities({
      database: worker,
      clock: async () => await Promise.resolve(now),
      ...tenant.seals,
      changes: { ...changes, ...limits },
    });
    return await new MockActivityEnvironment().run(async () => await steps.settleByPlans());
  };
  const topUp = async (amount: string): Promise<void> => {
    await tenant.alone(
      async () =>
        await tenant.operate('TopUpBalance', {
          merchantId: merchant.id,
          currencyCode: 'THB',
          amount,
          reason: 'test',
          evidence: { text: 'seen' },
        }),
    );
  };
  const balance = async (): Promise<string> => {
    const [row] = await tenant.database.sql<{ all: string }[]>`
      select concat_ws(' ', trim_scale(available), trim_scale(frozen)) as all
      from merchant_balances where merchant_id = ${merchant.id}`;
    return row?.all ?? '';
  };
  const apply = async (id: string): Promise<boolean> => {
    const bodies = { approved: '{}', rejected: '{}', rejection: null };
    return await applyDecisions(tenant.database, id, bodies, [], now);
  };
  const later = (days: number, ms = 0): Date => new Date(START.getTime() + days * 24 * HOUR + ms);

  it('settle nothing before two people approve one and its cooling period has ended', async () => {
    tenant.changes.coolingMs = 24 * HOUR;
    expect(await settle(START)).toBe(0);
    const proposed = await propose();
    expect(await plans()).toEqual([]);
    await expect(approve(proposed, tenant.operator)).rejects.toMatchObject({
      kind: 'AUTHORIZATION_ERROR',
    });
    now = new Date(START.getTime() - QUARTER);
    await approve(proposed);
    expect(await plans()).toMatchObject([
      { version: 1, effectiveFrom: later(1, -QUARTER).toISOString(), inForce: false },
    ]);
    expect(await settle(START)).toBe(0);
    expect(await settle(later(1, -1))).toBe(0);
    expect(await settle(later(1))).toBe(1);
    expect(await said()).toEqual(['2026-12-03 1000.0000']);
  });

  it('make one settlement per date, under concurrency, and leave the float', async () => {
    await put({ keep: '100', minimum: '50' });
    expect(await settle(new Date(START.getTime() - 1))).toBe(0);
    now = START;
    const made = await Promise.all(Array.from({ length: 8 }, async () => await settle(START)));
    expect(made.reduce((sum, one) => sum + one, 0)).toBe(1);
    expect(await balance()).toBe('100 900');
    const [run] = await runs();
    expect(run).toMatchObject({ dueOn: '2026-12-02', missed: 0, available: '1000.0000' });
    const [row] = await tenant.list<Record<string, unknown>>('Settlements', {
      filter: { origin: ['SETTLEMENT'], merchantId: [merchant.id] },
    });
    expect(row).toMatchObject({
      status: 'PENDING',
      amount: '900.0000',
      fee: '0.0000',
      settlement: {
        reference: 'plan:THB:2026-12-02',
        reason: 'settlement plan, version 1',
        account: { id: accountId },
        proposedBy: { login: 'admin' },
      },
    });
    await topUp('500');
    expect(await settle(later(0, 6 * HOUR))).toBe(0);
    expect(await settle(later(1))).toBe(1);
    expect(await said()).toEqual(['2026-12-03 500.0000', '2026-12-02 900.0000']);
  });

  it('never exceed the balance while it changes', async () => {
    await put({ keep: '100' });
    now = START;
    const tess = await tenant.person(`tess-${uuidv7()}`, ['treasurer']);
    const byHand = async (): Promise<unknown> =>
      await tenant.operate(
        'ProposeSettlement',
        {
          input: { settlementAccountId: accountId, amount: '300', reference: uuidv7() },
          reason: 'by hand',
        },
        tess,
      );
    await Promise.allSettled([byHand(), settle(), byHand(), settle(), byHand(), settle()]);
    await settle();
    const [left = '', frozen = ''] = (await balance()).split(' ');
    expect(money(left).plus(frozen).toFixed()).toBe('1000');
    const [run] = await runs();
    // The plan took no more than the amount above its float.
    expect(
      money(run?.available ?? '0')
        .minus(run?.withdrawal?.amount ?? '0')
        .gte(100),
    ).toBe(true);
  });

  it('wait for a person above their approved amount, but not up to it', async () => {
    await put({ keep: '600', approvedUpTo: '400' });
    expect(await settle(START)).toBe(1);
    const [first] = await runs();
    expect(await apply(first?.withdrawal?.id ?? '')).toBe(true);
    await topUp('400.01');
    expect(await settle(later(1))).toBe(1);
    const [second] = await runs();
    const { id = '', orderNo = '' } = second?.withdrawal ?? {};
    expect(await apply(id)).toBe(false);
    await expect(tenant.operate('ApproveWithdrawal', { orderNo })).rejects.toThrow(
      'you cannot approve a settlement that you proposed',
    );
    await tenant.operate('ApproveWithdrawal', { orderNo }, bob);
    expect(await apply(id)).toBe(true);
  });

  it.each<[string, () => Promise<unknown>]>([
    [
      'the merchant’s rules require two people',
      async () =>
        await tenant.alone(
          async () =>
            await tenant.operate('PutReviewRules', {
              merchantId: merchant.id,
              currencyCode: 'THB',
              reason: 'test',
              rules: { twoPeopleAbove: '100', decideWithinMinutes: 30 },
            }),
        ),
    ],
    [
      'the approver has lost the permission',
      async () => await tenant.database.sql`delete from operator_roles where operator_id = ${cy.operator.id}`,
    ],
    [
      'the approver has made a sensitive change lately',
      async () => {
        tenant.changes.coolingMs = 1;
        await tenant.operate(
          'ApproveChange',
          {
            id: (
              await tenant.operate<Changed>(
                'PutSettlementPlan',
                {
                  input: {
                    merchantId: merchant.id,
                    currencyCode: 'THB',
                    settlementAccountId: accountId,
                    days: DAILY,
                    approvedUpTo: '5001',
                  },
                  reason: 'more',
                },
                tenant.operator,
              )
            ).change.id,
            reason: 'seen',
          },
          cy,
        );
        now = new Date(now.getTime() + 1);
        tenant.changes.coolingMs = HOUR;
      },
    ],
    [
      'a currency has no day’s amounts',
      async () => {
        limits.dayLimits = {};
        await Promise.resolve();
      },
    ],
  ])('have no standing approval if %s', async (_why, change) => {
    await tenant.database.sql`
      insert into operator_roles (operator_id, role) values (${cy.operator.id}, 'approve')
      on conflict do nothing`;
    await put({ approvedUpTo: '5000' }, cy);
    now = new Date(START.getTime() - QUARTER);
    await change();
    expect(await settle(START)).toBe(1);
    const [run] = await runs();
    expect(await apply(run?.withdrawal?.id ?? '')).toBe(false);
    await tenant.database.sql`
      insert into operator_roles (operator_id, role) values (${cy.operator.id}, 'approve')
      on conflict do nothing`;
  });

  it('count against the day’s amounts of people, as manual settlements do', async () => {
    const thb = DEFAULT_DAY_LIMITS['THB'];
    if (!thb) throw new Error('THB has no amounts');
    limits.dayLimits = { THB: { ...thb, BENEFICIARY: money('999.99') } };
    await put({ approvedUpTo: '5000' });
    expect(await settle(START)).toBe(1);
    const [run] = await runs();
    expect(run?.withdrawal?.peopleNeeded).toBe(2);
    const { id = '', orderNo = '' } = run?.withdrawal ?? {};
    expect(await apply(id)).toBe(false);
    // Bob's standing approval counts already.
    await expect(tenant.operate('ApproveWithdrawal', { orderNo }, bob)).rejects.toThrow('already');
    await tenant.operate('ApproveWithdrawal', { orderNo }, cy);
    expect(await apply(id)).toBe(true);
    const counted = await tenant.database.sql<{ counter: string; amount: string }[]>`
      select counter, trim_scale(amount)::text as amount from day_amounts
      where subject in (${bob.operator.id}, ${merchant.id}) and day = '2026-12-02' order by counter`;
    expect(counted.filter(({ counter }) => counter === 'MERCHANT')).toEqual([{ counter: 'MERCHANT', amount: '1000' }]);
  });

  it('are approved only within the approver’s limit', async () => {
    const role = `small-${randomBytes(4).toString('hex')}`;
    await tenant.alone(
      async () =>
        await tenant.operate('CreateRole', {
          input: {
            name: role,
            permissions: ['VIEW', 'APPROVE'],
            approveLimits: [{ currencyCode: 'THB', amount: '100' }],
          },
          reason: 'test',
        }),
    );
    const di = await tenant.person(`di-${uuidv7()}`, [role]);
    const proposed = await propose({ approvedUpTo: '100.01' });
    await expect(approve(proposed, di)).rejects.toThrow('above your limit');
    await put({ approvedUpTo: '100' }, di);
  });

  it('run once for all missed dates', async () => {
    await put();
    expect(await settle(START)).toBe(1);
    await topUp('300');
    expect(await settle(later(4, 2 * HOUR))).toBe(1);
    expect((await runs())[0]).toMatchObject({
      dueOn: '2026-12-06',
      missed: 3,
      withdrawal: { amount: '300.0000' },
    });
    await topUp('5');
    expect(await settle(later(4, 3 * HOUR))).toBe(0);
  });

  it('do nothing during a recovery, and continue after it', async () => {
    const agreed = await propose();
    await approve(agreed);
    const recovery = uuidv7();
    await beginRecoveryByHand(tenant.database, recovery, START);
    expect(await settle(START)).toBe(0);
    expect(await runs()).toEqual([]);
    await tenant.database.transaction(async (tx) => {
      await endRecovery(tx, recovery, agreed.change.id, START);
    });
    expect(await settle(later(0, QUARTER))).toBe(1);
  });

  it.each<[string, Record<string, unknown>, () => Promise<unknown>]>([
    [
      'BELOW_MINIMUM',
      { minimum: '1000.01' },
      async () => {
        await Promise.resolve();
      },
    ],
    [
      'NO_BALANCE',
      { keep: '1000' },
      async () => {
        await Promise.resolve();
      },
    ],
    [
      'MERCHANT_DISABLED',
      {},
      async () =>
        await tenant.operate('UpdateMerchant', {
          id: merchant.id,
          settings: { enabled: false },
          reason: 'closed',
        }),
    ],
    [
      'ACCOUNT_DISABLED',
      {},
      async () => await tenant.operate('DisableSettlementAccount', { id: accountId, reason: 'closed' }),
    ],
    [
      'ACCOUNT_COOLING',
      {},
      async () =>
        await tenant.database.sql`
          update settlement_accounts set usable_at = ${later(9)} where id = ${accountId}`,
    ],
    [
      'BANK_UNKNOWN',
      {},
      async () => await tenant.database.sql`update banks set enabled = false where bank_code = 'GOODBANK'`,
    ],
  ])('skip a date with the reason %s, once', async (reason, fields, change) => {
    await put(fields);
    await change();
    expect(await settle(START)).toBe(0);
    expect(await settle(later(0, QUARTER))).toBe(0);
    expect(await said()).toEqual([`2026-12-02 ${reason}`]);
    expect(await balance()).toBe('1000 0');
    await settle(later(1));
    await settle(later(2));
    const alerts = await tenant.database.sql<{ reason: string }[]>`
      select about ->> 'reason' as reason from alerts
      where kind = 'SETTLEMENT_PLAN_FAILS' and merchant_id = ${merchant.id}`;
    const quiet = reason === 'NO_BALANCE' || reason === 'BELOW_MINIMUM';
    expect(alerts.map((one) => one.reason)).toEqual(
      quiet ? [] : [`three dates in a row were skipped, the last one as ${reason}`],
    );
  });

  it('settle at a threshold, once per business day', async () => {
    const { calendar } = await tenant.alone(
      async () =>
        await tenant.operate<{ calendar: { id: string } }>('PutCalendar', {
          input: {
            name: `Thailand ${uuidv7()}`,
            daysOff: [7, 6],
            holidays: [{ day: '2026-12-07', name: 'Day after the King’s birthday' }],
          },
          reason: 'of the central bank',
        }),
    );
    const days = { trigger: 'THRESHOLD', calendarId: calendar.id };
    await put({ days, threshold: '1500', keep: '200' });
    expect(await settle(START)).toBe(0);
    expect(await runs()).toEqual([]);
    await topUp('500');
    expect(await settle(later(0, QUARTER))).toBe(1);
    await topUp('2000');
    expect(await settle(later(0, HOUR))).toBe(0);
    // Saturday, Sunday and a holiday.
    for (const off of [3, 4, 5]) expect(await settle(later(off))).toBe(0);
    expect(await settle(later(6))).toBe(1);
    expect(await said()).toEqual(['2026-12-08 2000.0000', '2026-12-02 1300.0000']);
  });

  it('show the next dates before they are proposed, with the moved ones', async () => {
    const { calendar } = await tenant.alone(
      async () =>
        await tenant.operate<{ calendar: { id: string } }>('PutCalendar', {
          input: { name: `Weekends ${uuidv7()}`, daysOff: [6, 7], holidays: [] },
          reason: 'test',
        }),
    );
    const dates = await tenant.operate<unknown[]>('SettlementPlanDates', {
      merchantId: merchant.id,
      from: '2027-01-15T00:00:00Z',
      count: 2,
      days: {
        trigger: 'MONTH_DAYS',
        monthDays: [31],
        time: '23:45',
        calendarId: calendar.id,
        shift: 'NEXT',
      },
    });
    expect(dates).toEqual([
      { day: '2027-02-01', at: '2027-02-01T16:45:00.000Z', dates: ['2027-01-31'] },
      { day: '2027-03-01', at: '2027-03-01T16:45:00.000Z', dates: ['2027-02-28'] },
    ]);
  });

  it('refuse invalid settings', async () => {
    const wrong: readonly [string, Record<string, unknown>][] = [
      ['days.weekdays', { days: { ...DAILY, weekdays: [1] } }],
      ['days.weekdays', { days: { trigger: 'WEEKDAYS', time: '09:00', weekdays: [] } }],
      ['days.weekdays', { days: { trigger: 'WEEKDAYS', time: '09:00', weekdays: [8] } }],
      ['days.monthDays', { days: { trigger: 'MONTH_DAYS', time: '09:00', monthDays: [0] } }],
      ['days.monthDays', { days: { trigger: 'MONTH_DAYS', time: '09:00', monthDays: [1, 1] } }],
      ['days.time', { days: { trigger: 'EVERY_DAY' } }],
      ['days.time', { days: { trigger: 'EVERY_DAY', time: '09:05' } }],
      ['days.time', { days: { trigger: 'THRESHOLD', time: '09:00' }, threshold: '1' }],
      ['threshold', { threshold: '1' }],
      ['threshold', { days: { trigger: 'THRESHOLD' }, threshold: '100', keep: '100' }],
      ['threshold', { days: { trigger: 'THRESHOLD' }, threshold: '100', minimum: '100.01' }],
      ['keep', { keep: '-1' }],
      ['minimum', { minimum: '0.001' }],
      ['approvedUpTo', { approvedUpTo: '-0.01' }],
    ];
    for (const [field, fields] of wrong)
      await expect(propose(fields)).rejects.toMatchObject({
        kind: 'INVALID_FIELD',
        message: expect.stringContaining(field) as string,
      });
  });

  it('are ended by one person at once, and require the permission', async () => {
    await put();
    const { change } = await tenant.operate<Changed>('EndSettlementPlan', place());
    expect(change.status).toBe('APPLIED');
    expect(await plans()).toMatchObject([
      { version: 2, ends: true, inForce: false },
      { version: 1, inForce: false },
    ]);
    expect(await settle(START)).toBe(0);
    await expect(tenant.operate('EndSettlementPlan', place())).rejects.toThrow('no settlement plan');
    await expect(propose({}, bob)).rejects.toMatchObject({ kind: 'AUTHORIZATION_ERROR' });
    const elsewhere = tenant.operatorWith(['VIEW', 'CONFIGURE'], [uuidv7()]);
    await expect(propose({}, elsewhere)).rejects.toMatchObject({ kind: 'NOT_FOUND' });
    expect(await tenant.operate('SettlementRuns', {}, elsewhere)).toMatchObject({ nodes: [] });
  });

  it('have references that differ from manual settlements', async () => {
    await expect(
      tenant.operate('ProposeSettlement', {
        input: { settlementAccountId: accountId, amount: '1', reference: 'plan:THB:2026-12-02' },
        reason: 'mine',
      }),
    ).rejects.toThrow('must not begin with plan:');
  });
});
