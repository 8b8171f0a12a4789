import { randomBytes, randomInt } from 'node:crypto';
import { uuidv7 } from 'uuidv7';
import { planDeposit } from '../../domain/channel-deposit';
import { businessError, CatalogueError } from '../../domain/errors';
import { orderNo } from '../../domain/ids';
import { formatMoney, type Money, ZERO } from '../../domain/money';
import { newRemark } from '../../domain/remark';
import { isInPool, planRoute, type RoutingRefusal } from '../../domain/routing';
import type { BankAccountRow, RoutableAccountRow } from '../../db/accounts/bank-accounts';
import type { ChannelRow } from '../../db/channels/channels';
import type { DepositChannelRow } from '../../db/deposits/channel-deposits';
import type {
  Acceptance,
  DepositView,
  NewDeposit,
  OpenDepositsScope,
  OrderToAccept,
} from '../../db/deposits/deposits';
import type { MerchantWithCurrencies } from '../../db/merchants/merchants';
import { brokenConstraint } from '../../db/refusals';
import { failpoint } from '../../runtime/failpoints';
import type { GraphContext } from '../context';
import { type DepositPrice, type DepositPrices, quoteDeposit } from '../fees/price';

/** How an order is written. */
export interface OrderWriter {
  /**
   * Commits the order on this account with all that must not be lost, or says why the account does not take it. Without
   * an account it is a channel's.
   * @throws the refusal that applies on any account
   */
  readonly commit: (deposit: NewDeposit, account: BankAccountRow | null) => Promise<Acceptance>;
  /** Maps a refusal for the caller; another check may take precedence. */
  readonly refusal: (error: CatalogueError) => Promise<CatalogueError>;
}

/** The number is another order's. */
export const numberTaken = (): CatalogueError =>
  new CatalogueError('CONFLICT', 'merchant_order_no is already used');

/** The fee is to be held, and the available balance is less. */
const insufficient = (): CatalogueError =>
  new CatalogueError(
    'INSUFFICIENT_MERCHANT_BALANCE',
    'the available balance does not cover the fee of the deposit',
  );

/** The accounts that do not take it, and why, in the order in which that was found. */
type Refusals = Map<string, RoutingRefusal>;

/** A remark collides once in billions. */
const REMARK_TRIES = 3;
/** As many accounts as the note of a choice names. */
const NOTED_ACCOUNTS = 20;

/** The pool whose accounts take it; null: the default one of its currency. */
const poolOf = (
  { currencies }: MerchantWithCurrencies,
  { currencyCode }: OrderToAccept,
): string | null => currencies.find((c) => c.currencyCode === currencyCode)?.poolId ?? null;

/** What is found anew in a fresh read: a remembered account may have changed, or have been put into a pool. */
const FOUND_AFRESH: ReadonlySet<RoutingRefusal | undefined> = new Set([
  'ACCOUNT_CHANGED',
  'NOT_IN_POOL',
]);

/** The merchant and user with which this order is counted, and their caps. */
const capsOn = (
  merchant: MerchantWithCurrencies,
  { userId }: OrderToAccept,
): { scope: OpenDepositsScope; cap: number }[] => [
  { scope: { of: 'merchant', merchantId: merchant.id }, cap: merchant.maxOpenDeposits },
  ...(userId
    ? [
        {
          scope: { of: 'user', merchantId: merchant.id, userId } as const,
          cap: merchant.maxOpenDepositsPerUser,
        },
      ]
    : []),
];

/** A choice as recorded in events and logs. */
const noted = (refused: Refusals): { account: string; reason: RoutingRefusal }[] =>
  [...refused].slice(0, NOTED_ACCOUNTS).map(([account, reason]) => ({ account, reason }));

const present = (pairs: Readonly<Record<string, string | null>>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(pairs).filter((pair): pair is [string, string] => pair[1] !== null),
  );

/** The last four characters, by code points. */
export const lastFour = (text: string | null): string | null =>
  text === null ? null : Array.from(text).slice(-4).join('');

/** Where an order goes: to an account, on which a channel may report, or to a channel alone. */
type Way =
  | { readonly account: RoutableAccountRow }
  | { readonly account: null; readonly channel: ChannelRow; readonly id: string };

