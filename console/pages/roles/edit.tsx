import { ActionIcon, Button, Checkbox, Group, TextInput } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { useAction } from '../../client/action';
import {
  CreateRoleDocument,
  type Permission,
  type RoleRowFragment,
  UpdateRoleDocument,
} from '../../generated/operations';
import { Icon } from '../../parts/icons';
import { ProposeDialog, notifyProposed } from '../../parts/propose';
import { MAY } from './permissions';

interface Limit {
  readonly currencyCode: string;
  readonly amount: string;
}

/** Approval limits by currency; none at all means any amount. */
function LimitFields({
  limits,
  onChange,
}: {
  limits: readonly Limit[];
  onChange: (limits: readonly Limit[]) => void;
}): ReactNode {
  const put = (index: number, change: Partial<Limit>): void => {
    onChange(limits.map((limit, n) => (n === index ? { ...limit, ...change } : limit)));
  };
  return (
    <fieldset className="limits">
      <legend>Approves up to</legend>
      <p className="dim">
        {limits.length === 0 ? 'Any amount in any currency.' : 'Currencies not listed here cannot be approved.'}
      </p>
      {limits.map((limit, index) => (
        <Group key={index} gap="xs" wrap="nowrap">
          <TextInput
            aria-label={`Currency ${String(index + 1)}`}
            placeholder="THB"
            w={80}
            maxLength={3}
            value={limit.currencyCode}
            onChange={({ currentTarget: { value } }) => {
              put(index, { currencyCode: value.toUpperCase() });
            }}
          />
          <TextInput
            aria-label={`Amount ${String(index + 1)}`}
            inputMode="decimal"
            flex={1}
            value={limit.amount}
            onChange={({ currentTarget: { value } }) => {
              put(index, { amount: value.trim() });
            }}
          />
          <ActionIcon
            variant="subtle"
            color="gray"
            aria-label={`Remove the limit ${String(index + 1)}`}
            onClick={() => {
              onChange(limits.filter((_, n) => n !== index));
            }}
          >
            <Icon name="close" size={14} />
          </ActionIcon>
        </Group>
      ))}
      <Button
        variant="default"
        leftSection={<Icon name="plus" />}
        onClick={() => {
          onChange([...limits, { currencyCode: '', amount: '' }]);
        }}
      >
        Add a limit
      </Button>
    </fieldset>
  );
}

const isComplete = ({ currencyCode, amount }: Limit): boolean =>
  /^[A-Z]{3}$/.test(currencyCode) && /^\d+(\.\d+)?$/.test(amount);

/** Proposes a new role or a change of one. @param role null: a new one */
export function EditRole({
  role,
  onDone,
  onClose,
}: {
  role: RoleRowFragment | null;
  onDone: () => void;
  onClose: () => void;
}): ReactNode {
  const create = useAction(CreateRoleDocument);
  const update = useAction(UpdateRoleDocument);
  const [name, setName] = useState(role?.name ?? '');
  const [permissions, setPermissions] = useState<string[]>([...(role?.permissions ?? ['VIEW'])]);
  const [limits, setLimits] = useState<readonly Limit[]>(() =>
    (role?.approveLimits ?? []).map(({ currencyCode, amount }) => ({ currencyCode, amount })),
  );
  const approves = permissions.includes('APPROVE');
  return (
    <ProposeDialog
      title={role ? `Permissions of ${role.name}` : 'New role'}
      evidence={false}
      busy={create.busy || update.busy}
      failure={create.failure ?? update.failure}
      ready={/^[a-z][a-z0-9-]{1,31}$/.test(name) && (!approves || limits.every(isComplete))}
      onPropose={async ({ reason }) => {
        const input = {
          name,
          permissions: permissions as Permission[],
          approveLimits: approves && limits.length > 0 ? [...limits] : null,
        };
        const change = role
          ? (await update.run({ input, reason }))?.updateRole.change
          : (await create.run({ input, reason }))?.createRole.change;
        if (!change) return;
        notifyProposed(change);
        onClose();
        onDone();
      }}
      onClose={onClose}
    >
      {role && 'Operators with this role must log in again after the change.'}
      {!role && (
        <TextInput
          label="Name"
          description="2-32 lower-case letters, digits and -"
          value={name}
          required
          data-autofocus
          onChange={({ currentTarget: { value } }) => {
            setName(value.trim());
          }}
        />
      )}
      <Checkbox.Group label="Permissions" value={permissions} onChange={setPermissions}>
        <div className="permissions">
          {Object.entries(MAY).map(([permission, { words, may }]) => (
            <Checkbox
              key={permission}
              value={permission}
              label={words}
              description={may}
              disabled={permission === 'VIEW'}
            />
          ))}
        </div>
      </Checkbox.Group>
      {approves && <LimitFields limits={limits} onChange={setLimits} />}
    </ProposeDialog>
  );
}
