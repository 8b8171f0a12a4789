import { Type } from 'typebox';
import { MIRRORED_DETAILS } from '../../domain/channel-deposit';
import { notFound } from '../../domain/errors';
import { failpoint } from '../../runtime/failpoints';
import type { SignedParameters } from '../../domain/signing';
import { admittedOf } from '../admission';
import type { App } from '../app';
import { shownTo } from '../costs';
import type { RouteDeps } from '../deps';
import { success } from '../envelope';
import {
  CreateDepositDocument,
  type CreateDepositInput,
  type CreateDepositMutation,
  DepositByMerchantOrderNoDocument,
  DepositByOrderNoDocument,
  type DepositOrderFieldsFragment,
} from '../generated/operations';
import { admitMerchant } from '../merchant-admission';
import { Answer, QUERY_REFUSALS, refusals } from '../schemas/answers';
import { DepositOrderCreate, DepositOrderResponse, DepositPaymentInfo, type MirroredDetails } from '../schemas/deposit';
import { MerchantHeaders } from '../schemas/signed';

const inputOf = (body: DepositOrderCreate, texts: SignedParameters): CreateDepositInput => ({
  merchantOrderNo: body.merchant_order_no,
  // As written, not as a parsed number.
  amount: texts.get('amount') ?? '',
  currencyCode: body.currency_code,
  callbackUrl: body.callback_url,
  extraData: body.extra_data,
  userId: body.user_id,
  accountHolder: body.account_holder,
  mobile: body.mobile,
  email: body.email,
  bankCode: body.bank_code,
  accountNo: body.account_no,
});

/** Bank details from a channel; only their texts. */
const mirrored = (info: Readonly<Record<string, unknown>> | null): Partial<MirroredDetails> =>
  Object.fromEntries(
    MIRRORED_DETAILS.map((key) => [key, info?.[key]]).filter(([, value]) => typeof value === 'string'),
  ) as Partial<MirroredDetails>;

/** What the payer needs, with the keys of the order's kind. The account's details are the order's own snapshot. */
function paymentInfoOf(order: CreateDepositMutation['createDeposit']): DepositPaymentInfo {
  const all = {
    order_no: order.orderNo,
    requested_amount: order.requestedAmount,
    amount: order.amount,
    currency_code: order.currencyCode,
    expire_at: order.expireAt,
  };
  if (order.accountId === null)
    return {
      ...all,
      payment_url: order.paymentUrl,
      payment_info: order.paymentInfo,
      ...mirrored(order.paymentInfo),
    };
  const { bank_code = '', bank_name = '', bank_branch, account_no = '', account_holder = '' } = order.paymentSnapshot;
  return {
    ...all,
    bank_code,
    bank_name,
    bank_branch: bank_branch ?? null,
    account_no,
    account_holder,
    remark: order.expectedRemark,
  };
}

const responseOf = (order: DepositOrderFieldsFragment): DepositOrderResponse => ({
  id: order.id,
  order_no: order.orderNo,
  merchant_order_no: order.merchantOrderNo,
  merchant_id: order.merchantId,
  account_id: order.accountId,
  requested_amount: order.requestedAmount,
  amount: order.amount,
  fee: order.fee,
  actual_amount: order.actualAmount,
  currency_code: order.currencyCode,
  expected_remark: order.expectedRemark,
  status: order.status.toLowerCase(),
  expire_at: order.expireAt,
  matched_at: order.matchedAt,
  completed_at: order.completedAt,
  created_at: order.createdAt,
  updated_at: order.updatedAt,
  callback_url: order.callbackUrl,
  callback_status: order.callbackStatus?.toLowerCase() ?? null,
  callback_count: order.callbackCount,
  user_id: order.userId,
  order_type: order.orderType.toLowerCase(),
  cashier_session_id: order.cashierSessionId,
  payer_bank_code: order.payerBankCode,
  payer_account_last4: order.payerAccountLast4,
  channel_id: order.channelId,
  channel_order_no: order.channelOrderNo,
  payment_url: order.paymentUrl,
  estimated_channel_cost: order.estimatedChannelCost,
  estimated_profit: order.estimatedProfit,
  actual_channel_cost: order.actualChannelCost,
  actual_profit: order.actualProfit,
  payment_snapshot: order.paymentSnapshot,
  merchant: {
    id: order.merchant.id,
    merchant_code: order.merchant.merchantCode,
    name: order.merchant.name,
  },
  account: order.account && {
    id: order.account.id,
    account_no: order.account.accountNo,
    name: order.account.name,
    bank_code: order.account.bankCode,
    bank_name: order.account.bankName,
    account_holder: order.account.accountHolder,
  },
  channel: order.channel && {
    id: order.channel.id,
    channel_code: order.channel.channelCode,
    channel_name: order.channel.name,
  },
});

