import { randomUUID } from 'node:crypto';
import type { Lane } from './lane';
import { unitOf } from './money';
import { stray } from './scenes-deposits';

/** The bank charges an account, in one or two pieces. */
export async function charge(lane: Lane): Promise<void> {
  const [account, coins] = [lane.account(), lane.some()];
  const { id: debitId } = await account.move(-coins, { memo: 'monthly fee' });
  const first = lane.part(coins);
  for (const part of [first, coins - first].filter((piece) => piece > 0n))
    await lane.person.decides('PostBankCharge', { debitId, amount: lane.plain(part) });
  lane.world.model.add('BANK_COST', lane.currency, coins);
  lane.world.model.put('BANK', account.id, lane.currency, -coins);
}

/** Earned fees are withdrawn; never more than was earned. */
export async function profit(lane: Lane): Promise<void> {
  const coins = lane.earned / 2n;
  if (coins <= 0n) return;
  const account = lane.account();
  const { id: debitId } = await account.move(-coins, { memo: 'to the owners' });
  await lane.person.decides('TakeProfit', { debitId });
  lane.earn(-coins);
  lane.world.model.put('BANK', account.id, lane.currency, -coins);
}

type Posted = { readonly postings: readonly { readonly id: string; readonly kind: string }[] };

/** Our own money moves between accounts: both movements at once, or one after the other. */
export async function ownTransfer(lane: Lane): Promise<void> {
  const { model, people } = lane.world;
  const [from, to] = [lane.account(), lane.account('REMARK')];
  const coins = lane.odd();
  const { id: debitId } = await from.move(-coins, { memo: 'between our accounts' });
  const apart = lane.random.chance(0.5);
  const input = { debitId };
  const left = apart ? await people[0].decides<Posted>('MoveOwnMoney', { input }) : null;
  if (left) {
    model.put('BANK', from.id, lane.currency, -coins);
    model.add('IN_TRANSIT', lane.currency, coins);
  }
  const { id: transferId } = await to.move(coins, { memo: 'between our accounts' });
  lane.came(to, coins);
  const pairId = left?.postings[0]?.id;
  await people[1].decides('MoveOwnMoney', {
    input: pairId === undefined ? { debitId, transferId } : { transferId, pairId },
  });
  model.add('SUSPENSE', lane.currency, -coins);
  if (left) model.add('IN_TRANSIT', lane.currency, -coins);
  else model.put('BANK', from.id, lane.currency, -coins);
}

/** A channel is funded from an account, or pays what it has to one. */
export async function funding(lane: Lane): Promise<void> {
  const { model, channels } = lane.world;
  const [account, coins] = [lane.account('REMARK'), lane.odd()];
  const channel = lane.random.pick(channels as [(typeof channels)[0], ...typeof channels]);
  if (lane.random.chance(0.6)) {
    const { id: debitId } = await account.move(-coins, { memo: channel.code });
    await lane.person.decides('MoveOwnMoney', { input: { debitId, toChannelId: channel.id } });
    model.put('BANK', account.id, lane.currency, -coins);
    model.put('CHANNEL', channel.id, lane.currency, coins);
    lane.world.moved(channel, lane.currency, coins);
    return;
  }
  const { id: transferId } = await account.move(coins, { memo: channel.code });
  lane.came(account, coins);
  await lane.person.decides('MoveOwnMoney', { input: { transferId, fromChannelId: channel.id } });
  model.add('SUSPENSE', lane.currency, -coins);
  model.put('CHANNEL', channel.id, lane.currency, -coins);
  lane.world.moved(channel, lane.currency, -coins);
}

/** A channel charges beside its orders. */
export async function channelCharge(lane: Lane): Promise<void> {
  const { model, channels } = lane.world;
  const channel = lane.random.pick(channels as [(typeof channels)[0], ...typeof channels]);
  const [channelId, coins] = [channel.id, lane.some()];
  const amount = lane.plain(coins);
  await lane.person.decides('PostChannelCharge', {
    channelId,
    currencyCode: lane.currency,
    amount,
  });
  model.put('CHANNEL', channelId, lane.currency, -coins);
  model.add('CHANNEL_COST', lane.currency, coins);
  lane.world.moved(channel, lane.currency, -coins);
}

