import type { Warrant } from '../../domain/authority/warrant';
import { invalidField, notFound } from '../../domain/errors';
import { currencyDecimals, parseAmount } from '../../domain/money';
import { chooseSettlementAccount, type SettlementLine } from '../../domain/settlement';
import { findMerchantByCode } from '../../db/merchants/merchants';
import { findOpenSettlementAccounts } from '../../db/settlements/settlement-accounts';
import type { Needs } from '../context';
import { type ProposedSettlement, proposeSettlement } from './propose-settlement';
import { requireReach } from '../access/caller';
import type { ActionNeeds } from '../operators/operator-action';

/** Proposes the settlement of a row of a file. @throws as proposeSettlement */
export async function proposeLine(
  context: ActionNeeds & Needs<'lookup' | 'sealer'>,
  warrant: Warrant<'proposeSettlements'>,
  { merchantCode, currencyCode, amount: text, account: named, reference }: SettlementLine,
  reason: string,
): Promise<ProposedSettlement> {
  const merchant = await findMerchantByCode(context.database, merchantCode);
  if (!merchant) throw notFound('merchant');
  requireReach(context.actor, merchant.id, 'merchant');
  const decimals = currencyDecimals(currencyCode);
  if (decimals === undefined)
    throw invalidField('currency', `${currencyCode} is not an ISO 4217 currency`, 'UNKNOWN_VALUE');
  const amount = parseAmount(text, decimals);
  if ('problem' in amount) throw invalidField('amount', amount.problem);
  const open = await findOpenSettlementAccounts(context.database, merchant.id, currencyCode);
  const account = chooseSettlementAccount(open, named);
  if ('problem' in account) throw invalidField('account', account.problem);
  return await proposeSettlement(context, warrant, { account, amount, reference, reason });
}
