import { OperatorClient } from '../../local/operator-client';
import type { SharedKey } from '../../simulator/signing';
import type { Platform } from '../platform';

/** The currency of all payouts. */
export const CURRENCY = 'THB';
/** The fee of a withdrawal, and our cost of a payout. */
export const FEE = '2.00';
export const COST = '0.50';
/** Each merchant's initial balance: enough for all its requests. */
export const FUNDS = '10000000';

const REASON = 'chaos campaign';
const BANK = 'KBANK';
const CHANNEL_CODE = 'simulated';

/** A merchant that has money. */
export interface Payer {
  readonly id: string;
  readonly code: string;
  readonly apiKey: string;
}

/** What payouts need, made through the operators' GraphQL alone. @returns the merchants, and the channel's webhook path */
export async function provisionPayouts(
  platform: Platform,
  { login, password }: { readonly login: string; readonly password: string },
  upstream: SharedKey & { readonly url: string },
): Promise<{ readonly payers: readonly Payer[]; readonly webhookPath: string }> {
  const operator = new OperatorClient(platform.graphqlUrl);
  await operator.login(login, password);
  const run = async <Result>(name: string, variables: Record<string, unknown>): Promise<Result> =>
    await operator.run<Result>(name, { reason: REASON, ...variables });
  await run('PutBanks', {
    ...{ currencyCode: CURRENCY, banks: [{ bankCode: BANK, name: 'Kasikornbank' }] },
  });
  await run('PutReviewRules', {
    currencyCode: CURRENCY,
    rules: { autoApproveUpTo: '1000000', newBeneficiary: false },
  });
  const { url: baseUrl, keyId, secret } = upstream;
  await run('CreateChannel', {
    input: {
      ...{ channelCode: CHANNEL_CODE, kind: 'HTTP' },
      settings: {
        ...{ name: 'Simulated upstream', currencies: [CURRENCY], timeoutSeconds: 5 },
        address: { baseUrl, keyId, secret },
        banks: [{ currencyCode: CURRENCY, bankCode: BANK, channelBankCode: '004' }],
        // Long enough that some late successes come before a failure is final, short enough that some come after.
        ...{ failureFinalDelaySeconds: 4, answerWithinSeconds: 20 },
      },
    },
  });
  const payers: Payer[] = [];
  for (const code of ['PAYER-A', 'PAYER-B', 'PAYER-C']) {
    const { merchant } = await run<{ merchant: { id: string } }>('CreateMerchant', {
      input: {
        ...{ merchantCode: code, name: code },
        currencies: [{ currencyCode: CURRENCY, withdrawalFee: { fixed: FEE } }],
        settings: { canWithdraw: true, allowInsecureCallbacks: true },
      },
    });
    const { apiKey } = await run<{ apiKey: string }>('IssueApiKey', { merchantId: merchant.id });
    await run('TopUpBalance', {
      ...{ merchantId: merchant.id, currencyCode: CURRENCY, amount: FUNDS },
      evidence: { text: 'a campaign' },
    });
    payers.push({ id: merchant.id, code, apiKey });
  }
  return { payers, webhookPath: `/channels/${CHANNEL_CODE}/webhook` };
}
