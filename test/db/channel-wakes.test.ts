import { uuidv7 } from 'uuidv7';
import { recordChannelMessage } from '../../db/channels/channel-messages';
import { OUTBOX_RANK } from '../../domain/outbox';
import { sentDeposit } from '../support/sent-deposit';
import { Tenant } from '../support/tenant';

describe("a channel's report about a deposit that is not paid yet", () => {
  let tenant: Tenant;
  beforeAll(async () => {
    tenant = await Tenant.create();
  });
  afterAll(async () => {
    await tenant.close();
  });

  it.each([
    ['COMPLETED', OUTBOX_RANK.money],
    ['FAILED', OUTBOX_RANK.work],
    ['UNKNOWN', OUTBOX_RANK.work],
  ] as const)('%s wakes its workflow with rank %d', async (reported, rank) => {
    const { database } = tenant;
    const merchant = await tenant.merchant({}, [{ currencyCode: 'USD', depositFee: { percent: '1' } }]);
    const { orderNo, attemptId, channelId } = await sentDeposit(tenant, merchant);
    await database.sql`delete from outbox`;
    const [attempt] = await database.sql<{ reference: string }[]>`
      select reference from deposit_attempts where id = ${attemptId}`;
    const message = {
      id: uuidv7(),
      channelId,
      messageId: uuidv7(),
      reference: attempt?.reference ?? '',
      reported,
      headers: {},
      body: Buffer.from('{}'),
    };
    await recordChannelMessage(database, message, tenant.now());
    expect(await database.sql`select key, rank from outbox`).toEqual([{ key: `deposit:${orderNo}`, rank }]);
  });
});
