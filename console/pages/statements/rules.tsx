import { Button, Group, Select, Stack, Switch, TextInput } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { useQuery } from 'urql';
import { useAction } from '../../client/action';
import { may } from '../../client/permission';
import { useSession } from '../../client/session';
import {
  AccountChoicesDocument,
  PutStatementRuleDocument,
  type RuleRowFragment,
  StatementRulesDocument,
  type StatementRuleAction,
} from '../../generated/operations';
import { Answer } from '../../parts/answer';
import { Dialog } from '../../parts/dialog';
import { Money } from '../../parts/money';
import { notifyProposed, ProposeDialog } from '../../parts/propose';
import { Empty } from '../../parts/states';
import { Rows } from '../../parts/table';

const ACTIONS: readonly { value: StatementRuleAction; label: string }[] = [
  { value: 'BANK_CHARGE', label: 'Charge of the bank' },
  { value: 'INTEREST', label: 'Interest of the bank' },
  { value: 'OWN_TRANSFER', label: 'Transfer between own accounts' },
];

/** A rule, as the table shows it. */
export const nameOfRule = ({ name, version }: { name: string; version: number }): string =>
  `${name} (version ${String(version)})`;

const NEW = {
  name: '',
  action: 'BANK_CHARGE' as StatementRuleAction,
  direction: 'DEBIT',
  memoPattern: '',
  currencyCode: '',
  maxAmount: '',
  maxDayAmount: '',
  active: true,
  accountId: null as string | null,
  otherAccountId: null as string | null,
};
type Draft = typeof NEW;

const draftOf = (rule: RuleRowFragment): Draft => ({
  name: rule.name,
  action: rule.action,
  direction: rule.direction,
  active: rule.active,
  memoPattern: rule.memoPattern,
  currencyCode: rule.currencyCode,
  maxAmount: rule.maxAmount,
  maxDayAmount: rule.maxDayAmount,
  accountId: rule.accountId,
  otherAccountId: rule.otherAccountId,
});

/** Each action has one direction, but an own transfer may be seen at either end. */
const withAction = (draft: Draft, action: StatementRuleAction): Draft => ({
  ...draft,
  action,
  direction: action === 'INTEREST' ? 'CREDIT' : 'DEBIT',
  otherAccountId: action === 'OWN_TRANSFER' ? draft.otherAccountId : null,
});

function EditRule({ begun, onClose }: { begun: Draft; onClose: () => void }): ReactNode {
  const put = useAction(PutStatementRuleDocument);
  const [{ data }] = useQuery({ query: AccountChoicesDocument });
  const [draft, setDraft] = useState(begun);
  const accounts = data?.bankAccounts.nodes ?? [];
  const choices = accounts.map(({ id, name }) => ({ value: id, label: name }));
  const text = (name: 'name' | 'memoPattern' | 'currencyCode' | 'maxAmount' | 'maxDayAmount') => ({
    value: draft[name],
    onChange: ({ currentTarget: { value } }: { currentTarget: { value: string } }) => {
      setDraft({ ...draft, [name]: value });
    },
  });
  const filled = [draft.name, draft.memoPattern, draft.currencyCode].every((one) => one.trim());
  return (
    <ProposeDialog
      title={begun.name === '' ? 'New rule' : begun.name}
      wide
      busy={put.busy}
      failure={put.failure}
      ready={filled && draft.maxAmount !== '' && draft.maxDayAmount !== ''}
      onPropose={async (why) => {
        const done = await put.run({ input: draft, ...why });
        if (!done) return;
        notifyProposed(done.putStatementRule.change);
        onClose();
      }}
      onClose={onClose}
    >
      <Group grow>
        <TextInput label="Name" required {...text('name')} />
        <Select
          label="Such lines are"
          data={[...ACTIONS]}
          value={draft.action}
          allowDeselect={false}
          onChange={(action) => {
            if (action !== null) setDraft(withAction(draft, action));
          }}
        />
      </Group>
      <TextInput
        label="Text"
        description="RE2: must match part of the line\'s text; case does not matter"
        className="mono"
        required
        {...text('memoPattern')}
      />
      <Group grow>
        <Select
          label="Account"
          placeholder="All of the currency"
          data={choices}
          value={draft.accountId}
          clearable
          searchable
          onChange={(accountId) => {
            setDraft({ ...draft, accountId });
          }}
        />
        {draft.action === 'OWN_TRANSFER' && (
          <>
            <Select
              label="Seen from it"
              data={[
                { value: 'DEBIT', label: 'money left' },
                { value: 'CREDIT', label: 'money came' },
              ]}
              value={draft.direction}
              allowDeselect={false}
              onChange={(direction) => {
                if (direction !== null) setDraft({ ...draft, direction });
              }}
            />
            <Select
              label="Other account"
              data={choices}
              value={draft.otherAccountId}
              searchable
              required
              onChange={(otherAccountId) => {
                setDraft({ ...draft, otherAccountId });
              }}
            />
          </>
        )}
      </Group>
      <Group grow>
        <TextInput label="Currency" required {...text('currencyCode')} />
        <TextInput label="At most, of a line" required {...text('maxAmount')} />
        <TextInput label="At most, of a day" required {...text('maxDayAmount')} />
        <Switch
          label="In force"
          checked={draft.active}
          onChange={({ currentTarget: { checked } }) => {
            setDraft({ ...draft, active: checked });
          }}
        />
      </Group>
    </ProposeDialog>
  );
}

