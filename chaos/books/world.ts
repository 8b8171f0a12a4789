import { randomUUID } from 'node:crypto';
import postgres from 'postgres';
import { OperatorClient } from '../../local/operator-client';
import { loadSecrets } from '../../local/secrets';
import { Simulator } from '../../simulator/server';
import { Gateways } from '../gateways';
import type { Platform } from '../platform';
import { Receiver } from '../receiver';
import { MerchantHands, Person } from './hands';
import { Model } from './model';
import { coinsOf, CURRENCIES, type Currency, type FeeRule, plain, unitOf, whole } from './money';
import { OutsideAccount, Reporter } from './outside';

/** The zone of all accounts until the end: behind all others, so that their day can be ended by a move to the east. */
export const WEST = 'Etc/GMT+12';
/** Codes of banks: channels pay to the first, people to the second. */
export const BANKS = { channel: 'CHAN', hand: 'HAND' } as const;
/** What a channel charges for a payout, in units: every currency has them. */
export const COST = '1';
const MANY = 1_000_000;
/** Of a hundred payouts that the channels get: those that the first refuses, and those that fail. */
const FAULTS = { refuseRate: 0.3, failRate: 0.25, settleMs: 20, cost: COST };

/** A merchant and its settings. */
export interface MerchantSetting {
  readonly code: string;
  readonly fee: FeeRule;
  /** A fee on top of each withdrawal, in units. */
  readonly withdrawalFee: bigint;
  /** Its credits are held for a day. */
  readonly holds: boolean;
  /** The fee of a returned payout is returned too. */
  readonly returnsFee: boolean;
  /** Its orders expire after a minute, but a person's match still completes them. */
  readonly reopens: boolean;
}

const plainMerchant = { holds: false, returnsFee: false, reopens: false, withdrawalFee: 2n };
/** Four merchants, all different. */
const MERCHANTS: readonly MerchantSetting[] = [
  { ...plainMerchant, code: 'PLAIN', fee: { basisPoints: 150n, fixed: 0n }, returnsFee: true },
  { ...plainMerchant, code: 'FREE', fee: { basisPoints: 0n, fixed: 0n }, withdrawalFee: 0n },
  { ...plainMerchant, code: 'HELD', fee: { basisPoints: 225n, fixed: 1n }, holds: true },
  { ...plainMerchant, code: 'LATE', fee: { basisPoints: 0n, fixed: 2n }, reopens: true },
];

/** A merchant in the campaign. */
export interface Merchant extends MerchantSetting {
  readonly id: string;
  readonly hands: MerchantHands;
}

/** A channel with its upstream. */
export interface Upstream {
  readonly id: string;
  readonly code: string;
  readonly simulator: Simulator;
}

/** Everything that the campaign uses. */
export interface World {
  readonly model: Model;
  readonly merchants: readonly Merchant[];
  readonly accounts: readonly OutsideAccount[];
  readonly channels: readonly Upstream[];
  /** Two people with all permissions. */
  readonly people: readonly [Person, Person];
  readonly callbackUrl: string;
  readonly counts: ReadonlyMap<string, number>;
  readonly count: (what: string) => void;
  /** Money came to a channel, or left it, apart from its orders: part of the channel's own balance. */
  readonly moved: (channel: Upstream, currency: Currency, coins: bigint) => void;
  /** Our balance by a channel's own records: what it was given, less what it paid and its costs. */
  readonly atChannel: (channel: Upstream, currency: Currency) => bigint;
  readonly close: () => Promise<void>;
}

/** A second person with the permissions and the password of the first. */
async function addPerson(platform: Platform, first: string, second: string): Promise<void> {
  const sql = postgres(platform.databaseUrl, { max: 1 });
  await sql`
    with made as (
      insert into operators (id, login, password_hash, created_at)
      select ${randomUUID()}, ${second}, password_hash, created_at from operators where login = ${first} returning id)
    insert into operator_roles (operator_id, role)
    select made.id, r.role from made, operator_roles r join operators o on o.id = r.operator_id where o.login = ${first}`;
  await sql.end();
}

async function twoPeople(platform: Platform, folder: string, count: World['count']) {
  const { OPERATOR_LOGIN: login, OPERATOR_PASSWORD: password } = loadSecrets(folder, {});
  await addPerson(platform, login, 'second');
  const [first, second] = [login, 'second'].map(() => new OperatorClient(platform.graphqlUrl));
  if (!first || !second) throw new Error('there is no operator');
  await first.login(login, password);
  await second.login('second', password);
  return [new Person(first, count), new Person(second, count)] as const;
}

async function makeMerchant(person: Person, gateways: Gateways, setting: MerchantSetting): Promise<Merchant> {
  const percent = String(Number(setting.fee.basisPoints) / 100);
  const { merchant } = await person.decides<{ merchant: { id: string } }>('CreateMerchant', {
    input: {
      merchantCode: setting.code,
      name: setting.code,
      currencies: CURRENCIES.map((currencyCode) => ({
        currencyCode,
        depositFee: { percent, fixed: plain(setting.fee.fixed, currencyCode) },
        withdrawalFee: { fixed: String(setting.withdrawalFee) },
        cashierAmounts: { customMin: '1', customMax: '9999999' },
      })),
      settings: {
        canWithdraw: true,
        allowInsecureCallbacks: true,
        maxOpenDeposits: MANY,
        returnsPayoutFee: setting.returnsFee,
        holdDays: setting.holds ? 1 : 0,
        ...(setting.reopens && { latePayment: 'REOPEN', depositExpireMinutes: 1 }),
      },
    },
  });
  const { apiKey } = await person.decides<{ apiKey: string }>('IssueApiKey', {
    merchantId: merchant.id,
  });
  return { ...setting, id: merchant.id, hands: new MerchantHands(gateways, apiKey) };
}

