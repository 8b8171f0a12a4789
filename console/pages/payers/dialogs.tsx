import { Radio, Select, Stack, TextInput } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { LIMITS } from '../../../domain/limits';
import { useAction } from '../../client/action';
import {
  type ListedPayerRowFragment,
  ListPayerDocument,
  type PayerList,
  type PayerTrait,
  UnlistPayerDocument,
} from '../../generated/operations';
import { ProposeDialog, notifyProposed } from '../../parts/propose';
import { choicesOf, LIST_MEANS, LIST_WORDS, TRAIT_WORDS } from './words';

interface DialogProps {
  /** Called after a proposal or a change. */
  readonly onDone: () => void;
  readonly onClose: () => void;
}

const LISTS = ['DENY', 'WATCH', 'ALLOW'] as const;

/** Puts a payer on a list. */
export function ListPayerDialog({
  merchants,
  onDone,
  onClose,
}: DialogProps & {
  readonly merchants: readonly { readonly id: string; readonly merchantCode: string }[];
}): ReactNode {
  const put = useAction(ListPayerDocument);
  const [list, setList] = useState<PayerList>('DENY');
  const [trait, setTrait] = useState<PayerTrait>('NAME');
  const [merchantId, setMerchant] = useState<string | null>(null);
  const [value, setValue] = useState('');
  const [bankCode, setBank] = useState('');
  const [until, setUntil] = useState('');
  const ends = new Date(until);
  return (
    <ProposeDialog
      title="List a payer"
      act={list === 'ALLOW' ? 'Propose' : 'List'}
      busy={put.busy}
      failure={put.failure}
      ready={value.trim() !== '' && (until === '' || !Number.isNaN(ends.getTime()))}
      onPropose={async (why) => {
        const input = {
          list,
          trait,
          merchantId,
          value: value.trim(),
          bankCode: trait === 'ACCOUNT' && bankCode.trim() !== '' ? bankCode.trim() : null,
          expiresAt: until === '' ? null : ends.toISOString(),
        };
        const done = await put.run({ input, ...why });
        if (!done) return;
        notifyProposed(done.listPayer.change);
        onDone();
        onClose();
      }}
      onClose={onClose}
    >
      <Radio.Group
        label="List"
        value={list}
        onChange={(chosen) => {
          setList(LISTS.find((one) => one === chosen) ?? 'DENY');
        }}
      >
        <Stack gap="xs" mt={6}>
          {LISTS.map((one) => (
            <Radio key={one} value={one} label={LIST_WORDS[one]} description={LIST_MEANS[one]} />
          ))}
        </Stack>
      </Radio.Group>
      <Select
        label="Known by"
        data={choicesOf(TRAIT_WORDS)}
        value={trait}
        allowDeselect={false}
        onChange={(chosen) => {
          if (chosen !== null) setTrait(chosen);
        }}
      />
      <TextInput
        label={TRAIT_WORDS[trait]}
        description={trait === 'NAME' ? 'The whole name; the order of its words does not matter' : undefined}
        maxLength={LIMITS.email}
        value={value}
        onChange={({ currentTarget: { value: text } }) => {
          setValue(text);
        }}
        required
        data-autofocus
      />
      {trait === 'ACCOUNT' && (
        <TextInput
          label="At the bank"
          placeholder="At any"
          maxLength={LIMITS.beneficiaryBankCode}
          value={bankCode}
          onChange={({ currentTarget: { value: text } }) => {
            setBank(text);
          }}
        />
      )}
      <Select
        label="For"
        placeholder="All merchants"
        clearable
        data={merchants.map(({ id, merchantCode }) => ({ value: id, label: merchantCode }))}
        value={merchantId}
        onChange={setMerchant}
      />
      <TextInput
        label="Until"
        description="Empty: until it is removed"
        type="datetime-local"
        value={until}
        onChange={({ currentTarget: { value: text } }) => {
          setUntil(text);
        }}
      />
    </ProposeDialog>
  );
}

/** Takes a payer off its list. */
export function UnlistPayerDialog({
  listed,
  onDone,
  onClose,
}: DialogProps & { readonly listed: ListedPayerRowFragment }): ReactNode {
  const take = useAction(UnlistPayerDocument);
  const { id, value, list } = listed;
  const opens = list !== 'ALLOW';
  return (
    <ProposeDialog
      title={`Remove ${value} from the ${LIST_WORDS[list].toLowerCase()}`}
      act={opens ? 'Propose' : 'Remove'}
      evidence={false}
      busy={take.busy}
      failure={take.failure}
      onPropose={async ({ reason }) => {
        const done = await take.run({ id, reason });
        if (!done) return;
        notifyProposed(done.unlistPayer.change);
        onDone();
        onClose();
      }}
      onClose={onClose}
    >
      <p>
        {opens
          ? 'Orders and money of this payer are treated like others again. Another operator must approve.'
          : 'This is a restriction, so it takes effect at once.'}
      </p>
    </ProposeDialog>
  );
}
