import {
  NumberInput,
  PasswordInput,
  Select,
  SimpleGrid,
  Switch,
  TagsInput,
  Textarea,
  TextInput,
} from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { useAction } from '../../client/action';
import { environment } from '../../client/page-settings';
import { inWords } from '../../format/words';
import {
  type ChannelFieldsFragment,
  type ChannelKind,
  type ChannelSettingsInput,
  CreateChannelDocument,
  type MockDepositOutcome,
  type MockOpening,
  type MockOutcome,
  SetChannelEnabledDocument,
  SetMockOutcomeDocument,
  UpdateChannelDocument,
  type WalletKind,
} from '../../generated/operations';
import { notifyProposed, ProposeDialog } from '../../parts/propose';
import { ReasonDialog } from '../../parts/reason';

type Channel = ChannelFieldsFragment;

const OUTCOMES: readonly MockOutcome[] = ['PENDING', 'COMPLETED', 'FAILED'];
const OPENINGS: readonly MockOpening[] = ['OPEN', 'REFUSE', 'SILENT'];
const WALLETS: readonly WalletKind[] = ['BKASH', 'NAGAD'];
const AMOUNT_OUTCOMES: readonly MockDepositOutcome[] = [
  ...(['PENDING', 'MATCHED', 'COMPLETED', 'FAILED', 'REFUSED', 'SILENT'] as const),
];

/** Amounts as they are typed; "" is no limit. */
const AMOUNTS = [
  ['minAmount', 'Least payout'],
  ['maxAmount', 'Greatest payout'],
  ['lowBalance', 'Alert below a balance of'],
  ['costPercent', 'Cost of a payout, percent'],
  ['costFixed', 'Cost of a payout, fixed'],
] as const;
const DEPOSIT_AMOUNTS = [
  ['depositMin', 'Least deposit'],
  ['depositMax', 'Greatest deposit'],
  ['depositPercent', 'Cost of a deposit, percent'],
  ['depositFixed', 'Cost of a deposit, fixed'],
] as const;
const NUMBERS = [
  ['priority', 'Priority (the lowest first)', 0],
  ['weight', 'Weight among equals', 1],
  ['timeoutSeconds', 'Timeout, seconds', 1],
  ['failureFinalDelaySeconds', 'A failure is final after, seconds', 0],
  ['answerWithinSeconds', 'Waits for an answer, seconds', 1],
] as const;
const TEXTS = [
  ['contactMobile', 'Contact mobile (BDT)'],
  ['contactEmail', 'Contact e-mail (BDT)'],
  ['accountId', 'Reports on the account (id)'],
] as const;

type Amounts = Readonly<
  Record<(typeof AMOUNTS)[number][0] | (typeof DEPOSIT_AMOUNTS)[number][0], string>
>;
type Texts = Readonly<Record<(typeof TEXTS)[number][0], string>>;
type Numbers = Readonly<Record<(typeof NUMBERS)[number][0], number>>;

interface Draft {
  readonly name: string;
  readonly timeZone: string;
  readonly currencies: readonly string[];
  readonly depositCurrencies: readonly string[];
  readonly amounts: Amounts;
  readonly numbers: Numbers;
  readonly texts: Texts;
  readonly beforeAccounts: boolean;
  readonly acceptsContact: boolean;
  readonly walletKind: WalletKind | null;
  readonly mockOpening: MockOpening | null;
  /** A line each: "1313.01 COMPLETED". */
  readonly mockAmounts: string;
  /** A line each: "THB KBANK 004". */
  readonly banks: string;
  readonly baseUrl: string;
  readonly keyId: string;
  readonly secret: string;
}

const NEW: Draft = {
  ...{ name: '', timeZone: 'UTC', currencies: [], depositCurrencies: [] },
  amounts: {
    ...{ minAmount: '', maxAmount: '', lowBalance: '', costPercent: '0', costFixed: '0' },
    ...{ depositMin: '', depositMax: '', depositPercent: '0', depositFixed: '0' },
  },
  numbers: {
    ...{ priority: 100, weight: 1, timeoutSeconds: 10 },
    ...{ failureFinalDelaySeconds: 600, answerWithinSeconds: 1_800 },
  },
  texts: { contactMobile: '', contactEmail: '', accountId: '' },
  ...{ beforeAccounts: false, acceptsContact: false, walletKind: null, mockOpening: null },
  ...{ mockAmounts: '', banks: '', baseUrl: '', keyId: '', secret: '' },
};

