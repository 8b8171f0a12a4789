import { NumberInput, Select, SimpleGrid, TextInput } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { useAction } from '../../client/action';
import {
  type AccountRowFragment,
  type BankAccountMode,
  type BankAccountStatus,
  CreateBankAccountDocument,
  SetBankAccountStatusDocument,
  UpdateBankAccountDocument,
} from '../../generated/operations';
import { ProposeDialog, notifyProposed } from '../../parts/propose';

interface Limits {
  readonly minAmount: string;
  readonly maxAmount: string;
  readonly maxDailyAmount: string;
  readonly maxMonthlyAmount: string;
  readonly maxBalance: string;
  readonly maxDailyCount: number | null;
  readonly maxMonthlyCount: number | null;
  readonly maxOpenDeposits: number;
}
interface Float {
  readonly step: string;
  readonly up: string;
  readonly down: string;
  readonly quarantineMinutes: number;
}

const NO_LIMITS: Limits = {
  minAmount: '',
  maxAmount: '',
  maxDailyAmount: '',
  maxMonthlyAmount: '',
  maxBalance: '',
  maxDailyCount: null,
  maxMonthlyCount: null,
  maxOpenDeposits: 1_000,
};
const USUAL_FLOAT: Float = { step: '0.01', up: '1', down: '1', quarantineMinutes: 60 };
const LIMITS = [
  ['minAmount', 'Minimum deposit'],
  ['maxAmount', 'Maximum deposit'],
  ['maxDailyAmount', 'Daily limit'],
  ['maxMonthlyAmount', 'Monthly limit'],
  ['maxBalance', 'Balance limit'],
] as const;
const COUNTS = [
  ['maxDailyCount', 'Bank credits a day'],
  ['maxMonthlyCount', 'Bank credits a month'],
] as const;
const FLOATS = [
  ['step', 'Step'],
  ['up', 'Maximum added'],
  ['down', 'Maximum subtracted'],
] as const;

/** Its float without `__typename`, which an input may not have. */
const floatOf = ({ float }: AccountRowFragment): Float | null =>
  float && {
    ...{ step: float.step, up: float.up, down: float.down },
    quarantineMinutes: float.quarantineMinutes,
  };

const limitsInput = (limits: Limits) => ({
  ...limits,
  minAmount: limits.minAmount || null,
  maxAmount: limits.maxAmount || null,
  maxDailyAmount: limits.maxDailyAmount || null,
  maxMonthlyAmount: limits.maxMonthlyAmount || null,
  maxBalance: limits.maxBalance || null,
});

function LimitFields({
  value,
  onChange,
}: {
  value: Limits;
  onChange: (next: Limits) => void;
}): ReactNode {
  return (
    <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
      {LIMITS.map(([name, label]) => (
        <TextInput
          key={name}
          label={label}
          placeholder="No limit"
          inputMode="decimal"
          value={value[name]}
          onChange={({ currentTarget: { value: text } }) => {
            onChange({ ...value, [name]: text.trim() });
          }}
        />
      ))}
      {COUNTS.map(([name, label]) => (
        <NumberInput
          key={name}
          label={label}
          placeholder="No limit"
          min={1}
          allowDecimal={false}
          value={value[name] ?? ''}
          onChange={(count) => {
            onChange({ ...value, [name]: count === '' ? null : Number(count) });
          }}
        />
      ))}
      <NumberInput
        label="Maximum open deposits"
        min={1}
        allowDecimal={false}
        value={value.maxOpenDeposits}
        onChange={(maxOpenDeposits) => {
          if (typeof maxOpenDeposits === 'number') onChange({ ...value, maxOpenDeposits });
        }}
      />
    </SimpleGrid>
  );
}

function FloatFields({
  value,
  onChange,
}: {
  value: Float;
  onChange: (next: Float) => void;
}): ReactNode {
  return (
    <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
      {FLOATS.map(([name, label]) => (
        <TextInput
          key={name}
          label={label}
          inputMode="decimal"
          value={value[name]}
          onChange={({ currentTarget: { value: text } }) => {
            onChange({ ...value, [name]: text.trim() });
          }}
          required
        />
      ))}
      <NumberInput
        label="Quarantine after expiry"
        suffix=" minutes"
        min={0}
        allowDecimal={false}
        value={value.quarantineMinutes}
        onChange={(quarantineMinutes) => {
          if (typeof quarantineMinutes === 'number') onChange({ ...value, quarantineMinutes });
        }}
      />
    </SimpleGrid>
  );
}

const TEXTS = [
  ['name', 'Name', 'Shown to operators'],
  ['bankName', 'Bank', 'Shown to payers'],
  ['bankCode', 'Bank code', 'The code and the account number together are unique'],
  ['bankBranch', 'Branch', 'Optional'],
  ['accountNo', 'Account number', 'Shown to payers'],
  ['accountHolder', 'Account holder', 'Shown to payers'],
  ['currencyCode', 'Currency', 'ISO 4217'],
  ['timeZone', 'Time zone', 'The daily limit starts again at its midnight'],
] as const;