/** The order's row, with a snapshot of what the payer is shown. */
function newDeposit(
  { now, traceId, changes }: GraphContext,
  merchant: MerchantWithCurrencies,
  order: OrderToAccept,
  price: DepositPrice,
  way: Way,
  refused: Refusals,
): NewDeposit {
  const { account } = way;
  const remark = account?.mode === 'REMARK' ? newRemark(randomBytes(32)) : null;
  return {
    ...order,
    id: account ? uuidv7() : way.id,
    orderNo: orderNo('D', now, randomBytes(12)),
    merchantId: merchant.id,
    cashierSessionId: null,
    accountId: account?.id ?? null,
    channelId: account ? account.boundChannelId : way.channel.id,
    ...{ channelOrderNo: null, paymentUrl: null, paymentInfo: null },
    ...{ estimatedChannelCost: null, actualChannelCost: null },
    requestedAmount: order.amount,
    ...price,
    ...{ feeCaptured: null, feeReleasedAt: null },
    actualAmount: ZERO,
    expectedRemark: remark,
    quotaDay: null,
    traceId,
    status: 'PENDING',
    expireAt: new Date(now.getTime() + merchant.depositExpireMinutes * 60_000),
    matchedAt: null,
    completedAt: null,
    payerAccountLast4: lastFour(order.payerAccountNo),
    paymentSnapshot: present({
      ...(account && {
        bank_code: account.bankCode,
        bank_name: account.bankName,
        bank_branch: account.bankBranch,
        account_no: account.accountNo,
        account_holder: account.accountHolder,
      }),
      currency_code: order.currencyCode,
      remark,
      amount: formatMoney(order.amount),
    }),
    routing: account
      ? { account: account.id, refused: noted(refused) }
      : { channel: way.channel.id, refused: noted(refused) },
    ...(changes.floatHistoryDays && { floatHistoryDays: changes.floatHistoryDays }),
    createdAt: now,
    updatedAt: now,
  };
}

/** @param amount as assigned by the account */
const viewOf = (
  { routing: _routing, floatHistoryDays: _days, ...deposit }: NewDeposit,
  amount: Money,
): DepositView => ({
  ...deposit,
  amount,
  paymentSnapshot: { ...deposit.paymentSnapshot, amount: formatMoney(amount) },
  callbackStatus: null,
  callbackCount: 0,
});

async function committed(
  deposit: NewDeposit,
  account: RoutableAccountRow | null,
  { commit }: OrderWriter,
): Promise<Acceptance> {
  await failpoint('deposit.committing', deposit.merchantOrderNo);
  return await commit(deposit, account);
}

/** Accepts the order on this account. @returns undefined, and why in `refused`, if the account does not take it */
async function acceptOn(
  context: GraphContext,
  merchant: MerchantWithCurrencies,
  order: OrderToAccept,
  prices: DepositPrices,
  account: RoutableAccountRow,
  refused: Refusals,
  writer: OrderWriter,
): Promise<DepositView | undefined> {
  const { openDeposits } = context;
  if (!isInPool(account.poolIds, poolOf(merchant, order))) {
    refused.set(account.id, 'NOT_IN_POOL');
    return undefined;
  }
  const scope = { of: 'account', accountId: account.id } as const;
  if (await openDeposits.isFull(scope, account.maxOpenDeposits)) {
    refused.set(account.id, 'TOO_MANY_OPEN');
    return undefined;
  }
  const { boundChannelId: id } = account;
  // No wallet reports on an account.
  const price = prices(id === null ? null : { id, walletKind: null });
  if (price instanceof CatalogueError) throw await writer.refusal(price);
  for (let tries = 1; ; tries++) {
    const deposit = newDeposit(context, merchant, order, price, { account }, refused);
    try {
      const acceptance = await committed(deposit, account, writer);
      if (acceptance.outcome === 'ACCEPTED') {
        for (const counted of [scope, ...capsOn(merchant, order).map((cap) => cap.scope)])
          openDeposits.accepted(counted);
        return viewOf(deposit, acceptance.amount);
      }
      if (acceptance.outcome === 'NUMBER_TAKEN') throw numberTaken();
      if (acceptance.outcome === 'INSUFFICIENT') throw await writer.refusal(insufficient());
      refused.set(account.id, acceptance.outcome);
      return undefined;
    } catch (error) {
      if (brokenConstraint(error) !== 'deposit_orders_remark' || tries === REMARK_TRIES)
        throw error;
    }
  }
}

