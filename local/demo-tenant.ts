import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { ensureBanks } from './demo-banks';
import { type DemoChannel, ensureChannels } from './demo-channels';
import { writeFileAtomically } from './files';
import { OperatorClient } from './operator-client';

/**
 * What a sandbox starts with: one merchant, three bank accounts, one agent that watches them, a bank directory, a
 * channel.
 */
export interface DemoTenant {
  readonly merchant: { readonly id: string; readonly code: string; readonly apiKey: string };
  readonly accounts: readonly DemoAccount[];
  /** Codes of the bank directory, by currency: valid targets of withdrawals. */
  readonly banks: Readonly<Record<string, readonly string[]>>;
  /** The channels that pay approved withdrawals. */
  readonly channels: readonly DemoChannel[];
  /** Signs bank notifications. */
  readonly agent: { readonly keyId: string; readonly secret: string };
}

/** A managed bank account of the sandbox. */
export interface DemoAccount {
  readonly id: string;
  readonly bankCode: string;
  readonly accountNo: string;
  readonly accountHolder: string;
  readonly currencyCode: string;
  readonly mode: string;
}

/** Where to create the tenant, and as which operator. */
export interface DemoTenantOptions {
  /** The internal listener's GraphQL address. */
  readonly graphUrl: string;
  readonly operator: { readonly login: string; readonly password: string };
  /** Secrets are shown once, so the tenant is stored here. */
  readonly dataDir: string;
}

const MERCHANT_CODE = 'DEMO';
/** The amounts in the demo's cashier, by currency. */
const CASHIER: Readonly<Record<string, CashierAmounts>> = {
  THB: { denominations: ['100', '200', '500', '1000'], customMin: '20', customMax: '50000' },
  BDT: { denominations: ['500', '1000', '2000', '5000'], customMin: '100', customMax: '100000' },
  VND: {
    denominations: ['50000', '100000', '200000', '500000'],
    customMin: '10000',
    customMax: '100000000',
  },
  INR: { denominations: ['100', '200', '500', '1000'], customMin: '20', customMax: '100000' },
  IDR: {
    denominations: ['50000', '100000', '200000', '500000'],
    customMin: '10000',
    customMax: '100000000',
  },
};
const CURRENCIES = Object.entries(CASHIER).map(([currencyCode, cashierAmounts]) => ({
  currencyCode,
  cashierAmounts,
}));
/** Where the payer's page leads at the end. */
const RETURN_URL = 'https://example.com/thank-you';
const REASON = 'demo tenant of the sandbox';
/** A sandbox's limits must not restrict a load. */
const MANY = 1_000_000;
const ACCOUNTS = [
  {
    name: 'Demo THB',
    bankCode: 'KBANK',
    bankName: 'Kasikornbank',
    bankBranch: 'Silom',
    accountNo: '0123456789',
    accountHolder: 'Causeway Demo Co., Ltd.',
    currencyCode: 'THB',
  },
  {
    name: 'Demo BDT',
    bankCode: 'BRAC',
    bankName: 'BRAC Bank',
    accountNo: '1501204567890001',
    accountHolder: 'Causeway Demo Ltd.',
    currencyCode: 'BDT',
  },
  {
    name: 'Demo INR',
    bankCode: 'HDFC',
    bankName: 'HDFC Bank',
    accountNo: '50100234567890',
    accountHolder: 'Causeway Demo Pvt. Ltd.',
    currencyCode: 'INR',
    mode: 'FLOAT',
    float: { step: '0.01', up: '2', down: '2' },
  },
];

/** The created thing: one person may create it if ONE_PERSON_CHANGES is on, as it is in a sandbox. */
function applied<Thing>(thing: Thing | null): Thing {
  if (thing !== null) return thing;
  throw new Error('The demo tenant waits for a second person: set ONE_PERSON_CHANGES=true for the first start.');
}

/** The tenant that an earlier start stored, complete or not at all. */
function remembered(file: string): DemoTenant | undefined {
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as DemoTenant) : undefined;
}

/** A merchant as the list shows it. */
interface DemoMerchant {
  readonly id: string;
  readonly merchantCode: string;
  readonly currencies: readonly {
    readonly currencyCode: string;
    readonly cashierAmounts: { readonly denominations: readonly string[] };
  }[];
}

/** What the demo's payers may choose in one currency. */
interface CashierAmounts {
  readonly denominations: readonly string[];
  readonly customMin: string;
  readonly customMax: string;
}

