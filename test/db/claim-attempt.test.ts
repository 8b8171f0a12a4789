import { uuidv7 } from 'uuidv7';
import { money } from '../../domain/money';
import { findSigningKey } from '../../db/merchants/api-keys';
import { creditDeposit } from '../../db/deposits/credits';
import { depositCredit } from '../../domain/ledger';
import { claimAttempt, findNotificationCase, type NotificationCase } from '../../db/callbacks/callbacks';
import { Tenant } from '../support/tenant';

describe('claiming an attempt at a callback', () => {
  let tenant: Tenant;
  let accountId: string;

  beforeAll(async () => {
    tenant = await Tenant.create();
    accountId = await tenant.account();
  });
  afterAll(async () => {
    await tenant.close();
  });

  /** A callback of a paid deposit, when it is due, and what reads and claims it. */
  async function due() {
    const { database } = tenant;
    const began = Date.now();
    const after = (seconds: number): Date => new Date(began + seconds * 1_000);
    tenant.now = () => after(0);
    const merchant = await tenant.merchant();
    const { expectedRemark, orderNo } = await tenant.deposit(merchant);
    const { transfer } = await tenant.notify({
      accountId,
      memo: expectedRemark,
      bankReference: uuidv7(),
    });
    const now = after(1);
    await creditDeposit(database, {
      depositId: transfer.depositId ?? '',
      merchantId: merchant.id,
      actual: money('100'),
      fee: money('1.5'),
      postings: depositCredit(merchant.id, money('100'), money('1.5')),
      callbackBody: '{}',
      now,
    });
    const [log] = await database.sql<{ id: string }[]>`
      select id from notification_logs where order_no = ${orderNo}`;
    const look = async (): Promise<NotificationCase> => {
      const row = await findNotificationCase(database, log?.id ?? '');
      if (!row) throw new Error('no callback');
      return row;
    };
    const key = await findSigningKey(database, merchant.id, null, now);
    const signed = { apiKeyId: key?.id ?? '', signature: 'a signature' };
    const claim = async (row: NotificationCase, leaseUntil: Date, at: Date) =>
      await claimAttempt(database, row, signed, leaseUntil, at, at);
    return { after, look, claim };
  }

  it('refuses a row that was read before a resend: it must be read and signed again', async () => {
    const { after, look, claim } = await due();
    const [lease, later] = [after(21), after(2)];
    const before = await look();
    await tenant.operate('ResendCallback', { id: before.id, reason: 'test' });
    expect(await claim(before, lease, later)).toBeUndefined();
    const fresh = await look();
    expect(await claim(fresh, lease, later)).toEqual({
      generation: 2,
      attempt: 1,
    });
    // The same row, claimed a second time, is refused.
    expect(await claim(fresh, lease, later)).toBeUndefined();
  });

  it('refuses a row that is not due, is under another attempt’s lease, or is final', async () => {
    const { database } = tenant;
    const { after, look, claim } = await due();
    expect(await claim(await look(), after(21), after(0.999))).toBeUndefined();
    const first = await claim(await look(), after(21), after(1));
    expect(first).toEqual({ generation: 1, attempt: 1 });
    // As read during the attempt: only the lease says that it is under way.
    expect(await claim(await look(), after(41), after(20.999))).toBeUndefined();
    const second = await claim(await look(), after(41), after(21));
    expect(second).toEqual({ generation: 1, attempt: 2 });
    for (const status of ['SUCCESS', 'FAILED'] as const) {
      const { id } = await look();
      await database.sql`
        update notification_logs set status = ${status}, lease_until = null, next_attempt_at = null where id = ${id}`;
      expect(await claim(await look(), after(99), after(60))).toBeUndefined();
    }
  });
});
