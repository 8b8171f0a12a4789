import { OperatorClient } from '../../local/operator-client';
import type { Asker, OrderKind } from '../askers';
import type { Platform } from '../platform';
import type { Upstream } from '../upstreams';

/** The currency of all payouts. */
export const CURRENCY = 'THB';
/** The fee of a withdrawal, and our cost of a payout. */
export const FEE = '2.00';
export const COST = '0.50';
/** Each merchant's initial balance: enough for all its requests. */
export const FUNDS = '10000000';

const REASON = 'chaos campaign';
const BANK = 'KBANK';
/** What merchants request. */
export const PAYOUT_KIND: OrderKind = {
  kind: 'withdrawal',
  fields: () => ({
    currency_code: CURRENCY,
    beneficiary_name: 'Somchai',
    beneficiary_account: '1234567890',
    beneficiary_bank_code: BANK,
  }),
};

/** What payouts need, made only through the operators' GraphQL. @returns the merchants */
export async function provisionPayouts(
  platform: Platform,
  { login, password }: { readonly login: string; readonly password: string },
  upstreams: readonly Upstream[],
): Promise<readonly Asker[]> {
  const operator = new OperatorClient(platform.graphqlUrl);
  await operator.login(login, password);
  const run = async <Result>(name: string, variables: Record<string, unknown>): Promise<Result> =>
    await operator.run<Result>(name, { reason: REASON, ...variables });
  await run('PutBanks', {
    currencyCode: CURRENCY,
    banks: [{ bankCode: BANK, name: 'Kasikornbank' }],
  });
  await run('PutReviewRules', {
    currencyCode: CURRENCY,
    rules: { autoApproveUpTo: '1000000', newBeneficiary: false },
  });
  for (const { channelCode, url: baseUrl, keyId, secret } of upstreams)
    await run('CreateChannel', {
      input: {
        channelCode,
        kind: 'HTTP',
        settings: {
          name: channelCode,
          currencies: [CURRENCY],
          timeoutSeconds: 5,
          address: { baseUrl, keyId, secret },
          banks: [{ currencyCode: CURRENCY, bankCode: BANK, channelBankCode: '004' }],
          // Some late successes come before a failure is final, and some after it.
          failureFinalDelaySeconds: 4,
          answerWithinSeconds: 20,
        },
      },
    });
  const payers: Asker[] = [];
  for (const code of ['PAYER-A', 'PAYER-B', 'PAYER-C']) {
    const { merchant } = await run<{ merchant: { id: string } }>('CreateMerchant', {
      input: {
        merchantCode: code,
        name: code,
        currencies: [{ currencyCode: CURRENCY, withdrawalFee: { fixed: FEE } }],
        settings: { canWithdraw: true, allowInsecureCallbacks: true },
      },
    });
    const { apiKey } = await run<{ apiKey: string }>('IssueApiKey', { merchantId: merchant.id });
    await run('TopUpBalance', {
      merchantId: merchant.id,
      currencyCode: CURRENCY,
      amount: FUNDS,
      evidence: { text: 'a campaign' },
    });
    payers.push({ id: merchant.id, code, apiKey });
  }
  return payers;
}
