import { uuidv7 } from 'uuidv7';
import { planDeposit } from '../../domain/deposit-way';
import { businessError, CatalogueError } from '../../domain/errors';
import type { RoutingRefusal } from '../../domain/routing';
import type { RoutableAccountRow } from '../../db/accounts/bank-accounts';
import type { Acceptance, DepositView, NewDeposit, OpenDepositsScope, OrderToAccept } from '../../db/deposits/deposits';
import type { MerchantWithCurrencies } from '../../db/merchants/merchants';
import { brokenConstraint } from '../../db/refusals';
import { failpoint } from '../../runtime/failpoints';
import type { Needs } from '../context';
import { type DepositPrice, type DepositPrices, quoteDeposit } from '../fees/price';
import { routingOf } from '../routing/routing-of';
import type { Taker } from './deposit-lanes';
import { type Destination, newDeposit, noted, type Refusals, type Refused, type Routing, viewOf } from './new-deposit';
import { checkPayer } from '../payers/check-payer';

/** Writes an order. */
export interface OrderWriter {
  /**
   * Commits the order on this account or at this channel with everything that must not be lost, or returns why it was
   * refused.
   * @throws the refusal that applies on any account
   */
  readonly commit: (deposit: NewDeposit, taker: Taker) => Promise<Acceptance>;
  /** Maps a refusal for the caller; another check may take precedence. */
  readonly refusal: (error: CatalogueError) => Promise<CatalogueError>;
}

/** The number belongs to another order. */
export const numberTaken = (): CatalogueError => new CatalogueError('CONFLICT', 'merchant_order_no is already used');

/** The fee must be held, and the available balance does not cover it. */
const insufficient = (): CatalogueError =>
  new CatalogueError('INSUFFICIENT_MERCHANT_BALANCE', 'the available balance does not cover the fee of the deposit');

/** A remark collides once in billions. */
const REMARK_TRIES = 3;

/** The pool that the order uses; null: the default pool of its currency. */
const poolOf = ({ currencies }: MerchantWithCurrencies, { currencyCode }: OrderToAccept): string | null =>
  currencies.find((c) => c.currencyCode === currencyCode)?.poolId ?? null;

/** The refusals that a fresh read may change: a cached account may be stale, or have been added to a pool since. */
const FOUND_AFRESH: ReadonlySet<string | undefined> = new Set(['ACCOUNT_CHANGED', 'NOT_IN_POOL']);

/** The merchant and user whose open orders are counted, and their caps. */
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

async function committed(deposit: NewDeposit, taker: Taker, { commit }: OrderWriter): Promise<Acceptance> {
  await failpoint('deposit.committing', deposit.merchantOrderNo);
  return await commit(deposit, taker);
}

/** An order while it is accepted. */
interface Accepting {
  readonly context: Needs<'changes' | 'lookup' | 'now' | 'openDeposits' | 'sealer' | 'traceId'>;
  readonly merchant: MerchantWithCurrencies;
  readonly order: OrderToAccept;
  /** The id of the future order: the seed of its routing. */
  readonly id: string;
  readonly prices: DepositPrices;
  readonly routing: Routing;
  readonly refused: Refusals;
  readonly writer: OrderWriter;
}

/** What finding an account or a channel for an order needs. */
type PlaceNeeds = Accepting['context'] &
  Needs<'depositChannels' | 'log' | 'payerPasts' | 'routableAccounts' | 'ruleSets'>;

/** Accepts the order on this account. @returns undefined, and why in `refused`, if the account does not take it */
async function acceptOn(
  accepting: Accepting,
  way: Destination & { readonly account: RoutableAccountRow },
): Promise<DepositView | undefined> {
  const { context, merchant, order, prices, refused, writer } = accepting;
  const { openDeposits } = context;
  const { account } = way;
  const refuse = (reason: RoutingRefusal): void => {
    refused.set(account.id, { kind: 'ACCOUNT', reason });
  };
  const scope = { of: 'account', accountId: account.id } as const;
  if (await openDeposits.isFull(scope, account.maxOpenDeposits)) {
    refuse('TOO_MANY_OPEN');
    return undefined;
  }
  const { boundChannelId } = account;
  // No wallet is watched by an account's agent.
  const price = prices(boundChannelId === null ? null : { id: boundChannelId, walletKind: null });
  if (price instanceof CatalogueError) throw await writer.refusal(price);
  for (let tries = 1; ; tries++) {
    const deposit = depositOn(accepting, way, price);
    try {
      const acceptance = await committed(deposit, way, writer);
      if (acceptance.outcome === 'ACCEPTED') {
        for (const counted of [scope, ...capsOn(merchant, order).map((cap) => cap.scope)])
          openDeposits.accepted(counted);
        return viewOf(deposit, acceptance.amount);
      }
      if (acceptance.outcome === 'NUMBER_TAKEN') throw numberTaken();
      if (acceptance.outcome === 'INSUFFICIENT') throw await writer.refusal(insufficient());
      refuse(acceptance.outcome);
      return undefined;
    } catch (error) {
      if (brokenConstraint(error) !== 'deposit_orders_remark' || tries === REMARK_TRIES) throw error;
    }
  }
}

const depositOn = (
  { context, merchant, order, id, routing, refused }: Accepting,
  way: Destination,
  price: DepositPrice,
): NewDeposit => newDeposit(context, merchant, order, id, price, way, routing, refused);

