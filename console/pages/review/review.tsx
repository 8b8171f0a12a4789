import { Button } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { useQuery } from 'urql';
import { may } from '../../client/permission';
import { usePolled } from '../../client/polled';
import { useSession } from '../../client/session';
import { MerchantChoicesDocument, ReviewRulesDocument, type ReviewRowFragment } from '../../generated/operations';
import { Answer } from '../../parts/answer';
import { Money } from '../../parts/money';
import { Page } from '../../parts/page';
import { Empty } from '../../parts/states';
import { type Column, Rows } from '../../parts/table';
import { useUrlState } from '../../parts/url';
import { EditRules } from './edit';
import { RuleSetPane, subjectOf } from './rule-set';

/** The review rules by merchant and currency. */
export function ReviewPage(): ReactNode {
  const { me } = useSession();
  const url = useUrlState();
  const [{ data: choices }] = useQuery({ query: MerchantChoicesDocument });
  const [asked, ask] = useQuery({ query: ReviewRulesDocument });
  const look = (): void => {
    ask({ requestPolicy: 'network-only' });
  };
  usePolled(look);
  const [editing, setEditing] = useState<{ readonly rules?: ReviewRowFragment } | null>(null);
  const merchants = choices?.merchants.nodes ?? [];
  const whose = ({ merchantId }: ReviewRowFragment): string =>
    merchantId === null ? 'All merchants' : (merchants.find(({ id }) => id === merchantId)?.merchantCode ?? merchantId);
  const amount = (text: string | null, currency: string, none: string): ReactNode =>
    text === null ? <span className="dim">{none}</span> : <Money {...{ amount: text, currency }} />;
  const columns: readonly Column<ReviewRowFragment>[] = [
    { key: 'whose', title: 'Of', cell: whose },
    { key: 'currency', title: 'Currency', cell: ({ currencyCode }) => currencyCode },
    { key: 'version', title: 'Version', numeric: true, cell: ({ version }) => version },
    {
      key: 'auto',
      title: 'Automatic up to',
      numeric: true,
      cell: (row) => amount(row.autoApproveUpTo, row.currencyCode, 'never'),
    },
    {
      key: 'two',
      title: 'Two approvals above',
      numeric: true,
      cell: (row) => amount(row.twoPeopleAbove, row.currencyCode, '–'),
    },
    {
      key: 'within',
      title: 'Decided within',
      numeric: true,
      cell: ({ decideWithinMinutes }) => `${String(decideWithinMinutes)} min`,
    },
  ];
  const configures = may(me, 'CONFIGURE');
  const currencies = [
    ...new Set(merchants.flatMap((merchant) => merchant.currencies.map(({ currencyCode }) => currencyCode))),
  ].sort();
  const open = asked.data?.reviewRules.find((row) => subjectOf(row) === url.get('open'));
  return (
    <Page
      title="Review rules"
      actions={
        configures && (
          <Button
            onClick={() => {
              setEditing({});
            }}
          >
            New rules
          </Button>
        )
      }
    >
      <p className="dim">
        A withdrawal to which no rule applies is approved automatically. Without rules a person approves each one.
      </p>
      <Answer asked={asked} retry={look}>
        {({ reviewRules }) =>
          reviewRules.length === 0 ? (
            <Empty icon="security" title="No rules">
              A person approves each withdrawal until rules are set.
            </Empty>
          ) : (
            <Rows
              label="Review rules"
              columns={columns}
              rows={reviewRules}
              keyOf={subjectOf}
              linkOf={(row) => url.link({ open: subjectOf(row) })}
            />
          )
        }
      </Answer>
      <RuleSetPane
        rules={open}
        title={open ? `${whose(open)}, ${open.currencyCode}` : ''}
        onEdit={
          configures
            ? () => {
                setEditing(open ? { rules: open } : {});
              }
            : undefined
        }
        onClose={() => {
          url.set({ open: null });
        }}
      />
      {editing && (
        <EditRules
          rules={editing.rules}
          current={asked.data?.reviewRules ?? []}
          merchants={merchants}
          currencies={currencies}
          onClose={() => {
            setEditing(null);
          }}
        />
      )}
    </Page>
  );
}
