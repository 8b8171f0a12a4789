import { Button } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { useQuery } from 'urql';
import { may } from '../../client/permission';
import { usePolled } from '../../client/polled';
import { useSession } from '../../client/session';
import { MerchantChoicesDocument, PayerRulesDocument, type PayerRulesRowFragment } from '../../generated/operations';
import { Answer } from '../../parts/answer';
import { Page } from '../../parts/page';
import { Empty } from '../../parts/states';
import { type Column, Rows } from '../../parts/table';
import { Time } from '../../parts/time';
import { EditPayerRules } from './edit';
import { COMPARISON_WORDS, OUTCOME_WORDS } from './words';

/** The payer rules by merchant and currency. */
export function PayerRulesPage(): ReactNode {
  const { me } = useSession();
  const [{ data: choices }] = useQuery({ query: MerchantChoicesDocument });
  const [asked, ask] = useQuery({ query: PayerRulesDocument });
  const look = (): void => {
    ask({ requestPolicy: 'network-only' });
  };
  usePolled(look);
  const [editing, setEditing] = useState<{ readonly rules?: PayerRulesRowFragment } | null>(null);
  const merchants = choices?.merchants.nodes ?? [];
  const columns: readonly Column<PayerRulesRowFragment>[] = [
    {
      key: 'whose',
      title: 'Of',
      cell: ({ merchantId }) =>
        merchantId === null
          ? 'All merchants'
          : (merchants.find(({ id }) => id === merchantId)?.merchantCode ?? merchantId),
    },
    { key: 'currency', title: 'Currency', cell: ({ currencyCode }) => currencyCode },
    { key: 'version', title: 'Version', numeric: true, cell: ({ version }) => version },
    {
      key: 'comparison',
      title: "Another payer's money",
      cell: ({ comparison }) => <span className="wrap">{COMPARISON_WORDS[comparison]}</span>,
    },
    {
      key: 'velocity',
      title: 'Counts',
      cell: ({ velocity }) =>
        velocity.length === 0 ? (
          <span className="dim">none</span>
        ) : (
          velocity.map(({ words, outcome }) => (
            <div key={`${outcome} ${words}`} className="wrap">
              {OUTCOME_WORDS[outcome]}: {words}
            </div>
          ))
        ),
    },
    {
      key: 'createdAt',
      title: 'Since',
      wideOnly: true,
      cell: ({ createdAt }) => <Time at={createdAt} />,
    },
  ];
  const configures = may(me, 'CONFIGURE');
  const currencies = [
    ...new Set(merchants.flatMap((merchant) => merchant.currencies.map(({ currencyCode }) => currencyCode))),
  ].sort();
  return (
    <Page
      title="Payer rules"
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
        What happens to money whose payer is not the one that the merchant announced, and how many orders one payer may
        make. Without rules, payers are not checked.
      </p>
      <Answer asked={asked} retry={look}>
        {({ payerRules }) =>
          payerRules.length === 0 ? (
            <Empty icon="rules" title="No rules">
              Payers are not compared, and their orders are not counted.
            </Empty>
          ) : (
            <Rows
              label="Payer rules"
              columns={columns}
              rows={payerRules}
              keyOf={({ merchantId, currencyCode }) => `${merchantId ?? 'all'}:${currencyCode}`}
              actions={(row) =>
                configures && (
                  <Button
                    variant="subtle"
                    aria-label={`Change version ${String(row.version)} in ${row.currencyCode}`}
                    onClick={() => {
                      setEditing({ rules: row });
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
        <EditPayerRules
          rules={editing.rules}
          current={asked.data?.payerRules ?? []}
          merchants={merchants}
          currencies={currencies}
          onClose={() => {
            setEditing(null);
            look();
          }}
        />
      )}
    </Page>
  );
}
