import { uuidv7 } from 'uuidv7';
import { blindIndexes } from '../../crypto/blind-index';
import { sealCards, sealExtraData } from '../../crypto/personal';
import { CALLBACK_URL_PROBLEMS, checkCallbackUrl } from '../../domain/callback-target';
import { acceptsAmount, type CashierCard, offersAmounts } from '../../domain/cashier';
import { businessError, CatalogueError, invalidField } from '../../domain/errors';
import { currencyDecimals, type Money, parseAmount } from '../../domain/money';
import { PAYER_CARDS } from '../../domain/search-forms';
import {
  isNumberClaimedElsewhere,
  type NewCashierSession,
  type OpenedSession,
  openCashierSession,
} from '../../db/cashier/sessions';
import { type OrderToAccept, UNSET_DEPOSIT_FIELDS } from '../../db/deposits/deposits';
import type { AuthenticatedMerchant } from '../../db/merchants/merchants';
import type { Needs } from '../context';
import { type DepositNeeds, acceptDeposit, numberTaken } from '../deposits/accept-deposit';
import { checkPayer } from '../payers/check-payer';

/** A cashier session as the merchant requests it (contract, "POST /orders/deposit/cashier"). */
export interface SessionRequest {
  readonly merchantOrderNo: string;
  /** If given, the order is created at once. */
  readonly amount?: string | null;
  readonly currencyCode: string;
  readonly callbackUrl?: string | null;
  readonly extraData?: string | null;
  readonly userId?: string | null;
  readonly payerBankCards?: readonly CashierCard[] | null;
}

/** A session to which its merchant may send a payer. */
export interface SessionToken {
  readonly sessionId: string;
  readonly token: string;
  readonly expireAt: Date;
  /** Null until the payer has chosen. */
  readonly orderNo: string | null;
}

/** Null, absent and "" mean the merchant's default; the result is null if it has none. @throws INVALID_FIELD */
function callbackUrlOf(
  { environment }: Needs<'environment'>,
  { callbackUrl }: SessionRequest,
  merchant: AuthenticatedMerchant,
): string | null {
  if (!callbackUrl) return merchant.defaultCallbackUrl;
  const problem = checkCallbackUrl(callbackUrl, {
    allowInsecure: merchant.allowInsecureCallbacks && environment === 'sandbox',
  });
  if (problem !== 'ok') throw invalidField('callback_url', CALLBACK_URL_PROBLEMS[problem]);
  return callbackUrl;
}

/** @throws INVALID_FIELD */
function amountOf({ amount: text, currencyCode }: SessionRequest): Money | null {
  if (text === null || text === undefined) return null;
  const amount = parseAmount(text, currencyDecimals(currencyCode) ?? 4);
  if ('problem' in amount) throw invalidField('amount', amount.problem);
  return amount;
}

/** Why payers of this merchant may not choose this, or anything; undefined if they may. */
async function refusalOf(
  { loaders }: Needs<'loaders'>,
  merchant: AuthenticatedMerchant,
  currencyCode: string,
  amount: Money | null,
): Promise<CatalogueError | undefined> {
  const currencies = await loaders.currencies.load(merchant.id);
  const currency = currencies.find((c) => c.currencyCode === currencyCode && c.enabled);
  if (!currency || currencyDecimals(currencyCode) === undefined)
    return businessError('NOT_ENABLED', `currency ${currencyCode} is not enabled`);
  if (!offersAmounts(currency.cashierAmounts))
    return businessError('NOT_ENABLED', `the cashier has no amounts configured in ${currencyCode}`);
  if (amount !== null && !acceptsAmount(currency.cashierAmounts, amount))
    return businessError('AMOUNT', 'amount must be one of the denominations or within the custom range');
  return undefined;
}

