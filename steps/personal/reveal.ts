import {
  openBeneficiary,
  openBeneficiaryName,
  openBranch,
  openCredit,
  openDebitAccount,
  openDebitMemo,
  openDebitName,
  openExtraData,
  openFinding,
  openPayer,
  openPayerName,
  openReturnAccount,
  openReturnName,
} from '../../crypto/personal';
import { notFound } from '../../domain/errors';
import { findPayerReturns } from '../../db/ledger/payer-returns';
import { findBankDebit } from '../../db/transfers/bank-debits';
import type { Needs } from '../context';
import { operatorOf, requireReach } from '../access/caller';

/** Whose data can be revealed. */
export const SUBJECTS = ['DEPOSIT', 'WITHDRAWAL', 'BANK_TRANSFER', 'BANK_DEBIT', 'PAYER_RETURN'] as const;

export type Subject = (typeof SUBJECTS)[number];

type Values = Readonly<Record<string, string | null>>;

/** A person's data, and the merchant whose it is; null: the platform's. */
type Found = { readonly merchantId: string | null; readonly values: Values } | undefined;

/** How each is found. */
export const FIND: Record<Subject, (context: Needs<'database' | 'loaders' | 'sealer'>, id: string) => Promise<Found>> =
  {
    DEPOSIT: async ({ loaders, sealer }, id) => {
      const one = await loaders.deposits.load(id);
      if (!one) return undefined;
      const payerName = openPayerName(sealer, one);
      const { payerAccountNo, payerMobile, payerEmail } = openPayer(sealer, one);
      const extraData = openExtraData(sealer, one);
      return {
        merchantId: one.merchantId,
        values: { payerName, payerAccountNo, payerMobile, payerEmail, extraData },
      };
    },
    WITHDRAWAL: async ({ loaders, sealer }, id) => {
      const one = await loaders.withdrawals.load(id);
      if (!one) return undefined;
      const beneficiaryName = openBeneficiaryName(sealer, one);
      const beneficiaryAccount = openBeneficiary(sealer, one);
      const beneficiaryBankBranch = openBranch(sealer, one);
      const extraData = openExtraData(sealer, one);
      return {
        merchantId: one.merchantId,
        values: { beneficiaryName, beneficiaryAccount, beneficiaryBankBranch, extraData },
      };
    },
    BANK_TRANSFER: async ({ loaders, sealer }, id) => {
      const one = await loaders.bankTransfers.load(id);
      if (!one) return undefined;
      const { payerName, payerAccount, memo } = openCredit(sealer, one);
      const payerFinding = openFinding(sealer, one);
      return { merchantId: null, values: { payerName, payerAccount, memo, payerFinding } };
    },
    BANK_DEBIT: async ({ database, sealer }, id) => {
      const one = await findBankDebit(database.sql, id);
      if (!one) return undefined;
      const memo = openDebitMemo(sealer, one);
      const [payeeName, payeeAccount] = [openDebitName(sealer, one), openDebitAccount(sealer, one)];
      return { merchantId: null, values: { payeeName, payeeAccount, memo } };
    },
    PAYER_RETURN: async ({ database, sealer }, id) => {
      const [one] = await findPayerReturns(database, [id]);
      if (!one) return undefined;
      const [payeeName, payeeAccount] = [openReturnName(sealer, one), openReturnAccount(sealer, one)];
      const { payeeBank } = one;
      return { merchantId: null, values: { payeeName, payeeAccount, payeeBank } };
    },
  };

/** @throws NOT_FOUND for who is restricted to other merchants */
export function requireSight({ actor }: Needs<'actor'>, { merchantId }: NonNullable<Found>): void {
  if (merchantId !== null) requireReach(actor, merchantId, 'person');
  else if (operatorOf(actor).merchantIds !== null) throw notFound('person');
}

export const HOUR_MS = 3_600_000;
