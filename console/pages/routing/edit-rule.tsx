import { Button, Group, MultiSelect, Stack, Switch, TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import type { PayerTier, RoutedKind } from '../../generated/operations';
import { type GroupDraft, OWN_POOL, type RuleDraft } from './rule-draft';

/** The choices of a rule. */
export interface RuleChoices {
  readonly merchants: readonly { readonly value: string; readonly label: string }[];
  readonly targets: readonly { readonly value: string; readonly label: string }[];
}

const TIERS: readonly { readonly value: PayerTier; readonly label: string }[] = [
  { value: 'NEW', label: 'New' },
  { value: 'KNOWN', label: 'Known: 1 to 9 orders' },
  { value: 'TRUSTED', label: 'Trusted: 10 or more' },
];

function EditGroup({
  group,
  place,
  choices,
  onChange,
}: {
  group: GroupDraft;
  place: number;
  choices: RuleChoices;
  onChange: (group: GroupDraft | null) => void;
}): ReactNode {
  const which = `group ${String(place)}`;
  return (
    <Group align="flex-end" gap="sm" wrap="wrap">
      <MultiSelect
        label={place === 1 ? 'Goes to' : `Else to (${which})`}
        data={choices.targets}
        value={[...group.targets]}
        onChange={(targets) => {
          onChange({ targets, weights: '' });
        }}
        searchable
        style={{ flex: '3 1 16rem' }}
      />
      {group.targets.length > 1 && (
        <TextInput
          label={`Weights of ${which}`}
          placeholder="3, 1"
          value={group.weights}
          onChange={({ currentTarget: { value } }) => {
            onChange({ ...group, weights: value });
          }}
          style={{ flex: '1 1 6rem' }}
        />
      )}
      {place > 1 && (
        <Button
          variant="subtle"
          aria-label={`Remove ${which}`}
          onClick={() => {
            onChange(null);
          }}
        >
          Remove
        </Button>
      )}
    </Group>
  );
}

/** The form of one rule of a new version. */
export function EditRule({
  rule,
  place,
  last,
  currencyCode,
  orderKind,
  choices,
  onChange,
  onMove,
}: {
  rule: RuleDraft;
  place: number;
  last: boolean;
  currencyCode: string;
  orderKind: RoutedKind;
  choices: RuleChoices;
  /** Null removes it. */
  onChange: (rule: RuleDraft | null) => void;
  onMove: (by: -1 | 1) => void;
}): ReactNode {
  const change = (fields: Partial<RuleDraft>): void => {
    onChange({ ...rule, ...fields });
  };
  const setGroup = (index: number, group: GroupDraft | null): void => {
    change({
      groups: rule.groups.flatMap((one, at) => (at === index ? (group ? [group] : []) : [one])),
    });
  };
  const which = `rule ${String(place)}`;
  return (
    <fieldset className="rule">
      <Stack gap="xs">
        <Group align="flex-end" gap="sm">
          <TextInput
            label={`Name of ${which}`}
            value={rule.name}
            onChange={({ currentTarget: { value } }) => {
              change({ name: value });
            }}
            style={{ flex: 1 }}
            required
          />
          <Button
            variant="subtle"
            disabled={place === 1}
            aria-label={`Move ${which} up`}
            onClick={() => {
              onMove(-1);
            }}
          >
            Up
          </Button>
          <Button
            variant="subtle"
            disabled={last}
            aria-label={`Move ${which} down`}
            onClick={() => {
              onMove(1);
            }}
          >
            Down
          </Button>
          <Button
            variant="subtle"
            aria-label={`Remove ${which}`}
            onClick={() => {
              onChange(null);
            }}
          >
            Remove
          </Button>
        </Group>
        <Group grow align="flex-end" gap="sm">
          <TextInput
            label="From amount"
            inputMode="decimal"
            value={rule.minAmount}
            onChange={({ currentTarget: { value } }) => {
              change({ minAmount: value.trim() });
            }}
          />
          <TextInput
            label="Up to amount"
            inputMode="decimal"
            value={rule.maxAmount}
            onChange={({ currentTarget: { value } }) => {
              change({ maxAmount: value.trim() });
            }}
          />
        </Group>
        <MultiSelect
          label="Merchants"
          placeholder={rule.merchantIds.length === 0 ? 'All' : ''}
          data={choices.merchants}
          value={[...rule.merchantIds]}
          onChange={(merchantIds) => {
            change({ merchantIds });
          }}
          searchable
        />
        <MultiSelect
          label={orderKind === 'DEPOSIT' ? 'Payers' : 'Beneficiaries'}
          placeholder={rule.payerTiers.length === 0 ? 'All' : ''}
          data={TIERS}
          value={[...rule.payerTiers]}
          onChange={(payerTiers) => {
            change({ payerTiers });
          }}
        />
        {currencyCode === 'BDT' && (
          <MultiSelect
            label="Wallets"
            placeholder={rule.walletKinds.length === 0 ? 'All, and none' : ''}
            data={['BKASH', 'NAGAD']}
            value={[...rule.walletKinds]}
            onChange={(walletKinds) => {
              change({ walletKinds });
            }}
          />
        )}
        <Group grow align="flex-end" gap="sm">
          <TextInput
            label="From time"
            type="time"
            value={rule.from}
            onChange={({ currentTarget: { value } }) => {
              change({ from: value });
            }}
          />
          <TextInput
            label="To time"
            type="time"
            value={rule.to}
            onChange={({ currentTarget: { value } }) => {
              change({ to: value });
            }}
          />
          <TextInput
            label="Time zone"
            value={rule.timeZone}
            onChange={({ currentTarget: { value } }) => {
              change({ timeZone: value });
            }}
          />
        </Group>
        <Switch
          label={orderKind === 'DEPOSIT' ? 'Refuse these orders' : 'Pay these by hand'}
          checked={rule.refuses}
          onChange={({ currentTarget: { checked } }) => {
            change({
              refuses: checked,
              ...(rule.groups.length === 0 && { groups: [{ targets: [OWN_POOL], weights: '' }] }),
            });
          }}
        />
        {!rule.refuses && (
          <>
            <Switch
              label="Prefer where the payer paid before"
              checked={rule.stickyPayer}
              onChange={({ currentTarget: { checked } }) => {
                change({ stickyPayer: checked });
              }}
            />
            {rule.groups.map((group, index) => (
              <EditGroup
                key={`${rule.key} ${String(index)}`}
                group={group}
                place={index + 1}
                choices={choices}
                onChange={(next) => {
                  setGroup(index, next);
                }}
              />
            ))}
            <Button
              variant="subtle"
              size="compact-sm"
              style={{ alignSelf: 'flex-start' }}
              onClick={() => {
                change({ groups: [...rule.groups, { targets: [], weights: '' }] });
              }}
            >
              Add a fallback
            </Button>
          </>
        )}
      </Stack>
    </fieldset>
  );
}
