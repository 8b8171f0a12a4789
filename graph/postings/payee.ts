import { Field, InputType } from 'type-graphql';
import { invalidField } from '../../domain/errors';
import { LIMITS } from '../../domain/limits';
import { isMasked } from '../../domain/personal';

@InputType({ description: 'Where money goes back to.' })
export class PayeeInput {
  @Field({ description: 'The name of who gets it, 1-128 characters.' })
  name!: string;

  @Field({ description: 'The account number, 1-64 characters.' })
  account!: string;

  @Field(() => String, { nullable: true, description: 'The bank, for who sends it.' })
  bank?: string | null;
}

/** The payee of a return, as it is stored. @throws INVALID_FIELD if money cannot be sent there */
export function checkedPayee({ name, account, bank }: PayeeInput): {
  readonly payeeName: string;
  readonly payeeAccount: string;
  readonly payeeBank: string | null;
} {
  const [payeeName, payeeAccount] = [name.trim(), account.trim()];
  if (payeeName === '' || payeeName.length > LIMITS.beneficiaryName)
    throw invalidField('payee.name', `must have 1-${LIMITS.beneficiaryName} characters`);
  if (payeeAccount === '' || payeeAccount.length > LIMITS.beneficiaryAccount)
    throw invalidField('payee.account', `must have 1-${LIMITS.beneficiaryAccount} characters`);
  if (isMasked(payeeName) || isMasked(payeeAccount))
    throw invalidField('payee', 'is masked: reveal the payer first');
  return { payeeName, payeeAccount, payeeBank: bank?.trim() || null };
}