/** Proposes a new account. */
export function NewAccount({ onClose }: { onClose: () => void }): ReactNode {
  const create = useAction(CreateBankAccountDocument);
  const [texts, setTexts] = useState<Readonly<Record<(typeof TEXTS)[number][0], string>>>({
    name: '',
    bankName: '',
    bankCode: '',
    bankBranch: '',
    accountNo: '',
    accountHolder: '',
    currencyCode: '',
    timeZone: 'UTC',
  });
  const [mode, setMode] = useState<BankAccountMode>('REMARK');
  const [limits, setLimits] = useState(NO_LIMITS);
  const [float, setFloat] = useState(USUAL_FLOAT);
  const needed = TEXTS.filter(([name]) => name !== 'bankBranch');
  return (
    <ProposeDialog
      title="New account"
      wide
      busy={create.busy}
      failure={create.failure}
      ready={needed.every(([name]) => texts[name].trim() !== '')}
      onPropose={async (why) => {
        const input = {
          ...texts,
          bankBranch: texts.bankBranch.trim() || null,
          mode,
          limits: limitsInput(limits),
          float: mode === 'FLOAT' ? float : null,
        };
        const done = await create.run({ input, ...why });
        if (!done) return;
        notifyProposed(done.createBankAccount.change);
        onClose();
      }}
      onClose={onClose}
    >
      <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
        {TEXTS.map(([name, label, description]) => (
          <TextInput
            key={name}
            label={label}
            description={description}
            value={texts[name]}
            onChange={({ currentTarget: { value } }) => {
              const text = name === 'currencyCode' ? value.trim().toUpperCase() : value;
              setTexts((now) => ({ ...now, [name]: text }));
            }}
            required={name !== 'bankBranch'}
          />
        ))}
        <Select
          label="Mode"
          description="How a bank credit is matched to its order"
          data={[
            { value: 'REMARK', label: 'Remark in the memo' },
            { value: 'FLOAT', label: 'Unique amount' },
          ]}
          value={mode}
          allowDeselect={false}
          onChange={(value) => {
            setMode(value === 'FLOAT' ? 'FLOAT' : 'REMARK');
          }}
        />
      </SimpleGrid>
      <LimitFields value={limits} onChange={setLimits} />
      {mode === 'FLOAT' && <FloatFields value={float} onChange={setFloat} />}
    </ProposeDialog>
  );
}

/** Proposes a change of an account's name, limits or float. */
export function EditAccount({
  account,
  onClose,
}: {
  account: AccountRowFragment;
  onClose: () => void;
}): ReactNode {
  const update = useAction(UpdateBankAccountDocument);
  const [name, setName] = useState(account.name);
  const [timeZone, setTimeZone] = useState(account.timeZone);
  const [limits, setLimits] = useState<Limits>({
    minAmount: account.minAmount ?? '',
    maxAmount: account.maxAmount ?? '',
    maxDailyAmount: account.maxDailyAmount ?? '',
    maxMonthlyAmount: account.maxMonthlyAmount ?? '',
    maxBalance: account.maxBalance ?? '',
    maxDailyCount: account.maxDailyCount,
    maxMonthlyCount: account.maxMonthlyCount,
    maxOpenDeposits: account.maxOpenDeposits,
  });
  const [silentMinutes, setSilentMinutes] = useState(account.silentMinutes);
  const [float, setFloat] = useState(floatOf(account));
  return (
    <ProposeDialog
      title={`Change ${account.name}`}
      wide
      busy={update.busy}
      failure={update.failure}
      ready={name.trim() !== '' && timeZone !== ''}
      onPropose={async (why) => {
        const changed = silentMinutes !== account.silentMinutes && { silentMinutes };
        const input = {
          ...{ name: name.trim(), timeZone, limits: limitsInput(limits), float },
          ...changed,
        };
        const done = await update.run({ id: account.id, input, ...why });
        if (!done) return;
        notifyProposed(done.updateBankAccount.change);
        onClose();
      }}
      onClose={onClose}
    >
      <TextInput
        label="Name"
        value={name}
        onChange={({ currentTarget: { value } }) => {
          setName(value);
        }}
        required
      />
      <TextInput
        label="Time zone"
        description="The daily limit starts again at its midnight"
        value={timeZone}
        onChange={({ currentTarget: { value } }) => {
          setTimeZone(value.trim());
        }}
        required
      />
      <LimitFields value={limits} onChange={setLimits} />
      <NumberInput
        label="Agent is silent after"
        description="Minutes without a heartbeat, after which it gets no deposits. 0: never. Empty: 10 in production, never in a sandbox"
        min={0}
        max={1_440}
        allowDecimal={false}
        value={silentMinutes ?? ''}
        onChange={(minutes) => {
          setSilentMinutes(minutes === '' ? null : Number(minutes));
        }}
      />
      {float && <FloatFields value={float} onChange={setFloat} />}
    </ProposeDialog>
  );
}

const STATUS_WORDS: Readonly<Record<BankAccountStatus, { act: string; effect: string }>> = {
  ACTIVE: { act: 'Activate', effect: 'The account takes new deposits again.' },
  PAUSED: {
    act: 'Pause',
    effect:
      'The account takes no new deposits from now on. Bank credits that arrive are matched by hand.',
  },
  DISABLED: { act: 'Disable', effect: 'The account is out of use from now on.' },
};

/** The button's label for a status. */
export const statusAct = (status: BankAccountStatus): string => STATUS_WORDS[status].act;

/** Activates, pauses or disables an account. */
export function SetStatus({
  account,
  status,
  onClose,
}: {
  account: AccountRowFragment;
  status: BankAccountStatus;
  onClose: () => void;
}): ReactNode {
  const set = useAction(SetBankAccountStatusDocument);
  const { act, effect } = STATUS_WORDS[status];
  return (
    <ProposeDialog
      title={`${act} ${account.name}`}
      act={act}
      evidence={status === 'ACTIVE'}
      danger={status !== 'ACTIVE'}
      busy={set.busy}
      failure={set.failure}
      onPropose={async (why) => {
        const done = await set.run({ id: account.id, status, ...why });
        if (!done) return;
        notifyProposed(done.setBankAccountStatus.change);
        onClose();
      }}
      onClose={onClose}
    >
      {effect}
    </ProposeDialog>
  );
}