const accountInput = (currencyCode: Currency, mode: 'REMARK' | 'FLOAT', accountNo: string) => ({
  name: `${currencyCode} ${mode}`,
  bankCode: 'BANK',
  bankName: 'Bank',
  accountNo,
  accountHolder: 'Causeway',
  currencyCode,
  mode,
  timeZone: WEST,
  limits: { maxOpenDeposits: MANY },
  ...(mode === 'FLOAT' && {
    float: { step: plain(1n, currencyCode), up: plain(50n, currencyCode), down: '0' },
  }),
});

async function makeAccounts(person: Person, gateways: Gateways, count: World['count']) {
  const made: { id: string; no: string; currency: Currency; mode: 'REMARK' | 'FLOAT' }[] = [];
  for (const currency of CURRENCIES)
    for (const mode of ['REMARK', 'FLOAT', 'REMARK'] as const) {
      const no = `70000000${made.length}`;
      const { account } = await person.decides<{ account: { id: string } }>('CreateBankAccount', {
        input: accountInput(currency, mode, no),
      });
      made.push({ id: account.id, no, currency, mode });
    }
  const agent = await person.decides<{ keyId: string; secret: string }>('CreateAgentKey', {
    input: { label: 'books', accountIds: made.map(({ id }) => id) },
  });
  const reporter = new Reporter(gateways, agent, count);
  return made.map(
    ({ id, no, currency, mode }) => new OutsideAccount(id, no, currency, mode, mode === 'FLOAT', reporter),
  );
}

async function makeChannel(person: Person, { gatewayUrls: [gateway = ''] }: Platform, n: number): Promise<Upstream> {
  const code = `channel-${n}`;
  const key = { keyId: 'books', secret: `of ${code} alone` };
  const simulator = new Simulator(key);
  const baseUrl = await simulator.listen();
  simulator.configure({
    faults: { ...FAULTS, ...(n > 1 && { refuseRate: 0 }) },
    webhookUrl: `${gateway}/channels/${code}/webhook`,
  });
  const { channel } = await person.decides<{ channel: { id: string } }>('CreateChannel', {
    input: {
      channelCode: code,
      kind: 'HTTP',
      settings: {
        name: code,
        currencies: CURRENCIES,
        timeoutSeconds: 5,
        priority: n,
        address: { baseUrl, ...key },
        banks: CURRENCIES.map((currencyCode) => ({
          currencyCode,
          bankCode: BANKS.channel,
          channelBankCode: '1',
        })),
        failureFinalDelaySeconds: 0,
        answerWithinSeconds: 60,
      },
    },
  });
  return { id: channel.id, code, simulator };
}

/** By the upstream's own records: what it paid and its costs, less what was returned. */
const paidBy = ({ simulator }: Upstream, currency: Currency): bigint =>
  simulator.payments
    .all()
    .filter((payment) => payment.currency === currency)
    .reduce((sum, { amount, paid, state }) => {
      const once = coinsOf(amount, currency);
      const each = once + whole(BigInt(COST), currency);
      return sum - BigInt(paid) * each + (state === 'returned' ? once : 0n);
    }, 0n);

/** Creates four merchants, accounts, an agent and two channels through the operators' GraphQL. */
export async function makeWorld(platform: Platform, folder: string): Promise<World> {
  const counts = new Map<string, number>();
  const count = (what: string): void => {
    counts.set(what, (counts.get(what) ?? 0) + 1);
  };
  const people = await twoPeople(platform, folder, count);
  const [person] = people;
  const gateways = new Gateways(platform.gatewayUrls);
  for (const currencyCode of CURRENCIES) {
    const banks = Object.values(BANKS).map((bankCode) => ({ bankCode, name: bankCode }));
    await person.decides('PutBanks', { currencyCode, banks });
    const autoApproveUpTo = plain(500n * unitOf(currencyCode), currencyCode);
    const rules = { autoApproveUpTo, newBeneficiary: false };
    await person.decides('PutReviewRules', { currencyCode, rules });
  }
  const merchants: Merchant[] = [];
  for (const setting of MERCHANTS) merchants.push(await makeMerchant(person, gateways, setting));
  const accounts = await makeAccounts(person, gateways, count);
  const channels = [await makeChannel(person, platform, 1), await makeChannel(person, platform, 2)];
  const receiver = await Receiver.listen(() => 'none');
  counts.clear();
  const moved = new Map<string, bigint>();
  const keyOf = ({ id }: Upstream, currency: Currency): string => `${id} ${currency}`;
  return {
    moved: (channel, currency, coins) => {
      const key = keyOf(channel, currency);
      moved.set(key, (moved.get(key) ?? 0n) + coins);
    },
    atChannel: (channel, currency) => paidBy(channel, currency) + (moved.get(keyOf(channel, currency)) ?? 0n),

    model: new Model(),
    merchants,
    accounts,
    channels,
    people,
    counts,
    count,
    callbackUrl: receiver.url,
    close: async () => {
      await Promise.allSettled([receiver.close(), gateways.close()]);
      await Promise.allSettled(channels.map(({ simulator }) => simulator.close()));
    },
  };
}
