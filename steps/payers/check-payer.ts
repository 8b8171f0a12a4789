import { blindIndexes } from '../../crypto/blind-index';
import { soughtTrait } from '../../crypto/listed-payer';
import type { Lookup } from '../../crypto/lookup';
import { businessError, type CatalogueError } from '../../domain/errors';
import { ZERO } from '../../domain/money';
import { entryFor, type KnownTrait, type SaidTraits, TRAIT_FORMS, traitsOf } from '../../domain/payer-lists';
import { judgePayer, type PayerVerdict, VELOCITY_TRAITS } from '../../domain/payer-rules';
import type { OrderToAccept } from '../../db/deposits/deposits';
import type { MerchantCurrency, MerchantWithCurrencies } from '../../db/merchants/merchants';
import { findEntriesOf } from '../../db/payers/listed';
import { countPayerOrders } from '../../db/payers/rules';
import type { Needs } from '../context';

/** The payer's data that a merchant gives. */
export type AnnouncedPayer = Pick<
  OrderToAccept,
  ('payerName' | 'payerAccountNo' | 'payerBankCode') | ('userId' | 'payerEmail' | 'payerMobile')
>;

const saidOf = (payer: AnnouncedPayer): SaidTraits => ({
  NAME: payer.payerName,
  ACCOUNT: payer.payerAccountNo,
  USER: payer.userId,
  EMAIL: payer.payerEmail,
  MOBILE: payer.payerMobile,
});

const isVelocityTrait = (trait: string): boolean => (VELOCITY_TRAITS as readonly string[]).includes(trait);

/** What the orders of a payer are found by, except the user, who is in clear. */
const indexesOf = (lookup: Lookup, traits: readonly KnownTrait[]) =>
  Object.fromEntries(
    traits.flatMap(({ trait, key }) => {
      const form = TRAIT_FORMS[trait];
      return form ? [[trait, blindIndexes(lookup, form, key)]] : [];
    }),
  );

const asksNothing = ({ payersListed, payerRules }: MerchantCurrency): boolean =>
  !payersListed && (payerRules?.velocity.length ?? 0) === 0;

/**
 * The findings of lists and counts about a payer; null if there are none. Sends no statement if nobody is listed and
 * the currency has no counts. Two orders at the same moment do not count each other.
 * @param amount of the order; null: it has none yet, and nothing is counted
 */
async function judged(
  { database, lookup, now }: Needs<'database' | 'lookup' | 'now'>,
  merchantId: string,
  currency: MerchantCurrency,
  payer: AnnouncedPayer,
  amount: OrderToAccept['amount'] | null,
): Promise<PayerVerdict | null> {
  const { currencyCode, payersListed } = currency;
  const traits = traitsOf(saidOf(payer));
  if (traits.length === 0) return null;
  const entries = payersListed
    ? await findEntriesOf(
        database,
        traits.map((trait) => soughtTrait(lookup, trait)),
        now,
      )
    : [];
  const entry = entryFor(entries, { merchantId, traits, bankCode: payer.payerBankCode, now });
  const velocity = amount === null ? [] : (currency.payerRules?.velocity ?? []);
  const counted = traits.filter(({ trait }) => isVelocityTrait(trait));
  const keys = Object.fromEntries(counted.map(({ trait, key }) => [trait, key]));
  const isCounted = velocity.length > 0 && entry?.list !== 'DENY' && entry?.list !== 'ALLOW';
  const counts = isCounted
    ? await countPayerOrders(
        database,
        { merchantId, currencyCode, keys, indexes: indexesOf(lookup, counted) },
        velocity,
        now,
      )
    : [];
  return judgePayer({ amount: amount ?? ZERO, currencyCode, entry, velocity, counts });
}

/**
 * The findings about an order's payer, as its row stores them.
 * @returns the refusal if a list or a count refuses the payer
 */
export async function checkPayer(
  context: Needs<'database' | 'log' | 'lookup' | 'now'>,
  merchant: MerchantWithCurrencies,
  currencyCode: string,
  payer: AnnouncedPayer,
  amount: OrderToAccept['amount'] | null,
): Promise<Pick<OrderToAccept, 'payerOutcome' | 'payerFindings'> | CatalogueError> {
  const currency = merchant.currencies.find((one) => one.currencyCode === currencyCode);
  const verdict =
    !currency || asksNothing(currency) ? null : await judged(context, merchant.id, currency, payer, amount);
  if (verdict?.outcome !== 'REFUSE')
    return { payerOutcome: verdict?.outcome ?? null, payerFindings: verdict?.findings ?? null };
  const { findings } = verdict;
  context.log.info({ merchantCode: merchant.merchantCode, currencyCode, findings }, 'a payer is refused');
  return businessError('PAYER', 'the payer is not accepted');
}
