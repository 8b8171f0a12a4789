import { openCards } from '../../crypto/personal';
import { acceptsAmount, type CashierCard, payerOf as payerOfCard } from '../../domain/cashier';
import { businessError, CatalogueError, invalidField } from '../../domain/errors';
import { currencyDecimals, type Money, parseAmount } from '../../domain/money';
import * as db from '../../db/cashier/sessions';
import { type OrderToAccept, UNSET_DEPOSIT_FIELDS } from '../../db/deposits/deposits';
import type { MerchantCurrencyRules, MerchantWithCurrencies } from '../../db/merchants/merchants';
import type { Needs } from '../context';
import { type DepositNeeds, acceptDeposit } from '../deposits/accept-deposit';
import { lastFour } from '../deposits/new-deposit';
import { payerOf, present } from './payer';
import { actorName } from '../access/caller';

/** What a payer chose. */
export interface Choice {
  /** The amount as typed or picked; not needed if the order exists already. */
  readonly amount?: string | null;
  /** Required if the session has cards. */
  readonly cardIndex?: number | null;
  /** The version of the session that the payer was shown; by default the present one. */
  readonly version?: number | null;
}

/** Another click has submitted the session: nothing is left to do. */
class SubmittedMeanwhile extends Error {}

/** The payer chose on an older page: the merchant has opened the session again since. */
const changedSince = (): CatalogueError => new CatalogueError('CONFLICT', 'the session has changed since it was shown');

/** The chosen card; null if the session has no cards. @throws INVALID_FIELD */
function cardOf(cards: readonly CashierCard[], { cardIndex }: Choice): number | null {
  if (cards.length === 0) return null;
  if (cardIndex === null || cardIndex === undefined)
    throw invalidField('card_index', 'is required: choose one of the cards', 'REQUIRED');
  if (!cards[cardIndex]) throw invalidField('card_index', 'must be the index of one of the cards', 'UNKNOWN_VALUE');
  return cardIndex;
}

/**
 * @throws INVALID_FIELD, BUSINESS_ERROR for a choice that the merchant does not offer
 */
function amountOf({ amount: text }: Choice, currency: MerchantCurrencyRules): Money {
  if (text === null || text === undefined) throw invalidField('amount', 'must be chosen', 'REQUIRED');
  const amount = parseAmount(text, currencyDecimals(currency.currencyCode) ?? 0);
  if ('problem' in amount) throw invalidField('amount', amount.problem);
  if (!acceptsAmount(currency.cashierAmounts, amount))
    throw businessError('AMOUNT', 'amount must be one of the denominations or within the custom range');
  return amount;
}

/** The session's merchant, if it still takes deposits in the currency. @throws BUSINESS_ERROR otherwise */
async function merchantOfSession(
  { loaders }: Needs<'loaders'>,
  { merchantId, currencyCode }: db.CashierSessionRow,
): Promise<{ merchant: MerchantWithCurrencies; currency: MerchantCurrencyRules }> {
  const [row, currencies] = await Promise.all([
    loaders.merchants.load(merchantId),
    loaders.currencies.load(merchantId),
  ]);
  const currency = currencies.find((c) => c.currencyCode === currencyCode && c.enabled);
  if (!row?.enabled || !row.canDeposit || !currency)
    throw businessError('NOT_ENABLED', 'the merchant cannot take deposits now');
  return { merchant: { ...row, currencies }, currency };
}

/** Creates the order, unless another click was faster. */
async function submitPending(
  context: DepositNeeds & Needs<'actor' | 'loaders'>,
  session: db.CashierSessionRow,
  version: number,
  choice: Choice,
): Promise<void> {
  const { database, actor, now } = context;
  const { merchant, currency } = await merchantOfSession(context, session);
  const amount = amountOf(choice, currency);
  const cards = openCards(context.sealer, session);
  const card = cardOf(cards, choice);
  const chosen = card === null ? undefined : cards[card];
  const payer = chosen && payerOfCard(chosen);
  const order: OrderToAccept = {
    ...UNSET_DEPOSIT_FIELDS,
    orderType: 'CASHIER',
    merchantOrderNo: session.merchantOrderNo,
    amount,
    currencyCode: session.currencyCode,
    callbackUrl: session.callbackUrl,
    extraData: session.extraData,
    userId: session.userId,
    payerBankCode: payer?.bankCode ?? null,
    payerAccountNo: payer?.accountNo ?? null,
  };
  const { orderNo } = await acceptDeposit(context, merchant, order, {
    commit: async (deposit) => {
      const submit = {
        sessionId: session.id,
        version,
        deposit,
        card,
        actor: actorName(actor),
        now,
      };
      const done = await db.submitCashierSession(database, submit);
      switch (done.outcome) {
        case 'SUBMITTED':
          throw new SubmittedMeanwhile();
        case 'EXPIRED':
          throw businessError('WRONG_STATE', 'the session has expired');
        case 'OLD_VERSION':
          throw changedSince();
        default:
          return done;
      }
    },
    refusal: async (error) => await Promise.resolve(error),
  });
  context.log.info({ sessionId: session.id, orderNo }, 'cashier session submitted');
}

/** For an order created with its session: stores the payer's card. The first choice is final. */
async function chooseCard(
  { database, now, sealer }: Needs<'database' | 'now' | 'sealer'>,
  session: db.CashierSessionRow,
  version: number,
  choice: Choice,
): Promise<void> {
  if (session.chosenCard !== null) return;
  const cards = openCards(sealer, session);
  const card = cardOf(cards, choice);
  const chosen = card === null ? undefined : cards[card];
  if (card === null || !chosen) return;
  const { bankCode, accountNo } = payerOfCard(chosen);
  const accountLast4 = lastFour(accountNo);
  const choose = { sessionId: session.id, version, card, bankCode, accountLast4, now };
  await db.chooseCashierCard(database, choose);
}

/**
 * Creates the session's order from the payer's choice. Safe to repeat: a double click creates one order, and the second
 * click finds it.
 * @throws INVALID_FIELD, BUSINESS_ERROR, CONFLICT if the payer was shown an older version
 */
export async function submitSession(context: DepositNeeds & Needs<'actor' | 'loaders'>, choice: Choice): Promise<void> {
  const { sessionId } = payerOf(context.actor);
  const session = present((await db.findCashierSessions(context.database, [sessionId]))[0]);
  const version = choice.version ?? session.version;
  if (session.status === 'EXPIRED') throw businessError('WRONG_STATE', 'the session has expired');
  if (session.status === 'SUBMITTED') {
    await chooseCard(context, session, version, choice);
    return;
  }
  try {
    await submitPending(context, session, version, choice);
  } catch (error) {
    if (!(error instanceof SubmittedMeanwhile)) throw error;
  }
}
