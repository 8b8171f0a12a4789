import { randomBytes } from 'node:crypto';
import { uuidv7 } from 'uuidv7';
import { insertBankAccount } from '../../db/accounts/bank-accounts';
import { insertChannel } from '../../db/channels/channels';
import type { Database } from '../../db/client';
import { insertMerchant } from '../../db/merchants/merchants';
import { ensureOperator } from '../../db/operators/operators';
import { ZERO } from '../../domain/money';
import { NO_DAY_LIMITS } from '../../domain/received-limits';

/** The currency of all amounts, with two decimals. */
export const CURRENCY = 'THB';

/** The ids of what all merchants share: two operators, an account that receives and pays, a channel. */
export interface Fixture {
  readonly maker: string;
  readonly checker: string;
  readonly accountId: string;
  readonly channelId: string;
  readonly channelCode: string;
}

const unique = (): string => randomBytes(8).toString('hex');

async function operator(database: Database): Promise<string> {
  const id = uuidv7();
  const login = `chaos-${unique()}`;
  // Nobody logs in with it.
  await ensureOperator(database, {
    id,
    login,
    passwordHash: 'none',
    roles: [],
    createdAt: new Date(),
  });
  return id;
}

/** Creates the data that merchants share. */
export async function makeFixture(database: Database): Promise<Fixture> {
  const [maker, checker] = [await operator(database), await operator(database)];
  const [accountId, channelId, now] = [uuidv7(), uuidv7(), new Date()];
  const channelCode = `chaos-${unique()}`;
  const limits = {
    minAmount: null,
    maxAmount: null,
    maxDailyAmount: null,
    maxMonthlyAmount: null,
    maxDailyCount: null,
    maxMonthlyCount: null,
    maxBalance: null,
    maxOpenDeposits: 1_000,
    silentMinutes: null,
    silentSince: null,
  };
  await database.transaction(async (tx) => {
    await insertBankAccount(tx, {
      ...limits,
      id: accountId,
      name: 'chaos',
      bankCode: 'BANK',
      bankName: 'Bank',
      bankBranch: null,
      accountNo: unique(),
      accountHolder: 'Causeway',
      currencyCode: CURRENCY,
      mode: 'REMARK',
      status: 'ACTIVE',
      statusReason: null,
      float: null,
      timeZone: 'UTC',
      balanceRequired: false,
      createdAt: now,
      updatedAt: now,
    });
    await insertChannel(
      tx,
      {
        id: channelId,
        channelCode,
        kind: 'MOCK',
        name: 'chaos',

        mapped: false,
        mockOutcome: 'PENDING',
        currencies: [CURRENCY],
        minAmount: null,
        maxAmount: null,
        lowBalance: null,
        timeZone: 'UTC',
        priority: 0,
        weight: 1,
        baseUrl: null,
        keyId: null,
        sealedSecret: null,
        timeoutSeconds: 10,
        cost: { percent: ZERO, fixed: ZERO },
        failureFinalDelaySeconds: 0,
        answerWithinSeconds: 60,
        confirmRefusals: false,
        depositCurrencies: [],
        depositMin: null,
        depositMax: null,
        depositsFirst: false,
        depositLimits: NO_DAY_LIMITS,
        depositCost: { percent: ZERO, fixed: ZERO },
        walletKind: null,
        acceptsContact: false,
        contactMobile: null,
        contactEmail: null,
        boundAccountId: null,
        mockOpening: null,
        mockAmounts: null,
        breakerPercent: null,
        breakerFailures: null,
        breakerOrders: 10,
        breakerMinutes: 10,
        breakerPause: 60,
      },
      now,
    );
  });
  return { maker, checker, accountId, channelId, channelCode };
}

/** A merchant without money. @param holdDays how long it waits for its credits. @returns its id */
export async function newMerchant(database: Database, holdDays: number): Promise<string> {
  const [id, now] = [uuidv7(), new Date()];
  await database.transaction(async (tx) => {
    await insertMerchant(
      tx,
      {
        id,
        merchantCode: `C${unique()}`,
        name: 'one of many',
        createdAt: now,
        updatedAt: now,
        enabled: true,
        canDeposit: true,
        canWithdraw: true,
        depositExpireMinutes: 60,
        callbackTimeoutSeconds: 10,
        defaultCallbackUrl: null,
        callbackHosts: null,
        allowInsecureCallbacks: false,
        notifyDepositExpired: false,
        notifyDepositCancelled: false,
        maxOpenDeposits: 1_000,
        maxOpenDepositsPerUser: 1_000,
        cashierSessionExpireMinutes: 60,
        cashierName: null,
        cashierLogoUrl: null,
        cashierColour: null,
        cashierReturnUrl: null,
        holdDays,
        timeZone: 'UTC',
        webhookSslVerify: true,
        notifyDepositMatched: false,
        hideCosts: false,
        allowedAddresses: null,
        latePayment: 'OFF',
        returnsPayoutFee: false,
      },
      [
        {
          currencyCode: CURRENCY,
          enabled: true,
          depositFee: null,
          withdrawalFee: null,

          pool: null,
          depositLimits: null,
          withdrawalLimits: null,
          cashierAmounts: null,
          prepaid: null,
          balanceId: uuidv7(),
        },
      ],
    );
  });
  return id;
}