/** The bank's earlier records prove different from ours. */
export async function correction(lane: Lane): Promise<void> {
  const account = lane.account('REMARK');
  const coins = lane.some() * (lane.random.chance(0.5) ? 1n : -1n);
  account.findEarlier(coins);
  await lane.person.decides('CorrectBook', { accountId: account.id, amount: lane.plain(coins) });
  lane.world.model.put('BANK', account.id, lane.currency, coins);
  lane.world.model.add('EQUITY', lane.currency, coins);
}

/** A merchant prepays elsewhere. */
export async function topUp(lane: Lane, coins = lane.some()): Promise<void> {
  const about = { merchantId: lane.merchant.id, currencyCode: lane.currency };
  await lane.person.decides('TopUpBalance', { ...about, amount: lane.plain(coins) });
  lane.world.model.add('TREASURY', lane.currency, coins);
  lane.cell.gets(coins);
}

/** A balance is corrected, up or down; never below what it has. */
export async function adjust(lane: Lane): Promise<void> {
  const about = { merchantId: lane.merchant.id, currencyCode: lane.currency };
  const up = lane.cell.available === 0n || lane.random.chance(0.5);
  const coins = up ? lane.some() : -lane.part(lane.cell.available);
  await lane.person.decides('AdjustBalance', { ...about, amount: lane.plain(coins) });
  lane.world.model.add('ADJUSTMENT', lane.currency, coins);
  if (up) lane.cell.gets(coins);
  else lane.cell.available += coins;
}

/**
 * A payer's bank takes a deposit back, completely or in part, at most what came to one account; the debit is named, or
 * comes later.
 */
export async function recall(lane: Lane): Promise<void> {
  const deposit = lane.random.shuffle(lane.paid).find(({ recalled }) => !recalled);
  if (!deposit) return;
  const left = deposit.received - deposit.gone;
  if (left <= 0n) return;
  const { orderNo, came } = deposit;
  const named = lane.random.chance(0.5);
  const { account, coins: there } = named ? lane.random.pick(came) : came[0];
  const coins = lane.part(left < there ? left : there);
  const leave = async (): Promise<string> =>
    (await account.move(-coins, { memo: 'recalled', reference: randomUUID() })).id;
  const debitId = named ? await leave() : undefined;
  const amount = lane.plain(coins);
  await lane.person.decides('RecallDeposit', { orderNo, amount, debitId });
  deposit.recalled = true;
  const held = deposit.held > coins ? 0n : deposit.held;
  lane.cell.frozen -= held;
  lane.cell.gives(coins - held);
  lane.world.model.put('BANK', account.id, lane.currency, -coins);
  if (!named) await leave();
}

/** Interest, a charge and an unknown credit on one account at once: each is handled separately. */
export async function together(lane: Lane): Promise<void> {
  const [credit] = await Promise.all([stray(lane), charge(lane), funding(lane)]);
  await lane.person.decides('PostInterest', { transferId: credit.id });
  lane.world.model.add('SUSPENSE', lane.currency, -credit.rest);
  lane.world.model.add('BANK_COST', lane.currency, -credit.rest);
}

/** Opens the books of each account with its bank's balance. */
export async function openBooks(lane: Lane): Promise<void> {
  for (const account of lane.world.accounts.filter(({ currency }) => currency === lane.currency)) {
    const coins = 100_000n * unitOf(lane.currency) + lane.some();
    account.findEarlier(coins);
    const amount = lane.plain(coins);
    await lane.person.decides('OpenBook', { accountId: account.id, amount });
    lane.world.model.put('BANK', account.id, lane.currency, coins);
    lane.world.model.add('EQUITY', lane.currency, coins);
  }
}
