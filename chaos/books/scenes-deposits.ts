import type { Lane, Order } from './lane';
import { end, keep } from './waiting';

/** A deposit is paid as promised; its agent may report the payment several times. */
export async function deposit(lane: Lane): Promise<void> {
  await lane.pay(await lane.order(), lane.random.pick([1, 1, 1, 2, 5]));
}

/** Several at once. */
export async function deposits(lane: Lane): Promise<void> {
  const orders = await Promise.all([1, 2, 3].map(async () => await lane.order()));
  // If credits are held, one by one: it must be known which of them covers what the merchant owes.
  if (!lane.merchant.holds) await Promise.all(orders.map(async (order) => await lane.pay(order)));
  else for (const order of orders) await lane.pay(order);
}

/**
 * Too much or too little money comes: a person matches it, or the order is cancelled and the money is handled
 * otherwise.
 */
export async function otherAmount(lane: Lane): Promise<void> {
  const order = await lane.remarkOrder();
  const coins = order.coins + BigInt(lane.random.pick([-3, -1, 1, 7]));
  const credit = await paysOther(lane, order, coins);
  if (lane.random.chance(0.6)) {
    await lane.person.decides('MatchTransfer', { transferId: credit.id, orderNo: order.orderNo });
    credit.rest = 0n;
    await lane.credited(order, coins);
    return;
  }
  await lane.person.decides('CancelDeposit', { orderNo: order.orderNo, evidence: undefined });
  await end(lane, credit, order.orderNo);
}

async function paysOther(lane: Lane, order: Order, coins: bigint) {
  const { id, matched } = await order.account.move(coins, { memo: `for ${order.remark}` });
  if (matched) throw new Error(`${order.orderNo} was matched to a credit of ${coins}`);
  lane.came(order.account, coins);
  return { id, account: order.account, coins, rest: coins };
}

/** Money and a cancel at the same time. Whichever comes first: the money is credited, or it waits. */
export async function cancelRace(lane: Lane): Promise<void> {
  const order = await lane.order();
  const memo = order.remark === '' ? '' : `for ${order.remark}`;
  const [reported] = await Promise.all([
    order.account.move(order.coins, { memo, times: lane.random.pick([1, 3]) }),
    lane.person.decides('CancelDeposit', { orderNo: order.orderNo, evidence: undefined }).catch((error: unknown) => {
      if (!(error as Error).message.includes('final state')) throw error;
    }),
  ]);
  lane.came(order.account, order.coins);
  if ((await lane.reaches(order.orderNo, 'completed', 'cancelled')) === 'completed') {
    await lane.credited(order, order.coins);
    return;
  }
  const { account, coins } = order;
  await end(lane, { id: reported.id, account, coins, rest: coins }, order.orderNo);
}

/**
 * An order is left to expire; money that comes then is credited late, or completes the order if the merchant's settings
 * allow it.
 */
export async function late(lane: Lane): Promise<void> {
  if (!lane.merchant.reopens) {
    await deposit(lane);
    return;
  }
  const [oldest] = lane.left;
  if (!oldest || Date.now() - oldest.at < 75_000) {
    if (lane.left.length < 3) lane.left.push(await lane.remarkOrder());
    return;
  }
  lane.left.shift();
  await lane.reaches(oldest.orderNo, 'expired');
  const { id, matched } = await oldest.account.move(oldest.coins, { memo: `for ${oldest.remark}` });
  if (matched) throw new Error(`money was matched by itself to ${oldest.orderNo}, which had expired`);
  lane.came(oldest.account, oldest.coins);
  const { account, coins, orderNo } = oldest;
  if (lane.random.chance(0.5)) {
    await end(lane, { id, account, coins, rest: coins }, orderNo);
    return;
  }
  await lane.person.decides('MatchTransfer', { transferId: id, orderNo });
  await lane.credited(oldest, coins);
}

/** Several credits pay one order together, exactly or not. */
export async function combine(lane: Lane): Promise<void> {
  const order = await lane.order();
  const first = 1n + order.coins / 3n;
  const amounts = [first, order.coins - first + BigInt(lane.random.pick([0, 0, 2]))];
  const [one, other] = [lane.account('REMARK'), lane.account('REMARK')];
  const ids: string[] = [];
  for (const [n, coins] of amounts.entries()) {
    const account = n === 0 ? one : other;
    const { id } = await account.move(coins, { memo: 'a part' });
    lane.came(account, coins);
    ids.push(id);
  }
  await lane.person.decides('CombineTransfers', { transferIds: ids, orderNo: order.orderNo });
  const received = amounts.reduce((sum, coins) => sum + coins, 0n);
  // The second part is twice the first.
  const came =
    one === other
      ? ([{ account: one, coins: received }] as const)
      : ([
          { account: other, coins: received - first },
          { account: one, coins: first },
        ] as const);
  await lane.credited(order, received, came);
}

/** One credit pays two orders; the rest is handled otherwise. */
export async function split(lane: Lane): Promise<void> {
  const orders = [await lane.order(), await lane.order()];
  const sum = orders.reduce((all, { coins }) => all + coins, 0n);
  const credit = await stray(lane, sum + BigInt(lane.random.pick([0, 500])));
  await lane.person.decides('SplitTransfer', {
    transferId: credit.id,
    parts: orders.map(({ orderNo, coins }) => ({ orderNo, amount: lane.plain(coins) })),
  });
  credit.rest -= sum;
  const { account } = credit;
  for (const order of orders) await lane.credited(order, order.coins, [{ account, coins: order.coins }]);
  if (credit.rest > 0n) await end(lane, credit);
}

/** Money comes that names no order. */
export async function stray(lane: Lane, coins = lane.odd()) {
  const account = lane.account('REMARK');
  const { id, matched } = await account.move(coins, { memo: 'thank you' });
  if (matched) throw new Error(`money that names no order was matched: ${id}`);
  lane.came(account, coins);
  return { id, account, coins, rest: coins };
}

/** It is resolved in one of many ways, now or later. */
export async function unknown(lane: Lane): Promise<void> {
  const credit = await stray(lane);
  if (lane.random.chance(0.2)) keep(lane, credit);
  else await end(lane, credit);
}

/** Resolves what was left for later. */
export async function later(lane: Lane): Promise<void> {
  const credit = lane.credits.shift();
  if (credit) await end(lane, credit);
  else await unknown(lane);
}

/** Two equal reports: of one credit, or of two. */
export async function nameless(lane: Lane): Promise<void> {
  const [account, coins] = [lane.account('REMARK'), lane.odd()];
  const first = await account.move(coins, { memo: 'cash', nameless: true });
  lane.came(account, coins);
  const isOne = lane.random.chance(0.5);
  const again = { again: first.movement };
  const second = await account.move(coins, { memo: 'cash', nameless: true, ...again });
  if (second.id === first.id) throw new Error(`an equal report was taken for a repetition: ${first.id}`);
  lane.came(account, coins);
  const credits = [first, second].map(({ id }) => ({ id, account, coins, rest: coins }));
  if (isOne) {
    await lane.person.decides('DismissDuplicate', { transferId: second.id, sameAs: first.id });
    lane.world.model.put('BANK', account.id, lane.currency, -coins);
    lane.world.model.add('SUSPENSE', lane.currency, -coins);
    credits.pop();
  } else account.cameTwice(first.movement);
  for (const credit of credits) await end(lane, credit);
}
