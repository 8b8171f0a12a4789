import type { FastifyRequest } from 'fastify';
import { CashierRate } from '../../gateway/cashier/rate';
import { cashierCalls } from '../../gateway/cashier/session';
import type { GatewayDeps } from '../../gateway/deps';

/** A payer's request with a token of its own, from an address. */
const from = (address: string, n: number): FastifyRequest =>
  ({ params: { token: `token-${n}` }, raw: { address } }) as unknown as FastifyRequest;

describe('the rate of a payer’s address', () => {
  /** How many of two requests with different tokens are refused, where the rate admits one per address. */
  async function refused(...addresses: readonly string[]): Promise<number> {
    const deps = {
      addressOf: ({ address }: { readonly address: string }) => address,
      // A request within the rate ends here.
      graph: { authenticateCashier: () => Promise.reject(new Error('nobody')) },
    } as unknown as GatewayDeps;
    const one = { atOnce: 5, perSecond: 0.001 };
    const calls = cashierCalls(deps, new CashierRate(undefined, one, one));
    const outcomes = await Promise.allSettled(
      addresses.map(async (address, n) => {
        await calls.admit(from(address, n));
      }),
    );
    return outcomes.filter(
      (outcome) =>
        outcome.status === 'rejected' && (outcome.reason as { readonly kind?: string }).kind === 'RATE_LIMITED',
    ).length;
  }

  it('counts an IPv6 address by its /64, all of which one person may have', async () => {
    expect(await refused('2001:db8:0:1::1', '2001:db8:0:1:ffff::2')).toBe(1);
    expect(await refused('2001:db8:0:1::1', '2001:db8:0:2::1')).toBe(0);
    expect(await refused('198.51.100.7', '198.51.100.7')).toBe(1);
    expect(await refused('198.51.100.7', '198.51.100.8')).toBe(0);
  });
});
