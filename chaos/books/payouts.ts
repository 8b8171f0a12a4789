import { randomUUID } from 'node:crypto';
import type { Payment } from '../../simulator/payments';
import { eventually } from './hands';
import type { Lane } from './lane';
import { type Currency, whole } from './money';
import type { OutsideAccount } from './outside';
import { BANKS, COST, type Upstream } from './world';

interface Withdrawal {
  readonly orderNo: string;
  readonly coins: bigint;
  readonly fee: bigint;
}

const BENEFICIARY = '44440001';
/** A withdrawal in the contract's form, after it was created. */
const text = (value: unknown): string => (typeof value === 'string' ? value : '');
const costIn = (currency: Currency): bigint => whole(BigInt(COST), currency);

/** The merchant does not have more than this. */
const affordable = (lane: Lane, fee: bigint): bigint => {
  const most = lane.cell.available - fee;
  const wanted = lane.some();
  return wanted < most ? wanted : most;
};

/** A merchant requests a withdrawal. @returns null if it has not enough */
async function ask(lane: Lane, bank: string, coins: bigint): Promise<Withdrawal | null> {
  const { merchant, currency } = lane;
  const fee = whole(merchant.withdrawalFee, currency);
  const number = randomUUID();
  const answer = await merchant.hands.ask('POST', '/orders/withdrawal', {
    merchant_order_no: number,
    amount: lane.plain(coins),
    currency_code: currency,
    beneficiary_name: 'Somchai',
    beneficiary_account: BENEFICIARY,
    beneficiary_bank_code: bank,
  });
  lane.world.count('asked for a withdrawal');
  if (answer.status === 400) return null;
  const query = `/query/withdrawal?merchant_order_no=${number}`;
  const { data } = await merchant.hands.ask('GET', query, { merchant_order_no: number });
  const orderNo = text(data?.['order_no']);
  if (orderNo === '') throw new Error(`a withdrawal was answered ${JSON.stringify(answer)}`);
  return { orderNo, coins, fee };
}

/** The platform freezes what the merchant has. */
async function askWithin(lane: Lane, bank: string): Promise<Withdrawal | null> {
  const fee = whole(lane.merchant.withdrawalFee, lane.currency);
  const coins = affordable(lane, fee);
  if (coins <= 0n) return null;
  const asked = await ask(lane, bank, coins);
  if (!asked) throw new Error(`${coins} of ${String(lane.cell)} were refused`);
  lane.cell.freezes(coins + fee);
  return asked;
}

/** A person decides if one has to. @returns whether it is to be paid */
async function decided(lane: Lane, { orderNo, coins, fee }: Withdrawal): Promise<boolean> {
  if ((await lane.look(orderNo)).status !== 'pending') return true;
  if (lane.random.chance(0.85)) {
    await lane.person.takes('ApproveWithdrawal', { orderNo, remarks: 'seen' });
    return true;
  }
  await lane.person.takes('RejectWithdrawal', { orderNo, remarks: 'not now' });
  await lane.reaches(orderNo, 'rejected');
  release(lane, coins + fee);
  return false;
}

function release(lane: Lane, coins: bigint): void {
  lane.cell.frozen -= coins;
  lane.cell.gets(coins);
}

/** The model: it was paid from an account. */
function paidFrom(lane: Lane, account: OutsideAccount, { coins, fee }: Withdrawal): void {
  lane.cell.frozen -= coins + fee;
  lane.earn(fee);
  lane.world.model.put('BANK', account.id, lane.currency, -coins);
}

