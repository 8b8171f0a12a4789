import { TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import type { PayeeInput } from '../generated/operations';

/** The recipient of a return, as it is typed. */
export interface PayeeDraft {
  readonly payeeName: string;
  readonly payeeAccount: string;
  readonly payeeBank: string;
}

/** As the API takes it; null while it is not filled in, or masked. */
export function payeeOf({ payeeName, payeeAccount, payeeBank }: PayeeDraft): PayeeInput | null {
  const [name, account] = [payeeName.trim(), payeeAccount.trim()];
  if (name === '' || account === '' || /•••/.test(name + account)) return null;
  return { name, account, bank: payeeBank.trim() || null };
}

/** The account to which money is returned. */
export function Payee({ draft, set }: { draft: PayeeDraft; set: (change: Partial<PayeeDraft>) => void }): ReactNode {
  const field = (label: string, name: keyof PayeeDraft): ReactNode => (
    <TextInput
      label={label}
      value={draft[name]}
      onChange={({ currentTarget: { value } }) => {
        set({ [name]: value });
      }}
    />
  );
  return (
    <>
      {field('Name', 'payeeName')}
      {field('Account number', 'payeeAccount')}
      {field('Bank', 'payeeBank')}
    </>
  );
}