/** Deposits of the merchant API (contract, "Endpoints"). */
export function depositRoutes(app: App, deps: RouteDeps): void {
  app.post(
    '/api/v1/merchant/orders/deposit',
    {
      schema: {
        operationId: 'createDeposit',
        summary: 'Create a Direct API deposit',
        tags: ['Deposits'],
        headers: MerchantHeaders,
        body: DepositOrderCreate,
        response: {
          201: Answer(DepositPaymentInfo, 'Created, with status pending.'),
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
            'INSUFFICIENT_MERCHANT_BALANCE',
            'OPTIMISTIC_LOCK_ERROR',
            'SERVICE_UNAVAILABLE',
          ]),
        },
      },
      preValidation: admitMerchant(deps, 'can_deposit'),
      onResponse: async ({ logFields }) => {
        await failpoint('deposit.answered', logFields.orderNo);
      },
    },
    async (request, reply) => {
      const { execute, texts } = admittedOf(request);
      const input = inputOf(request.body, texts);
      const { createDeposit } = await execute(CreateDepositDocument, { input });
      request.logFields.orderNo = createDeposit.orderNo;
      await failpoint('deposit.answering', input.merchantOrderNo);
      reply.code(201);
      return success(paymentInfoOf(createDeposit));
    },
  );

  app.get(
    '/api/v1/merchant/query/deposit/:order_no',
    {
      schema: {
        operationId: 'getDeposit',
        summary: "A deposit by the gateway's number",
        tags: ['Deposits'],
        headers: MerchantHeaders,
        params: Type.Object({
          order_no: Type.String({ description: "The gateway's number, compared exactly." }),
        }),
        response: {
          200: Answer(DepositOrderResponse, 'The deposit.'),
          ...refusals(QUERY_REFUSALS),
        },
      },
      preValidation: admitMerchant(deps, null),
    },
    async (request) => {
      const { order_no: orderNo } = request.params;
      // PostgreSQL's texts hold no NUL, so no order has such a number.
      if (orderNo === '' || orderNo.includes('\0')) throw notFound('order');
      const { execute } = admittedOf(request);
      const { merchantDeposit } = await execute(DepositByOrderNoDocument, { orderNo });
      if (!merchantDeposit) throw notFound('order');
      request.logFields.orderNo = merchantDeposit.orderNo;
      return success(shownTo(admittedOf(request).actor, responseOf(merchantDeposit)));
    },
  );

  app.get(
    '/api/v1/merchant/query/deposit',
    {
      schema: {
        operationId: 'findDeposit',
        summary: "A deposit by the merchant's number",
        tags: ['Deposits'],
        headers: MerchantHeaders,
        querystring: Type.Object({
          merchant_order_no: Type.String({ minLength: 1, description: "The merchant's number." }),
        }),
        response: {
          200: Answer(DepositOrderResponse, 'The deposit.'),
          ...refusals([...QUERY_REFUSALS, 'INVALID_FIELD']),
        },
      },
      preValidation: admitMerchant(deps, null),
    },
    async (request) => {
      const { execute } = admittedOf(request);
      const { merchantDeposit } = await execute(DepositByMerchantOrderNoDocument, {
        merchantOrderNo: request.query.merchant_order_no,
      });
      if (!merchantDeposit) throw notFound('order');
      request.logFields.orderNo = merchantDeposit.orderNo;
      return success(shownTo(admittedOf(request).actor, responseOf(merchantDeposit)));
    },
  );
}
