import { Arg, Authorized, Ctx, Mutation, registerEnumType, Resolver } from 'type-graphql';
import { uuidv7 } from 'uuidv7';
import { normaliseReference } from '../../domain/bank-reference';
import { businessError, notFound } from '../../domain/errors';
import { money } from '../../domain/money';
import { receiptOf } from '../../domain/sealed-for';
import { hurryDeposit } from '../../db/cashier/sessions';
import { claimPayment } from '../../db/cashier/payment-claims';
import type { GraphContext } from '../context';
import { enumOf } from '../scalars';
import { recordTransfer } from '../../steps/transfers/record-transfer';
import { CashierView, currentView } from './cashier-view';
import { payerOf } from '../../steps/cashier/payer';
import { orderOf, receiptPicture, referenceOf } from '../../steps/cashier/payer-actions';

/** The outcomes that a payer of a sandbox may simulate. */
const SIMULATED_OUTCOMES = ['PAID', 'WRONG_AMOUNT', 'EXPIRED'] as const;
type SimulatedOutcome = (typeof SIMULATED_OUTCOMES)[number];
const SimulatedOutcomeEnum = enumOf(SIMULATED_OUTCOMES);
registerEnumType(SimulatedOutcomeEnum, {
  name: 'SimulatedOutcome',
  description: 'What a payer of a sandbox may have happen.',
  valuesConfig: {
    PAID: { description: 'The bank reports exactly what is to be paid.' },
    WRONG_AMOUNT: { description: 'The bank reports one unit more: it waits for an operator.' },
    EXPIRED: { description: "The order's time runs out now." },
  },
});

@Resolver()
export class PayerActionsResolver {
  @Authorized('PAYER')
  @Mutation(() => CashierView, {
    description:
      'The payer says to have paid. A person is shown it beside unmatched transfers; it credits nothing. Said again it takes the place of what was said.',
  })
  async claimPayment(
    @Arg('reference', { description: "The bank's reference; 1-128 characters." }) text: string,
    @Ctx() context: GraphContext,
    @Arg('receipt', () => String, {
      nullable: true,
      description: 'A PNG, JPEG or WebP picture of at most 2 MB, base64.',
    })
    receipt?: string | null,
  ): Promise<CashierView> {
    const deposit = await orderOf(context);
    const { sessionId } = payerOf(context.actor);
    const reference = referenceOf(text);
    const picture = receiptPicture(receipt);
    const claimed = await claimPayment(context.database, {
      id: uuidv7(),
      depositId: deposit.id,
      merchantId: deposit.merchantId,
      sessionId,
      reference,
      referenceKey: normaliseReference(reference),
      receipt: picture && {
        type: picture.type,
        bytes: context.sealer.sealBytes(picture.bytes, receiptOf(deposit.id)),
      },
      at: context.now,
    });
    if (!claimed) throw businessError('WRONG_STATE', 'the payment has already arrived');
    context.log.info({ orderNo: deposit.orderNo }, 'a payer claims to have paid');
    return await currentView(context);
  }

  @Authorized('PAYER')
  @Mutation(() => CashierView, {
    description:
      'Simulates a report of the bank, or the expiry, through the same code as real ones. Only in a sandbox: elsewhere NOT_FOUND.',
  })
  async simulatePayment(
    @Arg('outcome', () => SimulatedOutcomeEnum) outcome: SimulatedOutcome,
    @Ctx() context: GraphContext,
  ): Promise<CashierView> {
    if (context.environment !== 'sandbox') throw notFound('operation');
    const deposit = await orderOf(context);
    if (outcome === 'EXPIRED') {
      if (!(await hurryDeposit(context.database, deposit.id, context.now)))
        throw businessError('WRONG_STATE', 'the order no longer waits for a payment');
    } else if (deposit.accountId === null) {
      throw businessError('NOT_ENABLED', 'a channel order is paid at its channel: set its outcome');
    } else {
      const { amount, accountId, currencyCode, expectedRemark } = deposit;
      const paid = outcome === 'PAID' ? amount : amount.plus(money('1'));
      await recordTransfer(context, {
        accountId,
        amount: paid,
        currencyCode,
        bankTime: context.now,
        memo: expectedRemark ?? 'simulated payment',
        bankReference: `SIM-${uuidv7()}`,
        payerName: 'Simulated Payer',
      });
    }
    return await currentView(context);
  }
}
