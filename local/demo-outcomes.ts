import type { OperatorClient } from './operator-client';

/*
 * Amounts by which a merchant's engineer sees every state without an operator. They are unusual, so that nobody uses one
 * by chance; other amounts are not affected.
 */

/** The outcome of a deposit by its amount: docs/channels.md lists them for merchants. */
const DEPOSITS = [
  { amount: '1313.01', outcome: 'PENDING' },
  { amount: '1313.02', outcome: 'MATCHED' },
  { amount: '1313.03', outcome: 'COMPLETED' },
  { amount: '1313.04', outcome: 'FAILED' },
  { amount: '1313.05', outcome: 'REFUSED' },
  { amount: '1313.06', outcome: 'SILENT' },
  // For currencies without decimals; the last one fills a balance for withdrawals.
  { amount: '131301', outcome: 'PENDING' },
  { amount: '131302', outcome: 'MATCHED' },
  { amount: '131303', outcome: 'COMPLETED' },
  { amount: '131304', outcome: 'FAILED' },
  { amount: '131305', outcome: 'REFUSED' },
  { amount: '131306', outcome: 'SILENT' },
  { amount: '13130300', outcome: 'COMPLETED' },
] as const;

/** Rules decide withdrawals of these; in every other currency a person decides, unless rules are set. */
const CURRENCY = 'VND';
const RULES = { autoApproveUpTo: '1000000', newBeneficiary: false, decideWithinMinutes: 1_440 };
/** The only amount that goes to a channel with this outcome. */
const WITHDRAWALS = [
  { channelCode: 'mock-pending', name: 'Mock: stays under way', outcome: 'PENDING', of: '131301' },
  { channelCode: 'mock-failed', name: 'Mock: fails', outcome: 'FAILED', of: '131304' },
] as const;

/** Creates the missing channels and rules. They affect only their own amounts and currencies. */
export async function ensureOutcomes(
  operator: OperatorClient,
  known: ReadonlySet<string>,
  reason: string,
): Promise<void> {
  const create = async (input: { readonly channelCode: string }): Promise<void> => {
    if (!known.has(input.channelCode)) await operator.run('CreateChannel', { reason, input });
  };
  await create({
    channelCode: 'mock-deposits',
    kind: 'MOCK',
    settings: {
      name: 'Mock: outcomes by amount',
      currencies: [],
      deposits: {
        currencies: ['THB', CURRENCY],
        beforeAccounts: true,
        mockAmounts: DEPOSITS.map(({ amount, outcome }) => ({ amount, outcome })),
      },
    },
  } as { readonly channelCode: string });
  for (const { channelCode, name, outcome, of } of WITHDRAWALS)
    await create({
      channelCode,
      kind: 'MOCK',
      mockOutcome: outcome,
      settings: {
        name,
        currencies: [CURRENCY],
        minAmount: of,
        maxAmount: of,
        priority: 1,
        failureFinalDelaySeconds: 10,
      },
    } as { readonly channelCode: string });
  const rules = await operator.run<readonly { currencyCode: string; merchantId: string | null }[]>('ReviewRules', {});
  if (!rules.some((one) => one.currencyCode === CURRENCY && one.merchantId === null))
    await operator.run('PutReviewRules', { currencyCode: CURRENCY, rules: RULES, reason });
}
