import {
  Fieldset,
  NumberInput,
  PasswordInput,
  Select,
  SimpleGrid,
  Switch,
  TagsInput,
  Textarea,
  TextInput,
} from '@mantine/core';
import type { ReactNode } from 'react';
import { inWords } from '../../format/words';
import type { ChannelKind, MockOpening, WalletKind } from '../../generated/operations';
import {
  type Amounts,
  AMOUNTS,
  BREAKER,
  DEPOSIT_AMOUNTS,
  DEPOSIT_COUNTS,
  type Draft,
  NUMBERS,
  problemOf,
  TEXTS,
} from './draft';

const OPENINGS: readonly MockOpening[] = ['OPEN', 'REFUSE', 'SILENT'];
const WALLETS: readonly WalletKind[] = ['BKASH', 'NAGAD'];

/** The choices. */
export const choices = (values: readonly string[]): { value: string; label: string }[] =>
  values.map((value) => ({ value, label: inWords(value) }));

/** The fields of a channel. */
export function Fields({
  kind,
  draft,
  onChange,
}: {
  kind: ChannelKind;
  draft: Draft;
  onChange: (draft: Draft) => void;
}): ReactNode {
  const amountField = ([name, label]: readonly [keyof Amounts, string]): ReactNode => (
    <TextInput
      key={name}
      label={label}
      inputMode="decimal"
      placeholder={/Percent|Fixed/.test(name) ? undefined : 'None'}
      required={/Percent|Fixed/.test(name)}
      value={draft.amounts[name]}
      onChange={({ currentTarget: { value } }) => {
        onChange({ ...draft, amounts: { ...draft.amounts, [name]: value.trim() } });
      }}
    />
  );
  const currenciesField = (label: string, name: 'currencies' | 'depositCurrencies'): ReactNode => (
    <TagsInput
      label={label}
      description="ISO 4217. Press Enter after each."
      value={[...draft[name]]}
      onChange={(codes) => {
        onChange({ ...draft, [name]: codes.map((code) => code.trim().toUpperCase()) });
      }}
    />
  );
  const problem = problemOf(draft);
  return (
    <>
      <TextInput
        label="Name"
        value={draft.name}
        onChange={({ currentTarget: { value } }) => {
          onChange({ ...draft, name: value });
        }}
        required
      />
      <TextInput
        label="Time zone"
        description="The time zone of its days, such as Asia/Dhaka"
        value={draft.timeZone}
        onChange={({ currentTarget: { value } }) => {
          onChange({ ...draft, timeZone: value });
        }}
      />
      {kind === 'HTTP' && (
        <>
          <TextInput
            label="Address"
            description="https. Changed together with the secret"
            value={draft.baseUrl}
            onChange={({ currentTarget: { value } }) => {
              onChange({ ...draft, baseUrl: value.trim() });
            }}
          />
          <TextInput
            label="Key"
            value={draft.keyId}
            onChange={({ currentTarget: { value } }) => {
              onChange({ ...draft, keyId: value.trim() });
            }}
          />
          <PasswordInput
            label="Secret"
            description="Leave empty to keep address, key and secret"
            autoComplete="off"
            value={draft.secret}
            onChange={({ currentTarget: { value } }) => {
              onChange({ ...draft, secret: value });
            }}
          />
        </>
      )}
      {currenciesField('Pays out in', 'currencies')}
      <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
        {AMOUNTS.map(amountField)}
        {NUMBERS.map(([name, label, min]) => (
          <NumberInput
            key={name}
            label={label}
            min={min}
            allowDecimal={false}
            value={draft.numbers[name]}
            onChange={(value) => {
              if (typeof value === 'number') onChange({ ...draft, numbers: { ...draft.numbers, [name]: value } });
            }}
          />
        ))}
      </SimpleGrid>
      <Fieldset legend="Passed over if its orders fail" p="sm">
        <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
          {BREAKER.map(([name, label, min]) => (
            <NumberInput
              key={name}
              label={label}
              min={min}
              allowDecimal={false}
              value={draft.breaker[name]}
              onChange={(value) => {
                if (typeof value === 'number') onChange({ ...draft, breaker: { ...draft.breaker, [name]: value } });
              }}
            />
          ))}
        </SimpleGrid>
      </Fieldset>
      <Textarea
        label="Banks"
        description="One per line: currency, our code, its code"
        autosize
        minRows={1}
        value={draft.banks}
        onChange={({ currentTarget: { value } }) => {
          onChange({ ...draft, banks: value });
        }}
        error={problem}
      />
      {kind === 'HTTP' && (
        <Switch
          label="Confirm a refused payout by a query"
          description="Before another channel gets it"
          checked={draft.confirmRefusals}
          onChange={({ currentTarget: { checked } }) => {
            onChange({ ...draft, confirmRefusals: checked });
          }}
        />
      )}
      {currenciesField('Takes deposits in', 'depositCurrencies')}
      <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
        {DEPOSIT_AMOUNTS.map(amountField)}
        {DEPOSIT_COUNTS.map(([name, label]) => (
          <NumberInput
            key={name}
            label={label}
            placeholder="None"
            min={1}
            allowDecimal={false}
            value={draft.depositCounts[name] ?? ''}
            onChange={(value) => {
              const count = typeof value === 'number' ? value : null;
              onChange({ ...draft, depositCounts: { ...draft.depositCounts, [name]: count } });
            }}
          />
        ))}
        {TEXTS.map(([name, label]) => (
          <TextInput
            key={name}
            label={label}
            value={draft.texts[name]}
            onChange={({ currentTarget: { value } }) => {
              onChange({ ...draft, texts: { ...draft.texts, [name]: value.trim() } });
            }}
          />
        ))}
        <Select
          label="Wallet"
          data={choices(WALLETS)}
          clearable={draft.walletKind === null}
          value={draft.walletKind}
          onChange={(value) => {
            onChange({ ...draft, walletKind: value as WalletKind | null });
          }}
        />
        {kind === 'MOCK' && (
          <Select
            label="At opening"
            data={choices(OPENINGS)}
            allowDeselect={false}
            value={draft.mockOpening ?? 'OPEN'}
            onChange={(value) => {
              onChange({ ...draft, mockOpening: value as MockOpening | null });
            }}
          />
        )}
      </SimpleGrid>
      <Switch
        label="Tried before the accounts"
        checked={draft.beforeAccounts}
        onChange={({ currentTarget: { checked } }) => {
          onChange({ ...draft, beforeAccounts: checked });
        }}
      />
      <Switch
        label="Forward payers’ contact data to it (never in BDT)"
        checked={draft.acceptsContact}
        onChange={({ currentTarget: { checked } }) => {
          onChange({ ...draft, acceptsContact: checked });
        }}
      />
      {kind === 'MOCK' && (
        <Textarea
          label="Amounts"
          description="One per line: amount and outcome, such as 1313.01 FAILED. Empty: any amount"
          autosize
          minRows={1}
          value={draft.mockAmounts}
          onChange={({ currentTarget: { value } }) => {
            onChange({ ...draft, mockAmounts: value });
          }}
        />
      )}
    </>
  );
}
