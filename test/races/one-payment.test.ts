import { setTimeout as sleep } from 'node:timers/promises';
import { uuidv7 } from 'uuidv7';
import { boundOrder } from '../support/bound-order';
import { createTestChannel } from '../support/channel-tenant';
import { type OperatorActor, Tenant, type TestMerchant } from '../support/tenant';
import { expectWholeLedger } from '../support/whole-ledger';

describe('a late credit and the channel of the same payment', () => {
  let tenant: Tenant;
  let bob: OperatorActor;
  let merchant: TestMerchant;
  let accountId: string;
  let channelId: string;

  beforeAll(async () => {
    tenant = await Tenant.create();
    bob = await tenant.person('bob', ['approve', 'treasurer']);
    accountId = await tenant.account();
    merchant = await tenant.merchant();
    const deposits = { currencies: ['THB'], accountId };
    ({ id: channelId } = await createTestChannel(tenant, { kind: 'MOCK' }, { deposits }));
  });
  afterAll(async () => {
    await expectWholeLedger(tenant);
    await tenant.close();
  });

  it('credit it once when they race', async () => {
    let byPeople = 0;
    for (let n = 0; n < 16; n++) {
      tenant.changes.onePerson = true;
      const order = await boundOrder(tenant, merchant, channelId);
      const { transfer } = await tenant.notify({
        accountId,
        amount: '99.00',
        memo: order.remark,
        bankReference: uuidv7(),
      });
      await tenant.database.sql`
        update bank_transfers set source = ${`agent:${uuidv7()}`} where id = ${transfer.id}`;
      tenant.changes.onePerson = false;
      const { change } = await tenant.operate<{ change: { id: string } }>('CreditLateMoney', {
        transferId: transfer.id,
        merchantId: merchant.id,
        reason: 'test',
        evidence: { text: "the bank's letter" },
      });
      const approved = async (): Promise<boolean> => {
        const approval = { id: change.id, reason: 'seen' };
        return await tenant.operate('ApproveChange', approval, bob).then(
          () => true,
          (error: unknown) => {
            expect(error).toMatchObject({
              message: expect.stringContaining(order.orderNo) as string,
            });
            return false;
          },
        );
      };
      const credited = async (): Promise<boolean> => {
        // At another moment of the approval each time.
        await sleep(n * 15);
        await order.match();
        return await order.credit();
      };
      const done = await Promise.all([approved(), credited()]);
      expect(done.filter(Boolean)).toHaveLength(1);
      if (done[0]) byPeople++;
    }
    process.stdout.write(`one-payment: raced=16 by-people=${byPeople} twice=0\n`);
  });
});