/**
 * Accepts the order for a channel: its workflow opens it there, or at the next channel.
 * @returns undefined, and why in `refused`, if it would exceed a limit of the channel
 */
async function acceptAtChannel(
  accepting: Accepting,
  way: Extract<Destination, { readonly account: null }>,
): Promise<DepositView | undefined> {
  const { context, merchant, order, prices, refused, writer } = accepting;
  const price = prices(way.channel);
  if (price instanceof CatalogueError) throw await writer.refusal(price);
  const deposit = depositOn(accepting, way, price);
  const acceptance = await committed(deposit, way, writer);
  if (acceptance.outcome === 'NUMBER_TAKEN') throw numberTaken();
  if (acceptance.outcome === 'INSUFFICIENT') throw await writer.refusal(insufficient());
  if (acceptance.outcome !== 'ACCEPTED') {
    refused.set(way.channel.id, { kind: 'CHANNEL', reason: acceptance.outcome });
    return undefined;
  }
  for (const { scope } of capsOn(merchant, order)) context.openDeposits.accepted(scope);
  return viewOf(deposit, acceptance.amount);
}

/**
 * Accepts the order on the first account or channel that takes it, by the routing rules in force, or without rules
 * (domain/way.ts).
 * @returns undefined if nothing takes it
 */
async function acceptSomewhere(
  context: PlaceNeeds,
  merchant: MerchantWithCurrencies,
  order: OrderToAccept,
  prices: DepositPrices,
  writer: OrderWriter,
): Promise<DepositView | undefined> {
  const { currencyCode, amount } = order;
  const currency = merchant.currencies.find((c) => c.currencyCode === currencyCode);
  const walletChannelId = currency?.walletChannelId ?? null;
  const rules = await context.ruleSets.of(currency?.routingRulesId ?? null);
  const asked = new Set<string>();
  const refused: Refusals = new Map();
  const id = uuidv7();
  // Cached accounts and channels may propose one; a refusal needs a fresh read.
  for (const afresh of [false, true]) {
    const [{ accounts, fresh }, channels] = await Promise.all([
      context.routableAccounts.of(currencyCode, afresh),
      context.depositChannels.of(currencyCode, afresh),
    ]);
    const walletKind = channels.find((one) => one.id === walletChannelId)?.walletKind ?? null;
    const routing = await routingOf(context, merchant, order, rules, walletKind);
    const plan = planDeposit(
      ...([routing.found?.rule ?? null, accounts, channels] as const),
      { id, currencyCode, amount, walletChannelId, poolId: poolOf(merchant, order), tried: [] },
      routing.payer?.ways ?? [],
    );
    await failpoint('deposit.routed', order.merchantOrderNo);
    for (const { candidate, reason } of plan.refused)
      refused.set(candidate.id, { kind: candidate.kind, reason: reason as Refused['reason'] });
    const accepting: Accepting = { context, merchant, order, id, prices, routing, refused, writer };
    for (const { candidate, group, sticky, behindAccounts } of plan.ways) {
      if (candidate.kind === 'CHANNEL') {
        // An account whose cached state was stale is tried again before any channel.
        if (behindAccounts && !fresh && !afresh) break;
        const { channel } = candidate;
        if (!(await context.depositChannels.takes(channel, id))) {
          refused.set(channel.id, { kind: 'CHANNEL', reason: 'UNHEALTHY' });
          continue;
        }
        const accepted = await acceptAtChannel(accepting, {
          account: null,
          channel,
          group,
          sticky,
        });
        if (accepted) return accepted;
        continue;
      }
      const { account } = candidate;
      if (asked.has(account.id)) continue;
      const accepted = await acceptOn(accepting, { account, group, sticky });
      if (accepted) return accepted;
      // An account that differs from its cached state is tried again after a fresh read.
      if (!FOUND_AFRESH.has(refused.get(account.id)?.reason)) asked.add(account.id);
    }
  }
  context.log.info({ currencyCode, refused: noted(refused) }, 'no account or channel takes a deposit');
  return undefined;
}

/** What accepting a deposit needs. */
export type DepositNeeds = PlaceNeeds & Needs<'creditWatch' | 'database'>;

/**
 * Prices an order, checks its payer, finds an account or a channel, and writes it there. A refused order stores
 * nothing.
 * @throws SERVICE_UNAVAILABLE while credits are late; BUSINESS_ERROR, or the writer's error
 */
export async function acceptDeposit(
  context: DepositNeeds,
  merchant: MerchantWithCurrencies,
  asked: OrderToAccept,
  writer: OrderWriter,
): Promise<DepositView> {
  context.creditWatch.check();
  const prices = quoteDeposit(merchant, asked);
  if (prices instanceof CatalogueError) throw await writer.refusal(prices);
  for (const { scope, cap } of capsOn(merchant, asked))
    if (await context.openDeposits.isFull(scope, cap))
      throw await writer.refusal(businessError('NO_CAPACITY', 'too many open deposits'));
  const payer = await checkPayer(context, merchant, asked.currencyCode, asked, asked.amount);
  if (payer instanceof CatalogueError) throw await writer.refusal(payer);
  const order = { ...asked, ...payer };
  const accepted = await acceptSomewhere(context, merchant, order, prices, writer);
  if (!accepted)
    throw await writer.refusal(businessError('NO_CAPACITY', 'no account or channel is available for this deposit'));
  return accepted;
}
