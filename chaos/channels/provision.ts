import { OperatorClient } from '../../local/operator-client';
import type { Asker, OrderKind } from '../askers';
import type { Platform } from '../platform';
import type { Upstream } from '../upstreams';

/** The currency of all deposits. */
export const CURRENCY = 'THB';
/** The fee of a deposit, and a channel's cost. */
export const FEE = '2.00';
export const COST = '0.50';
/** What merchants request. @param receiverUrl where they receive callbacks */
export const depositsTo = (receiverUrl: string, currencyCode = CURRENCY): OrderKind => ({
  kind: 'deposit',
  fields: ({ code }) => ({ currency_code: currencyCode, callback_url: `${receiverUrl}/${code}` }),
});

const REASON = 'chaos campaign';
const MERCHANTS = ['CHANNEL-A', 'CHANNEL-B', 'CHANNEL-C'];
/** Long enough to resolve an unanswered request at both channels. */
const EXPIRE_MINUTES = 3;
/** Limits must not restrict a campaign. */
const MANY = 1_000_000;

/** What deposits through channels need, made only through the operators' GraphQL. @returns the merchants */
export async function provisionChannels(
  platform: Platform,
  { login, password }: { readonly login: string; readonly password: string },
  upstreams: readonly Upstream[],
  { currencyCode = CURRENCY, expireMinutes = EXPIRE_MINUTES } = {},
): Promise<Asker[]> {
  const operator = new OperatorClient(platform.graphqlUrl);
  await operator.login(login, password);
  const run = async <Result>(name: string, variables: Record<string, unknown>): Promise<Result> =>
    await operator.run<Result>(name, { reason: REASON, ...variables });
  for (const { channelCode, url: baseUrl, keyId, secret } of upstreams)
    await run('CreateChannel', {
      input: {
        channelCode,
        kind: 'HTTP',
        settings: {
          name: channelCode,
          currencies: [currencyCode],
          timeoutSeconds: 5,
          address: { baseUrl, keyId, secret },
          deposits: { currencies: [currencyCode], cost: { fixed: COST } },
        },
      },
    });
  const askers: Asker[] = [];
  for (const code of MERCHANTS) {
    const { merchant } = await run<{ merchant: { id: string } }>('CreateMerchant', {
      input: {
        merchantCode: code,
        name: code,
        currencies: [{ currencyCode, depositFee: { fixed: FEE } }],
        settings: {
          depositExpireMinutes: expireMinutes,
          maxOpenDeposits: MANY,
          allowInsecureCallbacks: true,
        },
      },
    });
    const { apiKey } = await run<{ apiKey: string }>('IssueApiKey', { merchantId: merchant.id });
    askers.push({ id: merchant.id, code, apiKey });
  }
  return askers;
}