const draftOf = (channel: Channel): Draft => {
  const { deposits } = channel;
  return {
    name: channel.name,
    timeZone: channel.timeZone,
    currencies: channel.currencies,
    depositCurrencies: deposits.currencies,
    amounts: {
      minAmount: channel.minAmount ?? '',
      maxAmount: channel.maxAmount ?? '',
      lowBalance: channel.lowBalance ?? '',
      costPercent: channel.cost.percent,
      costFixed: channel.cost.fixed,
      depositMin: deposits.minAmount ?? '',
      depositMax: deposits.maxAmount ?? '',
      depositPercent: deposits.cost.percent,
      depositFixed: deposits.cost.fixed,
    },
    numbers: channel,
    texts: {
      contactMobile: deposits.contactMobile ?? '',
      contactEmail: deposits.contactEmail ?? '',
      accountId: deposits.accountId ?? '',
    },
    beforeAccounts: deposits.beforeAccounts,
    acceptsContact: deposits.acceptsContact,
    walletKind: deposits.walletKind ?? null,
    mockOpening: deposits.mockOpening ?? null,
    mockAmounts: deposits.mockAmounts
      .map(({ amount, outcome }) => `${amount} ${outcome}`)
      .join('\n'),
    banks: channel.banks
      .map((bank) => `${bank.currencyCode} ${bank.bankCode} ${bank.channelBankCode}`)
      .join('\n'),
    ...{ baseUrl: channel.baseUrl ?? '', keyId: channel.keyId ?? '', secret: '' },
  };
};

const linesOf = (text: string): readonly string[][] =>
  text
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
    .filter(([first]) => first !== '');

/** Lines that are not what they should be. */
function problemOf({ mockAmounts, banks }: Draft): string | null {
  const amount = linesOf(mockAmounts).find(
    ([, outcome, ...more]) => more.length > 0 || !AMOUNT_OUTCOMES.some((one) => one === outcome),
  );
  if (amount) return `“${amount.join(' ')}” is not an amount and an outcome`;
  const bank = linesOf(banks).find((words) => words.length !== 3);
  return bank ? `“${bank.join(' ')}” is not a currency, our code and its code` : null;
}

/** What the form says, whole: 0 clears a limit, "" a text. */
function settingsOf(draft: Draft, kind: ChannelKind): ChannelSettingsInput {
  const { amounts, numbers, texts } = draft;
  const limit = (text: string): string => (text === '' ? '0' : text);
  const mock = kind === 'MOCK';
  return {
    name: draft.name.trim(),
    timeZone: draft.timeZone.trim(),
    currencies: [...draft.currencies],
    minAmount: limit(amounts.minAmount),
    maxAmount: limit(amounts.maxAmount),
    lowBalance: limit(amounts.lowBalance),
    priority: numbers.priority,
    weight: numbers.weight,
    timeoutSeconds: numbers.timeoutSeconds,
    failureFinalDelaySeconds: numbers.failureFinalDelaySeconds,
    answerWithinSeconds: numbers.answerWithinSeconds,
    cost: { percent: amounts.costPercent, fixed: amounts.costFixed },
    banks: linesOf(draft.banks).map(([currencyCode = '', bankCode = '', channelBankCode = '']) => ({
      ...{ currencyCode, bankCode, channelBankCode },
    })),
    ...(draft.secret !== '' && {
      address: { baseUrl: draft.baseUrl, keyId: draft.keyId, secret: draft.secret },
    }),
    deposits: {
      currencies: [...draft.depositCurrencies],
      minAmount: limit(amounts.depositMin),
      maxAmount: limit(amounts.depositMax),
      beforeAccounts: draft.beforeAccounts,
      cost: { percent: amounts.depositPercent, fixed: amounts.depositFixed },
      acceptsContact: draft.acceptsContact,
      ...texts,
      ...(draft.walletKind && { walletKind: draft.walletKind }),
      ...(mock && {
        ...(draft.mockOpening && { mockOpening: draft.mockOpening }),
        mockAmounts: linesOf(draft.mockAmounts).map(([amount = '', outcome = '']) => ({
          ...{ amount, outcome: outcome as MockDepositOutcome },
        })),
      }),
    },
  };
}

const choices = (values: readonly string[]): { value: string; label: string }[] =>
  values.map((value) => ({ value, label: inWords(value) }));

/** The fields of a channel. */
function Fields({
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
        description="In which it counts days, such as Asia/Dhaka"
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
              if (typeof value === 'number')
                onChange({ ...draft, numbers: { ...draft.numbers, [name]: value } });
            }}
          />
        ))}
      </SimpleGrid>
      <Textarea
        label="Banks"
        description="A line each: currency, our code, its code"
        autosize
        minRows={1}
        value={draft.banks}
        onChange={({ currentTarget: { value } }) => {
          onChange({ ...draft, banks: value });
        }}
        error={problem}
      />
      {currenciesField('Takes deposits in', 'depositCurrencies')}
      <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
        {DEPOSIT_AMOUNTS.map(amountField)}
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
        label="Asked before the accounts"
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
          description="A line each: amount and outcome, such as 1313.01 FAILED. None: any amount"
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

