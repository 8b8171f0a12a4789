import { PasswordInput, TextInput } from '@mantine/core';
import type { ReactNode } from 'react';

/** Minimum length of a password (docs/operators.md). */
const SHORTEST = 12;

/** A new password, typed twice. */
export interface NewPassword {
  readonly first: string;
  readonly again: string;
}

/** The initial state. */
export const NO_PASSWORD: NewPassword = { first: '', again: '' };

/** Whether it is long enough and both fields agree; the platform checks the rest. */
export const isComplete = ({ first, again }: NewPassword): boolean => first.length >= SHORTEST && first === again;

/** A new password, typed twice against slips. */
export function NewPasswordFields({
  value,
  onChange,
}: {
  value: NewPassword;
  onChange: (value: NewPassword) => void;
}): ReactNode {
  const { first, again } = value;
  return (
    <>
      <PasswordInput
        label="New password"
        description="At least 12 characters. A few words make a good password"
        name="new-password"
        autoComplete="new-password"
        required
        value={first}
        onChange={({ currentTarget }) => {
          onChange({ ...value, first: currentTarget.value });
        }}
      />
      <PasswordInput
        label="Repeat the password"
        name="new-password-again"
        autoComplete="new-password"
        required
        error={again !== '' && !first.startsWith(again) ? 'The passwords differ' : null}
        value={again}
        onChange={({ currentTarget }) => {
          onChange({ ...value, again: currentTarget.value });
        }}
      />
    </>
  );
}

/** The current password, to confirm the operator. */
export function PasswordField({ value, onChange }: { value: string; onChange: (value: string) => void }): ReactNode {
  return (
    <PasswordInput
      label="Your password"
      name="password"
      autoComplete="current-password"
      required
      value={value}
      onChange={({ currentTarget }) => {
        onChange(currentTarget.value);
      }}
    />
  );
}

/** A code of the authenticator app. */
export function CodeField({
  value,
  description = 'From your authenticator app, or a recovery code',
  onChange,
}: {
  value: string;
  description?: string;
  onChange: (value: string) => void;
}): ReactNode {
  return (
    <TextInput
      label="Code"
      description={description}
      name="code"
      autoComplete="one-time-code"
      inputMode="numeric"
      required
      value={value}
      onChange={({ currentTarget }) => {
        onChange(currentTarget.value.trim());
      }}
    />
  );
}
