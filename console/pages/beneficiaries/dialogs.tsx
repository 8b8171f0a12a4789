import { Radio, Select, Stack, TextInput } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { LIMITS } from '../../../domain/limits';
import { useAction } from '../../client/action';
import {
  type BeneficiaryList,
  type BeneficiaryRowFragment,
  ListBeneficiaryDocument,
  UnlistBeneficiaryDocument,
} from '../../generated/operations';
import { ProposeDialog, notifyProposed } from '../../parts/propose';

interface DialogProps {
  /** Called after a proposal or a change. */
  readonly onDone: () => void;
  readonly onClose: () => void;
}

/** The lists' names. */
export const LIST_WORDS: Readonly<Record<BeneficiaryList, string>> = {
  ALLOW: 'Allowlist',
  DENY: 'Denylist',
};

const LISTS = ['DENY', 'ALLOW'] as const;

const WHAT_FOLLOWS: Readonly<Record<BeneficiaryList, string>> = {
  ALLOW:
    'The rules for new beneficiaries and for a beneficiary’s daily sums do not apply. Another operator must approve.',
  DENY: 'Each withdrawal to this account needs two approvals. This is a restriction, so it takes effect at once.',
};

/** Puts a beneficiary on a list. */
export function ListDialog({
  merchants,
  onDone,
  onClose,
}: DialogProps & {
  readonly merchants: readonly { readonly id: string; readonly merchantCode: string }[];
}): ReactNode {
  const put = useAction(ListBeneficiaryDocument);
  const [list, setList] = useState<BeneficiaryList>('DENY');
  const [merchantId, setMerchant] = useState<string | null>(null);
  const [bankCode, setBank] = useState('');
  const [accountNo, setAccount] = useState('');
  return (
    <ProposeDialog
      title="List a beneficiary"
      act={list === 'DENY' ? 'Deny' : 'Propose'}
      busy={put.busy}
      failure={put.failure}
      ready={bankCode.trim() !== '' && accountNo !== ''}
      onPropose={async (why) => {
        const beneficiary = { list, merchantId, bankCode: bankCode.trim(), accountNo };
        const done = await put.run({ ...beneficiary, ...why });
        if (!done) return;
        notifyProposed(done.listBeneficiary.change);
        onDone();
        onClose();
      }}
      onClose={onClose}
    >
      <Radio.Group
        label="List"
        value={list}
        onChange={(value) => {
          setList(value === 'DENY' ? 'DENY' : 'ALLOW');
        }}
      >
        <Stack gap="xs" mt={6}>
          {LISTS.map((one) => (
            <Radio key={one} value={one} label={LIST_WORDS[one]} description={WHAT_FOLLOWS[one]} />
          ))}
        </Stack>
      </Radio.Group>
      <TextInput
        label="Bank code"
        description="The code in the bank directory"
        maxLength={LIMITS.beneficiaryBankCode}
        value={bankCode}
        onChange={({ currentTarget: { value } }) => {
          setBank(value);
        }}
        required
        data-autofocus
      />
      <TextInput
        label="Account number"
        description="Exactly as merchants send it"
        maxLength={LIMITS.beneficiaryAccount}
        value={accountNo}
        onChange={({ currentTarget: { value } }) => {
          setAccount(value);
        }}
        required
      />
      <Select
        label="For"
        placeholder="All merchants"
        clearable
        data={merchants.map(({ id, merchantCode }) => ({ value: id, label: merchantCode }))}
        value={merchantId}
        onChange={setMerchant}
      />
    </ProposeDialog>
  );
}

/** Takes a beneficiary off its list. */
export function UnlistDialog({
  listed,
  onDone,
  onClose,
}: DialogProps & { readonly listed: BeneficiaryRowFragment }): ReactNode {
  const take = useAction(UnlistBeneficiaryDocument);
  const { id, bankCode, accountNo, list } = listed;
  const opens = list === 'DENY';
  return (
    <ProposeDialog
      title={`Remove ${bankCode} ${accountNo} from the ${LIST_WORDS[list].toLowerCase()}`}
      act={opens ? 'Propose' : 'Remove'}
      evidence={false}
      busy={take.busy}
      failure={take.failure}
      onPropose={async ({ reason }) => {
        const done = await take.run({ id, reason });
        if (!done) return;
        notifyProposed(done.unlistBeneficiary.change);
        onDone();
        onClose();
      }}
      onClose={onClose}
    >
      <p>
        {opens
          ? 'The rules apply to it again. Another operator must approve.'
          : 'This is a restriction, so it takes effect at once.'}
      </p>
    </ProposeDialog>
  );
}
