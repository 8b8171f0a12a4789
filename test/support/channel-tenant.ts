import { randomBytes } from 'node:crypto';
import type { Payment } from '../../simulator/payments';
import type { Simulator } from '../../simulator/server';
import type { Tenant } from './tenant';

/** The key that the tests' upstreams share with us. */
export const CHANNEL_KEY = { keyId: 'test', secret: 'a secret of the tests' };

/** A channel as operators get it. */
export interface TestChannel {
  readonly id: string;
  readonly channelCode: string;
  readonly health: string;
}

/** Creates a channel, as one person may in a sandbox. By default THB, any limits. */
export async function createTestChannel(
  tenant: Tenant,
  input: Readonly<Record<string, unknown>>,
  settings: Readonly<Record<string, unknown>> = {},
): Promise<TestChannel> {
  const channelCode = `c-${randomBytes(5).toString('hex')}`;
  const { channel } = await tenant.operate<{ channel: TestChannel }>('CreateChannel', {
    reason: 'test',
    input: {
      channelCode,
      ...input,
      settings: { name: channelCode, currencies: ['THB'], ...settings },
    },
  });
  return channel;
}

/** A mock channel that takes deposits in these currencies and pays nothing out. */
export const depositOnlyChannel = async (
  tenant: Tenant,
  currencies: readonly string[],
  deposits: Readonly<Record<string, unknown>> = {},
): Promise<TestChannel> =>
  await createTestChannel(tenant, { kind: 'MOCK' }, { currencies: [], deposits: { currencies, ...deposits } });

/** A channel to a simulated upstream, which pays to the bank KBANK. */
export const simulatedChannel = async (
  tenant: Tenant,
  baseUrl: string,
  settings: Readonly<Record<string, unknown>> = {},
): Promise<TestChannel> =>
  await createTestChannel(
    tenant,
    { kind: 'HTTP' },
    {
      address: { baseUrl, ...CHANNEL_KEY },
      banks: [{ currencyCode: 'THB', bankCode: 'KBANK', channelBankCode: '004' }],
      timeoutSeconds: 30,
      ...settings,
    },
  );

/** What a simulated upstream paid, by reference. */
export const paidBy = (simulator: Simulator): Record<string, number> =>
  Object.fromEntries(simulator.payments.all().map(({ reference, paid }) => [reference, paid]));

/** An attempt at a withdrawal, as a simulated upstream knows it. @param number of the attempt */
export const paymentAt = (simulator: Simulator, orderNo: string, number = 1): Payment | undefined =>
  simulator.payments.all().find(({ reference }) => reference.startsWith(`${orderNo}-${number}-`));
