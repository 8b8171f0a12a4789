import { Button, Group, Select, TextInput } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { useQuery } from 'urql';
import { useAction } from '../../client/action';
import { may } from '../../client/permission';
import { useSession } from '../../client/session';
import {
  PutRoutingRulesDocument,
  type RoutedKind,
  RoutingChoicesDocument,
  RoutingRulesDocument,
  type RoutingRulesFieldsFragment,
  type RoutingRulesRowFragment,
  RoutingVersionDocument,
} from '../../generated/operations';
import { Answer } from '../../parts/answer';
import { Section } from '../../parts/page';
import { notifyProposed, ProposeDialog } from '../../parts/propose';
import { Empty } from '../../parts/states';
import { type Column, Rows } from '../../parts/table';
import { Time } from '../../parts/time';
import { EditRule, type RuleChoices } from './edit-rule';
import { draftOf, inputOf, isWritten, newRule, OWN_POOL, type RuleDraft } from './rule-draft';
import { DryRun, Replay } from './trial';

const KINDS = { DEPOSIT: 'Deposits', PAYOUT: 'Payouts' } as const;

const ordersOf = ({ currencyCode, orderKind }: RoutingRulesRowFragment): string =>
  `${currencyCode} ${KINDS[orderKind].toLowerCase()}`;

const COLUMNS: readonly Column<RoutingRulesRowFragment>[] = [
  { key: 'orders', title: 'Orders', cell: ordersOf },
  {
    key: 'rules',
    title: 'Rules',
    cell: ({ rules }) =>
      rules.length === 0 ? (
        'None: default routing'
      ) : (
        <ol className="plain-list">
          {rules.map(({ name, words }) => (
            <li key={name}>{words}</li>
          ))}
        </ol>
      ),
  },
  { key: 'version', title: 'Version', numeric: true, cell: ({ version }) => String(version) },
  { key: 'from', title: 'In force since', cell: ({ createdAt }) => <Time at={createdAt} /> },
];

/** The choices for rules of a currency. */
function useChoices(currencyCode: string, orderKind: RoutedKind): RuleChoices {
  const [{ data }] = useQuery({
    query: RoutingChoicesDocument,
    variables: { currencyCode },
    pause: !/^[A-Z]{3}$/.test(currencyCode),
  });
  return {
    merchants: (data?.merchants.nodes ?? []).map(({ id, merchantCode }) => ({
      value: id,
      label: merchantCode,
    })),
    targets: [
      { value: OWN_POOL, label: 'The pool of the merchant' },
      ...(data?.pools ?? []).map(({ id, name }) => ({
        value: `POOL:${id}`,
        label: `Pool ${name}`,
      })),
      ...(orderKind === 'DEPOSIT' ? (data?.bankAccounts.nodes ?? []) : []).map(({ id, name }) => ({
        value: `ACCOUNT:${id}`,
        label: `Account ${name}`,
      })),
      ...(data?.channels.nodes ?? [])
        .filter(({ currencies, deposits }) =>
          (orderKind === 'DEPOSIT' ? deposits.currencies : currencies).includes(currencyCode),
        )
        .map(({ id, channelCode }) => ({
          value: `CHANNEL:${id}`,
          label: `Channel ${channelCode}`,
        })),
    ],
  };
}