/** The requested session. If the user has an open one, it replaces that one and keeps its id. */
function newSession(
  context: Needs<'lookup' | 'now' | 'sealer' | 'traceId'>,
  merchant: AuthenticatedMerchant,
  request: SessionRequest,
  callbackUrl: string | null,
): NewCashierSession {
  const { lookup, now, sealer, traceId } = context;
  const order = { ...request, merchantId: merchant.id };
  const cards = request.payerBankCards ?? [];
  return {
    id: uuidv7(),
    merchantId: merchant.id,
    merchantOrderNo: request.merchantOrderNo,
    currencyCode: request.currencyCode,
    userId: request.userId ?? null,
    callbackUrl,
    extraData: sealExtraData(sealer, order),
    ...sealCards(context, order, cards),
    sameCards: cards.length > 0 ? blindIndexes(lookup, PAYER_CARDS, JSON.stringify(cards)) : [],
    traceId,
    expireAt: new Date(now.getTime() + merchant.cashierSessionExpireMinutes * 60_000),
    createdAt: now,
    keyToNote: merchant.keyToNote,
  };
}

type Opened = Extract<OpenedSession, { readonly outcome: 'ACCEPTED' }>;

/** Opens the session with its order, on the first account that takes it. */
async function openWithOrder(
  context: DepositNeeds,
  merchant: AuthenticatedMerchant,
  session: NewCashierSession,
  amount: Money,
  refusal: (error: CatalogueError) => Promise<CatalogueError>,
): Promise<{ readonly opened: Opened; readonly orderNo: string }> {
  let opened: Opened | undefined;
  // The payer chooses the card on the page; the rest follows from it.
  const order: OrderToAccept = {
    ...UNSET_DEPOSIT_FIELDS,
    orderType: 'CASHIER',
    merchantOrderNo: session.merchantOrderNo,
    amount,
    currencyCode: session.currencyCode,
    callbackUrl: session.callbackUrl,
    extraData: session.extraData,
    userId: session.userId,
  };
  const { orderNo } = await acceptDeposit(context, merchant, order, {
    commit: async (deposit) => {
      const result = await openCashierSession(context.database, session, deposit);
      if (result.outcome !== 'ACCEPTED') return result;
      opened = result;
      return { outcome: 'ACCEPTED', amount: result.amount ?? deposit.requestedAmount };
    },
    refusal,
  });
  if (!opened) throw new Error('an order was accepted without its session');
  return { opened, orderNo };
}

/**
 * Opens a session, or continues the user's PENDING one; with an amount the order is created at once. A refused request
 * stores nothing.
 *
 * @throws INVALID_FIELD, then CONFLICT for a number of another session or order, then BUSINESS_ERROR
 */
export async function openSession(
  context: DepositNeeds & Needs<'cashierTokens' | 'environment' | 'loaders'>,
  merchant: AuthenticatedMerchant,
  request: SessionRequest,
): Promise<SessionToken> {
  const { database, cashierTokens } = context;
  const amount = amountOf(request);
  const session = newSession(context, merchant, request, callbackUrlOf(context, request, merchant));
  const refusal = async (error: CatalogueError): Promise<CatalogueError> =>
    (await isNumberClaimedElsewhere(database, session)) ? numberTaken() : error;
  const refused = await refusalOf(context, merchant, request.currencyCode, amount);
  if (refused) throw await refusal(refused);

  const { opened, orderNo } =
    amount === null
      ? { opened: await openWithout(context, merchant, session, refusal), orderNo: null }
      : await openWithOrder(context, merchant, session, amount, refusal);
  const { sessionId, expireAt } = opened;
  const token = await cashierTokens.sign({ sessionId });
  return { sessionId, token, expireAt, orderNo };
}

async function openWithout(
  context: Needs<'database' | 'log' | 'lookup' | 'now'>,
  merchant: AuthenticatedMerchant,
  session: NewCashierSession,
  refusal: (error: CatalogueError) => Promise<CatalogueError>,
): Promise<Opened> {
  const { currencyCode, userId } = session;
  const payer = { ...UNSET_DEPOSIT_FIELDS, userId };
  const refused = await checkPayer(context, merchant, currencyCode, payer, null);
  if (refused instanceof CatalogueError) throw await refusal(refused);
  const opened = await openCashierSession(context.database, session, null);
  if (opened.outcome !== 'ACCEPTED') throw numberTaken();
  return opened;
}
