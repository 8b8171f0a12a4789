import { uuidv7 } from 'uuidv7';
import { parse } from 'graphql';
import pino from 'pino';
import { actorInfoOf } from '../../graph/actor-info';
import { Tenant } from '../support/tenant';

describe('an actor', () => {
  const id = uuidv7();
  it.each([
    ['system', { kind: 'SYSTEM', id: null }],
    [`operator:${id}`, { kind: 'OPERATOR', id }],
    ['operators', { kind: 'OPERATOR', id: null }],
    [`merchant:${id}`, { kind: 'MERCHANT', id }],
    [`agent:${id}`, { kind: 'AGENT', id }],
    [`payer:${id}`, { kind: 'PAYER', id }],
    [`channel:${id}`, { kind: 'CHANNEL', id }],
  ])('%s', (name, info) => {
    expect(actorInfoOf(name)).toEqual(info);
  });

  it('appears in a timeline with its name', async () => {
    const tenant = await Tenant.create();
    await tenant.account();
    const merchant = await tenant.merchant();
    const { orderNo } = await tenant.deposit(merchant);
    await tenant.operate('CancelDeposit', { orderNo, reason: 'test' });
    const { deposit } = await tenant.graph.execute<
      { deposit: { timeline: { type: string; actorInfo: unknown }[] } },
      Record<string, never>
    >(
      parse(`{ deposit(orderNo: "${orderNo}") { timeline { type actorInfo { kind id label } } } }`),
      {},
      tenant.operator,
      pino({ level: 'silent' }),
    );
    expect(deposit.timeline).toMatchObject([
      {
        type: 'created',
        actorInfo: { kind: 'MERCHANT', id: merchant.id, label: merchant.merchantCode },
      },
      { type: 'cancelled', actorInfo: { kind: 'OPERATOR', label: 'admin' } },
    ]);
    await tenant.close();
  });
});