/** Accepts the order for a channel: its workflow has the channel, or the next one, take it. */
async function acceptAtChannel(
  context: GraphContext,
  merchant: MerchantWithCurrencies,
  order: OrderToAccept,
  prices: DepositPrices,
  way: Extract<Way, { readonly account: null }>,
  refused: Refusals,
  writer: OrderWriter,
): Promise<DepositView> {
  const price = prices(way.channel);
  if (price instanceof CatalogueError) throw await writer.refusal(price);
  const deposit = newDeposit(context, merchant, order, price, way, refused);
  const acceptance = await committed(deposit, null, writer);
  if (acceptance.outcome === 'NUMBER_TAKEN') throw numberTaken();
  if (acceptance.outcome === 'INSUFFICIENT') throw await writer.refusal(insufficient());
  if (acceptance.outcome !== 'ACCEPTED')
    throw new Error(`a channel order was refused: ${acceptance.outcome}`);
  for (const { scope } of capsOn(merchant, order)) context.openDeposits.accepted(scope);
  return viewOf(deposit, acceptance.amount);
}

/**
 * Accepts the order where it can be paid: by channels that go first, on accounts, by the other channels. A merchant with a
 * mobile wallet in the currency uses that alone.
 * @returns undefined if nothing takes it
 */
async function acceptSomewhere(
  context: GraphContext,
  merchant: MerchantWithCurrencies,
  order: OrderToAccept,
  prices: DepositPrices,
  writer: OrderWriter,
): Promise<DepositView | undefined> {
  const { currencyCode, amount } = order;
  const currency = merchant.currencies.find((c) => c.currencyCode === currencyCode);
  const walletChannelId = currency?.walletChannelId ?? null;
  const asked = new Set<string>();
  const refused: Refusals = new Map();
  // Its way among channels is drawn from its id.
  const id = uuidv7();
  // Cached accounts and channels may propose one; a refusal needs a fresh read.
  for (const afresh of [false, true]) {
    const [{ accounts, fresh }, known] = await Promise.all([
      context.routableAccounts.of(currencyCode, afresh),
      context.depositChannels.of(currencyCode, afresh),
    ]);
    const channels = planDeposit(known, {
      ...{ id, currencyCode, amount, walletChannelId, tried: [] },
      poolId: poolOf(merchant, order),
    });
    const atFirstOf = async (
      asking: readonly DepositChannelRow[],
    ): Promise<DepositView | undefined> => {
      for (const channel of asking) {
        if (!(await context.depositChannels.takes(channel, id))) continue;
        const way = { account: null, channel, id };
        return await acceptAtChannel(context, merchant, order, prices, way, refused, writer);
      }
      return undefined;
    };
    const before = channels.filter((one) => one.depositsFirst || walletChannelId !== null);
    const early = await atFirstOf(before);
    if (early) return early;
    const plan = planRoute(walletChannelId === null ? accounts : [], amount, draw);
    await failpoint('deposit.routed', order.merchantOrderNo);
    for (const { accountId, reason } of plan.refused) refused.set(accountId, reason);
    for (const account of plan.eligible.filter((a) => !asked.has(a.id))) {
      const accepted = await acceptOn(context, merchant, order, prices, account, refused, writer);
      if (accepted) return accepted;
      // An account that differs from its cached state is tried again after a fresh read.
      if (!FOUND_AFRESH.has(refused.get(account.id))) asked.add(account.id);
    }
    // An account that was remembered as it is no more is asked again before any channel.
    const late = fresh || afresh ? await atFirstOf(channels.slice(before.length)) : undefined;
    if (late) return late;
    if (fresh && afresh) break;
  }
  context.log.info({ currencyCode, refused: noted(refused) }, 'nothing takes a deposit');
  return undefined;
}

const draw = (): number => randomInt(2 ** 32) / 2 ** 32;

/**
 * Prices an order, finds an account or a channel, and has it written there. A refused one leaves nothing behind.
 * @throws SERVICE_UNAVAILABLE while credits are late; BUSINESS_ERROR, or the writer's error
 */
export async function acceptDeposit(
  context: GraphContext,
  merchant: MerchantWithCurrencies,
  order: OrderToAccept,
  writer: OrderWriter,
): Promise<DepositView> {
  context.creditWatch.check();
  const prices = quoteDeposit(merchant, order);
  if (prices instanceof CatalogueError) throw await writer.refusal(prices);
  for (const { scope, cap } of capsOn(merchant, order))
    if (await context.openDeposits.isFull(scope, cap))
      throw await writer.refusal(businessError('NO_CAPACITY', 'too many open deposits'));
  const accepted = await acceptSomewhere(context, merchant, order, prices, writer);
  if (!accepted)
    throw await writer.refusal(
      businessError('NO_CAPACITY', 'no account or channel is available for this deposit'),
    );
  return accepted;
}
