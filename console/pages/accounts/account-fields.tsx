import { NumberInput, SimpleGrid, TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import type { AccountRowFragment } from '../../generated/operations';

/** An account's limits as they are entered. Amounts in its currency; empty or null: no limit. */
export interface Limits {
  readonly minAmount: string;
  readonly maxAmount: string;
  readonly maxDailyAmount: string;
  readonly maxMonthlyAmount: string;
  readonly maxBalance: string;
  readonly maxDailyCount: number | null;
  readonly maxMonthlyCount: number | null;
  readonly maxOpenDeposits: number;
}
/** By how much an account of mode FLOAT changes amounts, in its currency. */
interface Float {
  readonly step: string;
  readonly up: string;
  readonly down: string;
  readonly quarantineMinutes: number;
}

/** A new account's limits. */
export const NO_LIMITS: Limits = {
  minAmount: '',
  maxAmount: '',
  maxDailyAmount: '',
  maxMonthlyAmount: '',
  maxBalance: '',
  maxDailyCount: null,
  maxMonthlyCount: null,
  maxOpenDeposits: 1_000,
};
/** A new account's float. */
export const USUAL_FLOAT: Float = { step: '0.01', up: '1', down: '1', quarantineMinutes: 60 };
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

/** An account's float without `__typename`, which an input may not have. */
export const floatOf = ({ float }: AccountRowFragment): Float | null =>
  float && {
    step: float.step,
    up: float.up,
    down: float.down,
    quarantineMinutes: float.quarantineMinutes,
  };

/** Its limits as an input takes them. */
export const limitsInput = (limits: Limits) => ({
  ...limits,
  minAmount: limits.minAmount || null,
  maxAmount: limits.maxAmount || null,
  maxDailyAmount: limits.maxDailyAmount || null,
  maxMonthlyAmount: limits.maxMonthlyAmount || null,
  maxBalance: limits.maxBalance || null,
});

/** The inputs of its limits. */
export function LimitFields({ value, onChange }: { value: Limits; onChange: (next: Limits) => void }): ReactNode {
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

/** The inputs of its float. */
export function FloatFields({ value, onChange }: { value: Float; onChange: (next: Float) => void }): ReactNode {
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
