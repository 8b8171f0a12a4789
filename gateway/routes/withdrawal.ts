import { Type } from 'typebox';
import { notFound } from '../../domain/errors';
import type { SignedParameters } from '../../domain/signing';
import { admittedOf } from '../admission';
import type { App } from '../app';
import { shownTo } from '../costs';
import type { RouteDeps } from '../deps';
import { success } from '../envelope';
import {
  CreateWithdrawalDocument,
  type CreateWithdrawalInput,
  WithdrawalByMerchantOrderNoDocument,
  WithdrawalByOrderNoDocument,
  type WithdrawalOrderFieldsFragment,
} from '../generated/operations';
import { admitMerchant } from '../merchant-admission';
import { Answer, QUERY_REFUSALS, refusals } from '../schemas/answers';
import { MerchantHeaders } from '../schemas/signed';
import { WithdrawalOrder, WithdrawalOrderCreate } from '../schemas/withdrawal';

const inputOf = (body: WithdrawalOrderCreate, texts: SignedParameters): CreateWithdrawalInput => ({
  merchantOrderNo: body.merchant_order_no,
  // As written, not as a parsed number.
  amount: texts.get('amount') ?? '',
  currencyCode: body.currency_code,
  beneficiaryName: body.beneficiary_name,
  beneficiaryAccount: body.beneficiary_account,
  beneficiaryBankCode: body.beneficiary_bank_code,
  beneficiaryBankBranch: body.beneficiary_bank_branch,
  callbackUrl: body.callback_url,
  extraData: body.extra_data,
});

const responseOf = (order: WithdrawalOrderFieldsFragment): WithdrawalOrder => ({
  id: order.id,
  order_no: order.orderNo,
  merchant_order_no: order.merchantOrderNo,
  merchant_id: order.merchantId,
  account_id: order.accountId,
  amount: order.amount,
  fee: order.fee,
  actual_amount: order.actualAmount,
  currency_code: order.currencyCode,
  beneficiary_name: order.beneficiaryName,
  beneficiary_account: order.beneficiaryAccount,
  beneficiary_bank_code: order.beneficiaryBankCode,
  beneficiary_bank_name: order.beneficiaryBankName,
  beneficiary_bank_branch: order.beneficiaryBankBranch,
  payout_method: order.payoutMethod?.toLowerCase() ?? null,
  status: order.status.toLowerCase(),
  is_auto_approved: order.isAutoApproved,
  approved_at: order.approvedAt,
  approved_by: order.approvedBy,
  approval_remarks: order.approvalRemarks,
  processed_at: order.processedAt,
  completed_at: order.completedAt,
  bank_reference: order.bankReference,
  callback_url: order.callbackUrl,
  callback_status: order.callbackStatus?.toLowerCase() ?? null,
  callback_count: order.callbackCount,
  created_at: order.createdAt,
  updated_at: order.updatedAt,
  needs_manual_intervention: order.needsManualIntervention,
  manual_reason: order.manualReason,
  channel_id: order.channelId,
  channel_name: order.channelName,
  channel_order_no: order.channelOrderNo,
  estimated_channel_cost: order.estimatedChannelCost,
  estimated_profit: order.estimatedProfit,
  actual_channel_cost: order.actualChannelCost,
  actual_profit: order.actualProfit,
  merchant: {
    id: order.merchant.id,
    merchant_code: order.merchant.merchantCode,
    name: order.merchant.name,
  },
  approver: order.approver && { id: order.approver.id, name: order.approver.name },
});

/** Withdrawals of the merchant API (contract, "Endpoints"). */
export function withdrawalRoutes(app: App, deps: RouteDeps): void {
  app.post(
    '/api/v1/merchant/orders/withdrawal',
    {
      schema: {
        operationId: 'createWithdrawal',
        summary: 'Create a withdrawal',
        tags: ['Withdrawals'],
        headers: MerchantHeaders,
        body: WithdrawalOrderCreate,
        response: {
          201: Answer(WithdrawalOrder, 'Created: pending, or approved if no person has to decide.'),
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
          ]),
        },
      },
      preValidation: admitMerchant(deps, 'can_withdraw'),
    },
    async (request, reply) => {
      const { execute, texts } = admittedOf(request);
      const input = inputOf(request.body, texts);
      const { createWithdrawal } = await execute(CreateWithdrawalDocument, { input });
      request.logFields.orderNo = createWithdrawal.orderNo;
      reply.code(201);
      return success(shownTo(admittedOf(request).actor, responseOf(createWithdrawal)));
    },
  );

  app.get(
    '/api/v1/merchant/query/withdrawal/:order_no',
    {
      schema: {
        operationId: 'getWithdrawal',
        summary: "A withdrawal by the gateway's number",
        tags: ['Withdrawals'],
        headers: MerchantHeaders,
        params: Type.Object({
          order_no: Type.String({ description: "The gateway's number, compared exactly." }),
        }),
        response: {
          200: Answer(WithdrawalOrder, 'The withdrawal.'),
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
      const { merchantWithdrawal } = await execute(WithdrawalByOrderNoDocument, { orderNo });
      if (!merchantWithdrawal) throw notFound('order');
      request.logFields.orderNo = merchantWithdrawal.orderNo;
      return success(shownTo(admittedOf(request).actor, responseOf(merchantWithdrawal)));
    },
  );

  app.get(
    '/api/v1/merchant/query/withdrawal',
    {
      schema: {
        operationId: 'findWithdrawal',
        summary: "A withdrawal by the merchant's number",
        tags: ['Withdrawals'],
        headers: MerchantHeaders,
        querystring: Type.Object({
          merchant_order_no: Type.String({ minLength: 1, description: "The merchant's number." }),
        }),
        response: {
          200: Answer(WithdrawalOrder, 'The withdrawal.'),
          ...refusals([...QUERY_REFUSALS, 'INVALID_FIELD']),
        },
      },
      preValidation: admitMerchant(deps, null),
    },
    async (request) => {
      const { execute } = admittedOf(request);
      const { merchantWithdrawal } = await execute(WithdrawalByMerchantOrderNoDocument, {
        merchantOrderNo: request.query.merchant_order_no,
      });
      if (!merchantWithdrawal) throw notFound('order');
      request.logFields.orderNo = merchantWithdrawal.orderNo;
      return success(shownTo(admittedOf(request).actor, responseOf(merchantWithdrawal)));
    },
  );
}