function EditRules({
  version,
  onClose,
}: {
  /** Null: first rules of a currency. */
  version: RoutingRulesFieldsFragment | null;
  onClose: () => void;
}): ReactNode {
  const put = useAction(PutRoutingRulesDocument);
  const [currencyCode, setCurrency] = useState(version?.currencyCode ?? '');
  const [orderKind, setKind] = useState<RoutedKind>(version?.orderKind ?? 'DEPOSIT');
  const [rules, setRules] = useState<readonly RuleDraft[]>(() => (version ? version.rules.map(draftOf) : [newRule()]));
  const choices = useChoices(currencyCode, orderKind);
  const isCurrency = /^[A-Z]{3}$/.test(currencyCode);
  const draft = isCurrency && rules.every(isWritten) ? rules.map(inputOf) : null;
  const move = (index: number, by: -1 | 1): void => {
    setRules((now) => {
      const next = [...now];
      next.splice(index + by, 0, ...next.splice(index, 1));
      return next;
    });
  };
  return (
    <ProposeDialog
      title={version ? `Rules for ${ordersOf(version)}` : 'New routing rules'}
      wide
      busy={put.busy}
      failure={put.failure}
      ready={draft !== null}
      onPropose={async (why) => {
        if (draft === null) return;
        const done = await put.run({ input: { currencyCode, orderKind, rules: draft }, ...why });
        if (!done) return;
        notifyProposed(done.putRoutingRules.change);
        onClose();
      }}
      onClose={onClose}
    >
      {!version && (
        <Group grow align="flex-end">
          <TextInput
            label="Currency"
            description="ISO 4217"
            value={currencyCode}
            onChange={({ currentTarget: { value } }) => {
              setCurrency(value.trim().toUpperCase());
            }}
            required
          />
          <Select
            label="Orders"
            data={Object.entries(KINDS).map(([value, label]) => ({ value, label }))}
            value={orderKind}
            allowDeselect={false}
            onChange={(value) => {
              if (value === 'DEPOSIT' || value === 'PAYOUT') setKind(value);
            }}
          />
        </Group>
      )}
      <p>The first rule that an order fits decides. Orders that match no rule are routed by default.</p>
      {rules.map((rule, index) => (
        <EditRule
          key={rule.key}
          rule={rule}
          place={index + 1}
          last={index === rules.length - 1}
          {...{ currencyCode, orderKind, choices }}
          onChange={(next) => {
            setRules((now) => now.flatMap((one) => (one.key === rule.key ? (next ? [next] : []) : [one])));
          }}
          onMove={(by) => {
            move(index, by);
          }}
        />
      ))}
      <Button
        variant="default"
        style={{ alignSelf: 'flex-start' }}
        onClick={() => {
          setRules((now) => [...now, newRule()]);
        }}
      >
        Add a rule
      </Button>
      {isCurrency && <DryRun {...{ currencyCode, orderKind, draft }} merchants={choices.merchants} />}
      {isCurrency && <Replay key={orderKind} {...{ currencyCode, orderKind, draft }} />}
    </ProposeDialog>
  );
}

/** The form, once the version to change was read. */
function EditVersion({
  id,
  onClose,
}: {
  /** Null: first rules of a currency. */
  id: string | null;
  onClose: () => void;
}): ReactNode {
  const [{ data }] = useQuery({
    query: RoutingVersionDocument,
    variables: { id: id ?? '' },
    pause: id === null,
  });
  if (id === null) return <EditRules version={null} onClose={onClose} />;
  return data?.routingVersion ? <EditRules version={data.routingVersion} onClose={onClose} /> : null;
}

/** The rules in force, and earlier versions. */
export function RoutingRules(): ReactNode {
  const { me } = useSession();
  const [all, setAll] = useState(false);
  const [asked, ask] = useQuery({ query: RoutingRulesDocument, variables: { newest: !all } });
  const [editing, setEditing] = useState<{ id: string | null } | null>(null);
  const again = (): void => {
    ask({ requestPolicy: 'network-only' });
  };
  return (
    <Section
      title="Routing rules"
      flush
      actions={
        <Group gap="xs">
          <Button
            variant="subtle"
            onClick={() => {
              setAll((now) => !now);
            }}
          >
            {all ? 'Newest versions' : 'All versions'}
          </Button>
          {may(me, 'CONFIGURE') && (
            <Button
              variant="default"
              onClick={() => {
                setEditing({ id: null });
              }}
            >
              New routing rules
            </Button>
          )}
        </Group>
      }
    >
      <Answer asked={asked} retry={again}>
        {({ routingRules }) =>
          routingRules.length === 0 ? (
            <Empty icon="send" title="No routing rules">
              Orders use what is in their merchant&apos;s pool.
            </Empty>
          ) : (
            <Rows
              label="Routing rules"
              columns={COLUMNS}
              rows={routingRules}
              keyOf={({ id }) => id}
              actions={(row) =>
                may(me, 'CONFIGURE') && (
                  <Button
                    variant="subtle"
                    aria-label={`Change ${ordersOf(row)}, version ${String(row.version)}`}
                    onClick={() => {
                      setEditing({ id: row.id });
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
      {editing && (
        <EditVersion
          id={editing.id}
          onClose={() => {
            setEditing(null);
            again();
          }}
        />
      )}
    </Section>
  );
}
