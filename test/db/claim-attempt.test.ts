import { money } from '../../domain/money';
import { findSigningKey } from '../../db/merchants/api-keys';
import { creditDeposit } from '../../db/deposits/credits';
import { depositCredit } from '../../domain/ledger';
import {
  claimAttempt,
  findNotificationCase,
  type NotificationCase,
} from '../../db/callbacks/callbacks';
import { Tenant } from '../support/tenant';

describe('claiming an attempt at a callback', () => {
  let tenant: Tenant;

  beforeAll(async () => {
    tenant = await Tenant.create();
  });
  afterAll(async () => {
    await tenant.close();
  });

  it('refuses a row that was read before a resend: it must be read and signed again', async () => {
    const { database } = tenant;
    const began = Date.now();
    const after = (seconds: number): Date => new Date(began + seconds * 1_000);
    tenant.now = () => after(0);
    const merchant = await tenant.merchant();
    const accountId = await tenant.account();
    const { expectedRemark, orderNo } = await tenant.deposit(merchant);
    const { transfer } = await tenant.notify({ accountId, memo: expectedRemark });
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
    const lease = after(21);

    const before = await look();
    await tenant.operate('ResendCallback', { id: before.id, reason: 'test' });
    const later = after(2);
    expect(await claimAttempt(database, before, signed, lease, later, now)).toBeUndefined();
    const fresh = await look();
    expect(await claimAttempt(database, fresh, signed, lease, later, now)).toEqual({
      generation: 2,
      attempt: 1,
    });
    // The same row, claimed a second time, is refused.
    expect(await claimAttempt(database, fresh, signed, lease, later, now)).toBeUndefined();
  });
});
