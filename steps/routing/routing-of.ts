import type { WalletKind } from '../../domain/channel-deposit';
import { NEW_PAYER, ruleFor, type RuleSet } from '../../domain/routing-rules';
import type { OrderToAccept } from '../../db/deposits/deposits';
import type { Needs } from '../context';
import type { Routing } from '../deposits/new-deposit';

/**
 * The rule for a deposit. Its payer's past is read only if a rule that the deposit otherwise fits depends on it.
 * @param rules null: no rules
 * @param walletKind of its merchant's wallet in the currency; null: no wallet
 */
export async function routingOf(
  { payerPasts, now }: Needs<'now' | 'payerPasts'>,
  { id: merchantId }: { readonly id: string },
  { amount, currencyCode, userId }: Pick<OrderToAccept, 'amount' | 'currencyCode' | 'userId'>,
  rules: RuleSet | null,
  walletKind: WalletKind | null,
): Promise<Routing> {
  const nothing = { rules, found: null, payer: undefined };
  if (rules === null) return nothing;
  const order = { merchantId, amount, walletKind, at: now };
  const first = ruleFor(rules, { ...order, payer: undefined });
  if (first === 'NONE') return nothing;
  if (first !== 'ASKS_PAYER') return { rules, found: first, payer: undefined };
  const payer = userId ? await payerPasts.call({ merchantId, userId, currencyCode }) : NEW_PAYER;
  const found = ruleFor(rules, { ...order, payer });
  return { rules, found: typeof found === 'string' ? null : found, payer };
}