/** Sets the cashier's amounts, which older demo tenants lack. */
async function ensureCashier(operator: OperatorClient, there: DemoMerchant): Promise<void> {
  if (there.currencies.some(({ cashierAmounts }) => cashierAmounts.denominations.length > 0)) return;
  await operator.run('UpdateMerchant', {
    id: there.id,
    reason: REASON,
    settings: { cashierReturnUrl: RETURN_URL },
    currencies: CURRENCIES,
  });
}

/** The merchant with the demo's code, created if it is missing: an earlier set-up may have been killed. */
async function ensureMerchant(operator: OperatorClient): Promise<{ id: string }> {
  const { nodes } = await operator.run<{ nodes: DemoMerchant[] }>('Merchants', {
    filter: { merchantCode: MERCHANT_CODE },
  });
  const there = nodes.find((merchant) => merchant.merchantCode === MERCHANT_CODE);
  if (there) {
    await ensureCashier(operator, there);
    return there;
  }
  const { merchant } = await operator.run<{ merchant: { id: string } | null }>('CreateMerchant', {
    reason: REASON,
    input: {
      merchantCode: MERCHANT_CODE,
      name: 'Demo Merchant',
      currencies: CURRENCIES.map((currency) => ({ ...currency, depositFee: { percent: '1.5' } })),
      settings: {
        canWithdraw: true,
        allowInsecureCallbacks: true,
        maxOpenDeposits: MANY,
        maxOpenDepositsPerUser: MANY,
        cashierReturnUrl: RETURN_URL,
      },
    },
  });
  return applied(merchant);
}

async function createAccount(operator: OperatorClient, input: Record<string, unknown>): Promise<DemoAccount> {
  const { account } = await operator.run<{ account: DemoAccount | null }>('CreateBankAccount', {
    input,
    reason: REASON,
  });
  return applied(account);
}

async function ensureAccounts(operator: OperatorClient): Promise<DemoAccount[]> {
  const { nodes: there } = await operator.run<{ nodes: DemoAccount[] }>('BankAccounts', {
    first: 200,
  });
  const accounts: DemoAccount[] = [];
  for (const account of ACCOUNTS) {
    const { bankCode, accountNo } = account;
    const same = there.find((a) => a.bankCode === bankCode && a.accountNo === accountNo);
    const input = { ...account, limits: { maxOpenDeposits: MANY } };
    accounts.push(same ?? (await createAccount(operator, input)));
  }
  return accounts.map(({ id, bankCode, accountNo, accountHolder, currencyCode, mode }) => ({
    id,
    bankCode,
    accountNo,
    accountHolder,
    currencyCode,
    mode,
  }));
}

/**
 * Creates the demo tenant through the operators' GraphQL only, or returns the stored one. Safe to kill at any point:
 * existing things are reused, and unstored secrets are issued again.
 */
export async function provisionDemoTenant(options: DemoTenantOptions): Promise<DemoTenant> {
  const { graphUrl, operator: person, dataDir } = options;
  const operator = new OperatorClient(graphUrl);
  try {
    await operator.login(person.login, person.password);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new Error(
      `The operator ${person.login} cannot log in (${why}). If the database was set up from another folder, ` +
        `its secrets are in that folder's secrets.json: copy it to ${dataDir}, or set OPERATOR_LOGIN, ` +
        'OPERATOR_PASSWORD, CAUSEWAY_LOOKUP_KEY and CAUSEWAY_ENCRYPTION_KEY to the values that it was set up with.',
    );
  }
  const merchant = await ensureMerchant(operator);
  const banks = await ensureBanks(operator, REASON);
  const currencies = CURRENCIES.map(({ currencyCode }) => currencyCode);
  const channels = await ensureChannels(operator, currencies, REASON);

  const file = path.join(dataDir, 'demo-tenant.json');
  const known = remembered(file);
  if (known?.merchant.id === merchant.id && known.accounts.length === ACCOUNTS.length)
    return { ...known, banks, channels };

  const accounts = await ensureAccounts(operator);
  const { apiKey } = await operator.run<{ apiKey: string }>('IssueApiKey', {
    merchantId: merchant.id,
    reason: REASON,
  });
  const agent = await operator.run<{ secret: string; keyId: string }>('CreateAgentKey', {
    reason: REASON,
    input: { label: 'Demo agent', accountIds: accounts.map((account) => account.id) },
  });
  const tenant: DemoTenant = {
    merchant: { id: merchant.id, code: MERCHANT_CODE, apiKey },
    accounts,
    banks,
    channels,
    agent: { keyId: agent.keyId, secret: agent.secret },
  };
  writeFileAtomically(file, `${JSON.stringify(tenant, null, 2)}\n`);
  return tenant;
}
