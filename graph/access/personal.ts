import type { ChangeKind, SubjectKind } from '../../domain/change-request';
import { masked, maskedPerson, type MaskKind } from '../../domain/personal';
import type { GraphContext } from '../context';
import { seesMasked } from '../../steps/access/masking';

/**
 * The fields with data of payers and beneficiaries, and how an operator without READ_PERSONAL sees them where the
 * setting MASK_PERSONAL is on. Accounts that we manage are not among them. HIDDEN: null. CHANGE and SUBJECT: of what
 * concerns a person all, of another change what its fields say of one, for who does not decide on it.
 */
export const PERSONAL_FIELDS = {
  'AgentText.text': 'TEXT',
  'BankDebit.memo': 'TEXT',
  'BankDebit.payeeAccount': 'NUMBER',
  'BankDebit.payeeName': 'NAME',
  'BankTransfer.memo': 'TEXT',
  'BankTransfer.payerAccount': 'NUMBER',
  'BankTransfer.payerFinding': 'TEXT',
  'BankTransfer.payerName': 'NAME',
  'Callback.requestBody': 'TEXT',
  'Callback.responseBody': 'TEXT',
  'CallbackAttempt.responseBody': 'TEXT',
  'CashierCardField.value': 'TEXT',
  'ChangeRequest.after': 'CHANGE',
  'ChangeRequest.before': 'CHANGE',
  'ChangeRequest.summary': 'CHANGE',
  'ChangeSubject.name': 'SUBJECT',
  'DepositOrder.payerName': 'NAME',
  'ListedBeneficiary.accountNo': 'NUMBER',
  'ListedPayer.value': 'TEXT',
  'PayerReturn.payeeAccount': 'NUMBER',
  'PayerReturn.payeeName': 'NAME',
  'PaymentClaim.receipt': 'HIDDEN',
  'StatementLine.memo': 'TEXT',
  'StatementLine.partyAccount': 'NUMBER',
  'StatementLine.partyName': 'NAME',
  'StatementLine.raw': 'TEXT',
  'WithdrawalOrder.beneficiaryAccount': 'NUMBER',
  'WithdrawalOrder.beneficiaryName': 'NAME',
} as const satisfies Readonly<Record<string, FieldMask>>;

type FieldMask = MaskKind | 'HIDDEN' | 'CHANGE' | 'SUBJECT';

/** How a field is masked; undefined: it has nothing personal. */
export const maskOf = (field: string): FieldMask | undefined =>
  (PERSONAL_FIELDS as Readonly<Record<string, FieldMask>>)[field];

/** What these do concerns a payer or a beneficiary, and names them. */
const OF_PEOPLE: ReadonlySet<ChangeKind> = new Set([
  ...(['MATCH_TRANSFER', 'RETURN_MONEY', 'REFUND_DEPOSIT', 'COMPLETE_RETURN'] as const),
  ...(['COMBINE_TRANSFERS', 'SPLIT_TRANSFER'] as const),
  ...(['LIST_BENEFICIARY', 'UNLIST_BENEFICIARY', 'LIST_PAYER', 'UNLIST_PAYER'] as const),
]);

/** These are people, by name. */
const PEOPLE: ReadonlySet<SubjectKind> = new Set(['listed_payer', 'beneficiary'] as const);

/** Whether a change, or what it changes, concerns a payer or a beneficiary. */
const namesPerson = (mask: 'CHANGE' | 'SUBJECT', source: unknown): boolean =>
  mask === 'CHANGE'
    ? OF_PEOPLE.has((source as { readonly kind: ChangeKind }).kind)
    : PEOPLE.has((source as { readonly kind: SubjectKind }).kind);

/** Whether the caller decides on changes: nobody approves what he cannot read. */
const decides = ({ actor }: Pick<GraphContext, 'actor'>): boolean =>
  actor.kind === 'operator' &&
  (actor.operator.permissions.has('APPROVE') || actor.operator.permissions.has('TREASURER'));

/** A field's value as this caller sees it. */
export function shownTo(context: GraphContext, mask: FieldMask, source: unknown, value: unknown): unknown {
  if (!seesMasked(context)) return value;
  if (mask === 'HIDDEN') return null;
  if (mask !== 'CHANGE' && mask !== 'SUBJECT') return masked(value, mask);
  if (decides(context)) return value;
  return namesPerson(mask, source) ? masked(value, 'TEXT') : maskedPerson(value);
}
