import { NumberInput, Select, SimpleGrid, TextInput } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { useAction } from '../../client/action';
import {
  type AccountRowFragment,
  type BankAccountMode,
  CreateBankAccountDocument,
  UpdateBankAccountDocument,
} from '../../generated/operations';
import { ProposeDialog, notifyProposed } from '../../parts/propose';
import { FloatFields, floatOf, LimitFields, type Limits, limitsInput, NO_LIMITS, USUAL_FLOAT } from './account-fields';

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
export function EditAccount({ account, onClose }: { account: AccountRowFragment; onClose: () => void }): ReactNode {
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
          name: name.trim(),
          timeZone,
          limits: limitsInput(limits),
          float,
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