/** A person pays it; sometimes two try at once. */
async function payByHand(lane: Lane, asked: Withdrawal): Promise<void> {
  const { orderNo, coins, fee } = asked;
  await eventually(`the task of ${orderNo}`, async () =>
    (await lane.look(orderNo)).method === 'manual' ? true : null,
  );
  if (lane.random.chance(0.1)) {
    await lane.person.takes('CancelTransfer', { orderNo, reason: 'not needed' });
    await lane.reaches(orderNo, 'cancelled');
    release(lane, coins + fee);
    return;
  }
  const account = lane.account();
  const claims = await Promise.allSettled(
    lane.world.people.map(async (person) => {
      await person.takes('ClaimTransfer', { orderNo, accountId: account.id });
      return person;
    }),
  );
  const [holder, ...others] = claims.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
  if (!holder || others.length > 0) throw new Error(`${orderNo} was claimed ${others.length + 1} times`);
  await holder.takes('BeginTransfer', { orderNo });
  const reference = randomUUID();
  const leave = async (): Promise<void> => {
    await account.move(-coins, { reference, payee: BENEFICIARY, memo: `payout ${orderNo}` });
  };
  const isReportedFirst = lane.random.chance(0.5);
  if (isReportedFirst) await leave();
  const completions = await Promise.allSettled(
    [1, 2].map(async () => {
      await holder.takes('CompleteTransfer', { orderNo, bankReference: reference });
    }),
  );
  if (completions.filter(({ status }) => status === 'fulfilled').length !== 1)
    throw new Error(`two completions of ${orderNo}: both or none succeeded`);
  if (!isReportedFirst) await leave();
  paidFrom(lane, account, asked);
  await lane.reaches(orderNo, 'completed');
  if (lane.random.chance(0.25)) await comesBack(lane, asked, account);
}

/** The bank returns a manual payout. */
async function comesBack(lane: Lane, paid: Withdrawal, account: OutsideAccount): Promise<void> {
  if (account.mode === 'FLOAT') return;
  const { orderNo, coins } = paid;
  const { id } = await account.move(coins, { memo: 'account closed' });
  lane.came(account, coins);
  await lane.person.decides('ReturnPayout', { transferId: id, orderNo });
  lane.world.model.add('SUSPENSE', lane.currency, -coins);
  const fee = lane.merchant.returnsFee ? paid.fee : 0n;
  lane.earn(-fee);
  lane.cell.gets(coins + fee);
}

/** A withdrawal that a person pays. */
export async function byHand(lane: Lane): Promise<void> {
  const asked = await askWithin(lane, BANKS.hand);
  if (asked && (await decided(lane, asked))) await payByHand(lane, asked);
}

interface Asked {
  readonly channel: Upstream;
  readonly payment: Payment;
}

/** The channels' payouts of a withdrawal. */
const requestsFor = (lane: Lane, orderNo: string): Asked[] =>
  lane.world.channels.flatMap((channel) =>
    channel.simulator.payments
      .all()
      .filter(({ reference }) => reference.startsWith(orderNo))
      .map((payment) => ({ channel, payment })),
  );

/** The model: a channel paid it, at its cost. */
function channelPaid(lane: Lane, { channel }: Asked, coins: bigint): void {
  const { model } = lane.world;
  const cost = costIn(lane.currency);
  model.put('CHANNEL', channel.id, lane.currency, -coins - cost);
  model.add('CHANNEL_COST', lane.currency, cost);
}

/** A withdrawal that channels pay, refuse, fail, pay too late or twice, or that is returned. */
export async function byChannel(lane: Lane): Promise<void> {
  const asked = await askWithin(lane, BANKS.channel);
  if (!asked || !(await decided(lane, asked))) return;
  const { orderNo, coins, fee } = asked;
  const status = await lane.reaches(orderNo, 'completed', 'failed');
  const requests = requestsFor(lane, orderNo);
  const of = (state: Payment['state']): Asked | undefined => requests.find(({ payment }) => payment.state === state);
  const { model } = lane.world;
  if (status === 'failed') {
    release(lane, coins + fee);
    await lane.agrees();
    const failed = of('failed');
    if (!failed || lane.random.chance(0.5)) return;
    failed.channel.simulator.payAfterAll(failed.payment);
    lane.world.count('paid a failed payout after all');
    lane.cell.gives(coins + fee);
    lane.earn(fee);
    channelPaid(lane, failed, coins);
    return;
  }
  const paid = of('completed');
  if (!paid) throw new Error(`${orderNo} is completed, and no channel paid it`);
  lane.cell.frozen -= coins + fee;
  lane.earn(fee);
  channelPaid(lane, paid, coins);
  const refused = of('refused');
  if (refused && lane.random.chance(0.6)) {
    refused.channel.simulator.payAfterAll(refused.payment);
    lane.world.count('paid what another channel had paid');
    channelPaid(lane, refused, coins);
    model.add('CHANNEL_CLAIM', lane.currency, coins);
    await claim(lane, refused.channel, coins);
  } else if (lane.random.chance(0.2)) {
    await lane.agrees();
    paid.channel.simulator.giveBack(paid.payment);
    lane.world.count('gave a payout back');
    model.put('CHANNEL', paid.channel.id, lane.currency, coins);
    lane.cell.gets(coins);
  }
}