/** Proposes a channel. */
export function NewChannel({ onClose }: { onClose: () => void }): ReactNode {
  const create = useAction(CreateChannelDocument);
  const [kind, setKind] = useState<ChannelKind>(environment() === 'sandbox' ? 'MOCK' : 'HTTP');
  const [channelCode, setCode] = useState('');
  const [mapped, setMapped] = useState(false);
  const [draft, setDraft] = useState(NEW);
  return (
    <ProposeDialog
      title="New channel"
      wide
      busy={create.busy}
      failure={create.failure}
      ready={channelCode !== '' && draft.name.trim() !== '' && problemOf(draft) === null}
      onPropose={async (why) => {
        const declared = kind === 'HTTP' && mapped;
        const input = {
          ...{ channelCode, kind, settings: settingsOf(draft, kind) },
          ...(declared && { mapped: true }),
        };
        const done = await create.run({ input, ...why });
        if (!done) return;
        notifyProposed(done.createChannel.change);
        onClose();
      }}
      onClose={onClose}
    >
      <TextInput
        label="Code"
        description="For ever: a-z, 0-9 and -. Its webhook address has it"
        value={channelCode}
        onChange={({ currentTarget: { value } }) => {
          setCode(value.trim().toLowerCase());
        }}
        data-autofocus
        required
      />
      {environment() === 'sandbox' && (
        <Select
          label="Kind"
          data={[
            { value: 'MOCK', label: 'Mock' },
            { value: 'HTTP', label: 'HTTP' },
          ]}
          allowDeselect={false}
          value={kind}
          onChange={(value) => {
            setKind(value === 'HTTP' ? 'HTTP' : 'MOCK');
          }}
        />
      )}
      {kind === 'HTTP' && (
        <Switch
          label="Speaks by a declared mapping"
          description="For ever. It stays disabled until a mapping is in force. Off: it speaks our own protocol"
          checked={mapped}
          onChange={({ currentTarget: { checked } }) => {
            setMapped(checked);
          }}
        />
      )}
      <Fields kind={kind} draft={draft} onChange={setDraft} />
    </ProposeDialog>
  );
}

/** Proposes other settings of a channel. */
export function EditChannel({
  channel,
  onClose,
}: {
  channel: Channel;
  onClose: () => void;
}): ReactNode {
  const update = useAction(UpdateChannelDocument);
  const [draft, setDraft] = useState(() => draftOf(channel));
  return (
    <ProposeDialog
      title={`Settings of ${channel.name}`}
      wide
      busy={update.busy}
      failure={update.failure}
      ready={draft.name.trim() !== '' && problemOf(draft) === null}
      onPropose={async (why) => {
        const settings = settingsOf(draft, channel.kind);
        const done = await update.run({ id: channel.id, settings, ...why });
        if (!done) return;
        notifyProposed(done.updateChannel.change);
        onClose();
      }}
      onClose={onClose}
    >
      <Fields kind={channel.kind} draft={draft} onChange={setDraft} />
    </ProposeDialog>
  );
}

/** Proposes to enable a channel, or disables it at once. */
export function EnableChannel({
  channel,
  onClose,
}: {
  channel: Channel;
  onClose: () => void;
}): ReactNode {
  const set = useAction(SetChannelEnabledDocument);
  const { id, name, enabled } = channel;
  return (
    <ProposeDialog
      title={`${enabled ? 'Disable' : 'Enable'} ${name}`}
      act={enabled ? 'Disable' : 'Propose'}
      danger={enabled}
      busy={set.busy}
      failure={set.failure}
      onPropose={async (why) => {
        const done = await set.run({ id, enabled: !enabled, ...why });
        if (!done) return;
        notifyProposed(done.setChannelEnabled.change);
        onClose();
      }}
      onClose={onClose}
    >
      {enabled
        ? 'It gets no new payouts and no new deposits, at once. What is under way goes on.'
        : 'It gets payouts and deposits once another person approves.'}
    </ProposeDialog>
  );
}

/** Sets what becomes of the open orders of a mock channel. */
export function MockDialog({
  channel,
  onClose,
}: {
  channel: Channel;
  onClose: () => void;
}): ReactNode {
  const set = useAction(SetMockOutcomeDocument, 'The outcome is set.');
  const [outcome, setOutcome] = useState<MockOutcome>(channel.mockOutcome ?? 'COMPLETED');
  return (
    <ReasonDialog
      title={`Outcome of ${channel.name}`}
      act="Set"
      busy={set.busy}
      failure={set.failure}
      onAct={async (reason) => {
        if (await set.run({ id: channel.id, outcome, reason })) onClose();
      }}
      onClose={onClose}
    >
      <Select
        label="Outcome"
        description="Of its open payouts and deposits, at once"
        data={choices(OUTCOMES)}
        allowDeselect={false}
        value={outcome}
        onChange={(value) => {
          setOutcome((value as MockOutcome | null) ?? outcome);
        }}
      />
    </ReasonDialog>
  );
}
