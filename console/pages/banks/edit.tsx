import { Switch, Textarea, TextInput } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { useAction } from '../../client/action';
import { type BankRowFragment, PutBanksDocument } from '../../generated/operations';
import { ProposeDialog, notifyProposed } from '../../parts/propose';

/** Proposes a bank's new name, or whether it accepts new withdrawals. */
export function EditBank({
  bank: { bankCode, currencyCode, ...bank },
  onClose,
}: {
  bank: BankRowFragment;
  onClose: () => void;
}): ReactNode {
  const put = useAction(PutBanksDocument);
  const [name, setName] = useState(bank.name);
  const [enabled, setEnabled] = useState(bank.enabled);
  return (
    <ProposeDialog
      title={`${bankCode} in ${currencyCode}`}
      busy={put.busy}
      failure={put.failure}
      ready={name.trim() !== '' && (name.trim() !== bank.name || enabled !== bank.enabled)}
      onPropose={async (why) => {
        const banks = [{ bankCode, name: name.trim(), enabled }];
        const done = await put.run({ currencyCode, banks, ...why });
        if (!done) return;
        notifyProposed(done.putBanks.change);
        onClose();
      }}
      onClose={onClose}
    >
      <TextInput
        label="Name"
        description="Shown as the beneficiary's bank. Merchants use the code."
        value={name}
        onChange={({ currentTarget: { value } }) => {
          setName(value);
        }}
        required
        data-autofocus
      />
      <Switch
        label="Accepts new withdrawals"
        checked={enabled}
        onChange={({ currentTarget: { checked } }) => {
          setEnabled(checked);
        }}
      />
    </ProposeDialog>
  );
}

/** "KBANK Kasikornbank", one bank per line. */
const banksOf = (text: string): { bankCode: string; name: string }[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .map((line) => {
      const [bankCode = '', ...name] = line.split(/\s+/);
      return { bankCode, name: name.join(' ') };
    });

/** Proposes new banks for a currency's directory. */
export function AddBanks({
  currency,
  taken,
  onClose,
}: {
  /** The filtered currency; empty: none. */
  currency: string;
  /** The existing banks, as `THB KBANK`. */
  taken: ReadonlySet<string>;
  onClose: () => void;
}): ReactNode {
  const put = useAction(PutBanksDocument);
  const [currencyCode, setCurrency] = useState(currency);
  const [text, setText] = useState('');
  const banks = banksOf(text);
  const nameless = banks.find(({ name }) => name === '');
  const there = banks.find(({ bankCode }) => taken.has(`${currencyCode} ${bankCode}`));
  const fault =
    (nameless && `${nameless.bankCode} has no name`) ??
    (there && `${there.bankCode} already exists: change it in the list`) ??
    null;
  return (
    <ProposeDialog
      title="Add banks"
      busy={put.busy}
      failure={put.failure}
      ready={/^[A-Z]{3}$/.test(currencyCode) && banks.length > 0 && fault === null}
      onPropose={async (why) => {
        const done = await put.run({ currencyCode, banks, ...why });
        if (!done) return;
        notifyProposed(done.putBanks.change);
        onClose();
      }}
      onClose={onClose}
    >
      <TextInput
        label="Currency"
        description="ISO 4217"
        value={currencyCode}
        onChange={({ currentTarget: { value } }) => {
          setCurrency(value.trim().toUpperCase());
        }}
        required
      />
      <Textarea
        label="Banks"
        description="One per line: the code that merchants send, then the name."
        placeholder="KBANK Kasikornbank"
        error={fault}
        value={text}
        onChange={({ currentTarget: { value } }) => {
          setText(value);
        }}
        autosize
        minRows={4}
        required
      />
    </ProposeDialog>
  );
}