/** What a channel overpaid is paid back there or through a bank, or written off. */
async function claim(lane: Lane, channel: Upstream, coins: bigint): Promise<void> {
  const { model } = lane.world;
  const channelId = channel.id;
  const about = { channelId, currencyCode: lane.currency, amount: lane.plain(coins) };
  const attempt = async (work: () => Promise<unknown>): Promise<void> => {
    // Before the channel was queried, it owes nothing.
    await eventually('the claim', async () => {
      try {
        await work();
        return true;
      } catch (error) {
        if (!(error as Error).message.includes('less is left')) throw error;
        return null;
      }
    });
  };
  const way = lane.random.int(1, 3);
  if (way === 1) {
    await attempt(async () => await lane.person.decides('SettleChannelClaim', about));
    model.put('CHANNEL', channelId, lane.currency, coins);
    lane.world.moved(channel, lane.currency, coins);
  } else if (way === 2) {
    const account = lane.account('REMARK');
    const { id: transferId } = await account.move(coins, { memo: 'from the channel' });
    lane.came(account, coins);
    await attempt(async () => await lane.person.decides('SettleChannelClaim', { ...about, transferId }));
    model.add('SUSPENSE', lane.currency, -coins);
  } else {
    await attempt(async () => await lane.person.decides('WriteOffChannelClaim', about));
    model.add('LOSS', lane.currency, coins);
  }
  model.add('CHANNEL_CLAIM', lane.currency, -coins);
}

/** Several concurrent withdrawals from one balance: as many are accepted as it covers. */
export async function burst(lane: Lane): Promise<void> {
  const fee = whole(lane.merchant.withdrawalFee, lane.currency);
  const coins = lane.cell.available / 3n - fee;
  if (coins <= 0n) return;
  const asked = await Promise.all(Array.from({ length: 5 }, async () => await ask(lane, BANKS.hand, coins)));
  const taken = asked.filter((one) => one !== null);
  const covered = lane.cell.available / (coins + fee);
  if (BigInt(taken.length) !== (covered < 5n ? covered : 5n))
    throw new Error(`${taken.length} of 5 withdrawals of ${coins} from ${String(lane.cell)}`);
  lane.cell.freezes(BigInt(taken.length) * (coins + fee));
  for (const one of taken) if (await decided(lane, one)) await payByHand(lane, one);
}

/** A settlement to the merchant's own account. */
export async function settlement(lane: Lane): Promise<void> {
  const coins = affordable(lane, 0n);
  if (coins <= 0n) return;
  lane.settlementAccount ??= (
    await lane.person.decides<{ account: { id: string } }>('CreateSettlementAccount', {
      input: {
        merchantId: lane.merchant.id,
        currencyCode: lane.currency,
        bankCode: BANKS.hand,
        accountNo: BENEFICIARY,
        accountHolder: lane.merchant.code,
      },
    })
  ).account.id;
  const { orderNo } = await lane.person.takes<{ orderNo: string }>('ProposeSettlement', {
    input: {
      settlementAccountId: lane.settlementAccount,
      amount: lane.plain(coins),
      reference: randomUUID(),
    },
    reason: 'weekly',
  });
  lane.cell.freezes(coins);
  await settle(lane, { orderNo, coins, fee: 0n });
}

async function settle(lane: Lane, asked: Withdrawal): Promise<void> {
  await lane.person.takes('ApproveWithdrawal', { orderNo: asked.orderNo, remarks: 'seen' });
  await payByHand(lane, asked);
}
