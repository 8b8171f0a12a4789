import { OperatorClient } from '../local/operator-client';
import type { AgentKey, BankAccount } from './bank';
import type { MerchantAccount } from './merchant';

/** The currency of all orders. */
export const CURRENCY = 'THB';
/** The fee of every deposit, fixed so that no fee is rounded. */
export const FEE = '1.50';

const REASON = 'chaos campaign';
/** Payers of these two merchants pay; those of the third never do. */
const MERCHANTS = [
  { merchantCode: 'PAID-A', expires: false },
  { merchantCode: 'PAID-B', expires: false },
  { merchantCode: 'UNPAID', expires: true },
] as const;
/** Half of them identify payments by a remark, half by the exact amount. */
const ACCOUNTS = 4;
const FLOAT = { mode: 'FLOAT', float: { step: '0.01', up: '2', down: '2' } };
/** Limits must not restrict a campaign. */
const MANY = 1_000_000;

/** The participants of a campaign. */
export interface Parties {
  readonly merchants: readonly MerchantAccount[];
  readonly accounts: readonly BankAccount[];
  readonly agent: AgentKey;
  /** An operator's client, logged in. */
  readonly operator: OperatorClient;
}

/** Makes merchants, accounts and an agent's key only through the operators' GraphQL. */
export async function provision(
  graphqlUrl: string,
  operatorLogin: { readonly login: string; readonly password: string },
  callbackTimeoutSeconds: number,
): Promise<Parties> {
  const operator = new OperatorClient(graphqlUrl);
  await operator.login(operatorLogin.login, operatorLogin.password);
  const merchants: MerchantAccount[] = [];
  for (const { merchantCode, expires } of MERCHANTS)
    merchants.push(await makeMerchant(operator, merchantCode, expires, callbackTimeoutSeconds));
  const accounts: BankAccount[] = [];
  for (let n = 1; n <= ACCOUNTS; n++) accounts.push(await makeAccount(operator, n));
  const agent = await operator.run<AgentKey>('CreateAgentKey', {
    reason: REASON,
    input: { label: 'chaos', accountIds: accounts.map(({ id }) => id) },
  });
  return { merchants, accounts, agent, operator };
}

async function makeMerchant(
  operator: OperatorClient,
  merchantCode: string,
  expires: boolean,
  callbackTimeoutSeconds: number,
): Promise<MerchantAccount> {
  const { merchant } = await operator.run<{ merchant: { id: string } }>('CreateMerchant', {
    reason: REASON,
    input: {
      merchantCode,
      name: merchantCode,
      currencies: [{ currencyCode: CURRENCY, depositFee: { fixed: FEE } }],
      settings: {
        allowInsecureCallbacks: true,
        callbackTimeoutSeconds,
        maxOpenDeposits: MANY,
        ...(expires && { depositExpireMinutes: 1, notifyDepositExpired: true }),
      },
    },
  });
  const { apiKey } = await operator.run<{ apiKey: string }>('IssueApiKey', {
    merchantId: merchant.id,
    reason: REASON,
  });
  return { id: merchant.id, code: merchantCode, apiKey, expires };
}

async function makeAccount(operator: OperatorClient, n: number): Promise<BankAccount> {
  const accountNo = `90000000${n}`;
  const { account } = await operator.run<{ account: { id: string } }>('CreateBankAccount', {
    reason: REASON,
    input: {
      name: `Chaos ${n}`,
      bankCode: 'KBANK',
      bankName: 'Kasikornbank',
      accountNo,
      accountHolder: 'Causeway',
      currencyCode: CURRENCY,
      limits: { maxOpenDeposits: MANY },
      ...(n % 2 === 0 && FLOAT),
    },
  });
  return { id: account.id, accountNo };
}