/** The rules that explain lines of statements. */
export function Rules({ onClose }: { onClose: () => void }): ReactNode {
  const { me } = useSession();
  const [asked, ask] = useQuery({ query: StatementRulesDocument, variables: {} });
  const [draft, setDraft] = useState<Draft | null>(null);
  const configures = may(me, 'CONFIGURE');
  if (draft)
    return (
      <EditRule
        begun={draft}
        onClose={() => {
          setDraft(null);
          ask({ requestPolicy: 'network-only' });
        }}
      />
    );
  return (
    <Dialog title="Rules for lines of statements" size="lg" onClose={onClose}>
      <Stack gap="sm">
        <Answer
          asked={asked}
          retry={() => {
            ask({ requestPolicy: 'network-only' });
          }}
        >
          {({ statementRules }) =>
            statementRules.length === 0 ? (
              <Empty icon="search" title="No rules">
                A rule explains charges, interest and own transfers of statements, within its limits.
              </Empty>
            ) : (
              <Rows
                label="Rules"
                columns={[
                  { key: 'name', title: 'Name', cell: nameOfRule },
                  {
                    key: 'action',
                    title: 'Such lines are',
                    cell: ({ action }) => ACTIONS.find(({ value }) => value === action)?.label,
                  },
                  { key: 'text', title: 'Text', cell: ({ memoPattern }) => memoPattern },
                  {
                    key: 'account',
                    title: 'Account',
                    cell: ({ account, otherAccount, currencyCode }) =>
                      [account?.name ?? `all in ${currencyCode}`, otherAccount?.name]
                        .filter((one) => one !== undefined)
                        .join(' ↔ '),
                  },
                  {
                    key: 'line',
                    title: 'Of a line',
                    numeric: true,
                    cell: ({ maxAmount, currencyCode }) => <Money amount={maxAmount} currency={currencyCode} />,
                  },
                  {
                    key: 'day',
                    title: 'Of a day',
                    numeric: true,
                    cell: ({ maxDayAmount, currencyCode }) => <Money amount={maxDayAmount} currency={currencyCode} />,
                  },
                ]}
                rows={statementRules}
                keyOf={({ id }) => id}
                actions={(rule) =>
                  configures && (
                    <Button
                      variant="subtle"
                      aria-label={`Change ${rule.name}`}
                      onClick={() => {
                        setDraft(draftOf(rule));
                      }}
                    >
                      Change
                    </Button>
                  )
                }
              />
            )
          }
        </Answer>
        {configures && (
          <Button
            onClick={() => {
              setDraft(NEW);
            }}
          >
            Add a rule
          </Button>
        )}
      </Stack>
    </Dialog>
  );
}
