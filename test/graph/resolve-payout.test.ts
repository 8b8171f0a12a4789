import type { Actor } from '../../steps/access/actor';
import { markSent, payWithdrawal } from '../../db/payouts/payouts';
import { channelCost, withdrawalPaid } from '../../domain/ledger';
import { money } from '../../domain/money';
import { createTestChannel } from '../support/channel-tenant';
import { type OperatorActor, Tenant, type TestMerchant } from '../support/tenant';
import { expectWholeLedger } from '../support/whole-ledger';
import {
  approvedWithdrawal,
  eventsOf,
  fundedMerchant,
  postedFor,
  unknownPayout,
  withdrawalNow,
} from '../support/withdrawals';

interface Resolution {
  readonly change: { readonly id: string; readonly status: string };
  readonly withdrawal: { readonly status: string } | null;
}

describe('a payout with an unknown outcome', () => {
  let tenant: Tenant;
  let bob: OperatorActor;
  let merchant: TestMerchant;
  let channelId: string;
  let channelCode: string;

  beforeAll(async () => {
    tenant = await Tenant.create();
    bob = await tenant.person('bob', ['approve']);
    merchant = await fundedMerchant(tenant);
    ({ id: channelId, channelCode } = await createTestChannel(tenant, { kind: 'MOCK' }));
    tenant.changes.onePerson = false;
  });
  afterAll(async () => {
    await expectWholeLedger(tenant);
    await tenant.close();
  });

  const found = async (orderNo: string, outcome: string, fields: Record<string, unknown> = {}): Promise<Resolution> =>
    await tenant.operate('ResolvePayout', {
      orderNo,
      outcome,
      reason: 'asked the bank',
      evidence: { text: 'their letter' },
      ...fields,
    });
  const approve = async ({ change }: Resolution, actor: Actor = bob): Promise<unknown> =>
    await tenant.operate('ApproveChange', { id: change.id, reason: 'seen' }, actor);

  it('is completed by two people, with the bank’s reference', async () => {
    const { id, orderNo } = await unknownPayout(tenant, merchant, channelId);
    const proposed = await found(orderNo, 'PAID', { bankReference: 'B-1' });
    expect(proposed).toMatchObject({ change: { status: 'PROPOSED' }, withdrawal: null });
    expect(await withdrawalNow(tenant, id)).toMatchObject({ status: 'APPROVED' });
    await expect(tenant.operate('ApproveChange', { id: proposed.change.id, reason: 'mine' })).rejects.toMatchObject({
      kind: 'AUTHORIZATION_ERROR',
    });
    await approve(proposed);
    expect(await withdrawalNow(tenant, id)).toMatchObject({
      status: 'COMPLETED',
      bankReference: 'B-1',
      needsManualIntervention: false,
    });
    expect(await postedFor(tenant, id)).toContain('WITHDRAWAL_PAID channel 100.0000');
    expect((await eventsOf(tenant, id)).slice(-2)).toEqual(['intervention_needed', 'completed']);
  });

  it('is completed with the channel’s actual cost', async () => {
    const { id, orderNo } = await unknownPayout(tenant, merchant, channelId);
    const paid = { bankReference: 'B-2', cost: '3.5' };
    await expect(found(orderNo, 'NOT_PAID', { cost: '3.5' })).rejects.toThrow('cost');
    await approve(await found(orderNo, 'PAID', paid));
    // The estimate was 1.
    expect(await postedFor(tenant, id)).toEqual(
      expect.arrayContaining(['CHANNEL_COST channel_cost -3.5000', 'CHANNEL_COST channel 3.5000']),
    );
    expect(await withdrawalNow(tenant, id)).toMatchObject({ status: 'COMPLETED' });
  });

  it('is failed by two people, and its money is released', async () => {
    const { id, orderNo } = await unknownPayout(tenant, merchant, channelId);
    await approve(await found(orderNo, 'NOT_PAID'));
    expect(await withdrawalNow(tenant, id)).toMatchObject({ status: 'FAILED' });
    expect(await postedFor(tenant, id)).toEqual([
      'WITHDRAWAL_RELEASE merchant:frozen -102.0000',
      'WITHDRAWAL_RELEASE merchant:available 102.0000',
    ]);
  });

  it('is not resolved after its channel has reported the outcome', async () => {
    const { id, orderNo, attemptId } = await unknownPayout(tenant, merchant, channelId);
    const proposed = await found(orderNo, 'NOT_PAID');
    const now = new Date();
    await payWithdrawal(tenant.database.sql, {
      attemptId,
      actor: 'system',
      callbackBody: '{}',
      now,
      channelOrderNo: 'S1',
      bankReference: 'B',
      cost: money('1'),
      returned: false,
      paid: withdrawalPaid(merchant.id, money('100'), money('2'), { channelId }),
      charged: channelCost(channelId, money('1')),
    });
    await expect(approve(proposed)).rejects.toMatchObject({ kind: 'CONFLICT' });
    expect(await withdrawalNow(tenant, id)).toMatchObject({ status: 'COMPLETED' });
    expect(await markSent(tenant.database, attemptId, now)).toBe(false);
  });

  it.each<[string, string, Record<string, unknown>]>([
    ['bankReference', 'PAID', {}],
    ['bankReference', 'NOT_PAID', { bankReference: 'B' }],
    ['evidence', 'NOT_PAID', { evidence: { text: ' ' } }],
    ['reason', 'NOT_PAID', { reason: ' ' }],
  ])('needs a valid %s', async (named, outcome, fields) => {
    const { orderNo } = await unknownPayout(tenant, merchant, channelId);
    await expect(found(orderNo, outcome, fields)).rejects.toThrow(named);
  });

  it('cannot be resolved while its channel is still processing it', async () => {
    const { orderNo } = await approvedWithdrawal(tenant, merchant);
    await expect(found(orderNo, 'NOT_PAID')).rejects.toMatchObject({ kind: 'BUSINESS_ERROR' });
  });

  it('shows every attempt', async () => {
    const { orderNo } = await unknownPayout(tenant, merchant, channelId);
    const reference = `${orderNo}-1-0-${channelCode}`;
    expect(await tenant.operate('PayoutAttempts', { orderNo })).toMatchObject({
      needsManualIntervention: true,
      manualReason: 'no answer',
      payoutAttempts: [{ number: 1, status: 'UNKNOWN', reference, channelId }],
    });
  });
});
