import type { SignedParameters } from '../../domain/signing';
import { admittedOf } from '../admission';
import type { App } from '../app';
import type { RouteDeps } from '../deps';
import { success } from '../envelope';
import { CreateCashierSessionDocument, type CreateCashierSessionInput } from '../generated/operations';
import { admitMerchant } from '../merchant-admission';
import { Answer, refusals } from '../schemas/answers';
import { CashierCreateResponse, CashierDepositOrderCreate } from '../schemas/cashier';
import { MerchantHeaders } from '../schemas/signed';

const inputOf = (body: CashierDepositOrderCreate, texts: SignedParameters): CreateCashierSessionInput => ({
  merchantOrderNo: body.merchant_order_no,
  // As written, not as a parsed number.
  amount: body.amount === undefined ? null : (texts.get('amount') ?? ''),
  currencyCode: body.currency_code,
  callbackUrl: body.callback_url,
  extraData: body.extra_data,
  userId: body.user_id,
  payerBankCards: body.payer_bank_cards,
});

/** Cashier sessions of the merchant API (contract, "Endpoints"). */
export function cashierRoutes(app: App, deps: RouteDeps): void {
  app.post(
    '/api/v1/merchant/orders/deposit/cashier',
    {
      schema: {
        operationId: 'createCashierSession',
        summary: 'Create a cashier session',
        description:
          'Sends a payer to the hosted page. With `amount` the deposit is created at once; without it the payer ' +
          'chooses, and until then queries answer 404.',
        tags: ['Deposits'],
        headers: MerchantHeaders,
        body: CashierDepositOrderCreate,
        response: {
          201: Answer(CashierCreateResponse, 'Opened, or continued.'),
          ...refusals([
            'PAYLOAD_TOO_LARGE',
            'INVALID_SIGNATURE',
            'INVALID_TIMESTAMP',
            'UNSUPPORTED_MEDIA_TYPE',
            'MALFORMED_REQUEST',
            'AUTHORIZATION_ERROR',
            'RATE_LIMITED',
            'INVALID_FIELD',
            'CONFLICT',
            'BUSINESS_ERROR',
            'OPTIMISTIC_LOCK_ERROR',
          ]),
        },
      },
      preValidation: admitMerchant(deps, 'can_deposit'),
    },
    async (request, reply) => {
      const { execute, texts } = admittedOf(request);
      const input = inputOf(request.body, texts);
      const { createCashierSession: opened } = await execute(CreateCashierSessionDocument, {
        input,
      });
      request.logFields.sessionId = opened.sessionId;
      if (opened.orderNo !== null) request.logFields.orderNo = opened.orderNo;
      reply.code(201);
      return success({
        cashier_url: `${deps.cashierUrl}/${opened.token}`,
        cashier_token: opened.token,
        session_id: opened.sessionId,
        expire_at: opened.expireAt,
      });
    },
  );
}
