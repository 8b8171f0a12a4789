import { admittedOf } from '../admission';
import type { App } from '../app';
import type { RouteDeps } from '../deps';
import { success } from '../envelope';
import { MerchantBalancesDocument, type MerchantBalancesQuery } from '../generated/operations';
import { admitMerchant } from '../merchant-admission';
import { Answer, refusals } from '../schemas/answers';
import { MerchantBalance } from '../schemas/balance';
import { MerchantHeaders } from '../schemas/signed';

type Item = MerchantBalance['items'][number];

const itemOf = (balance: MerchantBalancesQuery['merchantBalances'][number]): Item => ({
  id: balance.id,
  merchant_id: balance.merchantId,
  currency_code: balance.currencyCode,
  available_balance: balance.available,
  frozen_balance: balance.frozen,
  total_balance: balance.total,
  version: balance.version,
  created_at: balance.createdAt,
  updated_at: balance.updatedAt,
});

/** Contract, "Queries and balance". */
export function balanceRoutes(app: App, deps: RouteDeps): void {
  app.get(
    '/api/v1/merchant/balance',
    {
      schema: {
        operationId: 'getBalance',
        summary: 'All balances of the merchant',
        tags: ['Balance'],
        headers: MerchantHeaders,
        response: {
          200: Answer(MerchantBalance, 'The balances.'),
          ...refusals([
            'INVALID_SIGNATURE',
            'INVALID_TIMESTAMP',
            'MALFORMED_REQUEST',
            'AUTHORIZATION_ERROR',
            'RATE_LIMITED',
          ]),
        },
      },
      preValidation: admitMerchant(deps, null),
    },
    async (request) => {
      const { actor, execute } = admittedOf(request);
      if (actor.kind !== 'merchant') throw new Error('balances are for merchants');
      const { merchantBalances } = await execute(MerchantBalancesDocument, {});
      return success({ items: merchantBalances.map(itemOf), merchant_id: actor.merchant.id });
    },
  );
}
