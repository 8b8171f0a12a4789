import { Button } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { useQuery } from 'urql';
import { may } from '../../client/permission';
import { usePolled } from '../../client/polled';
import { useSession } from '../../client/session';
import { ListedPayersDocument, type ListedPayerRowFragment, MerchantChoicesDocument } from '../../generated/operations';
import { ChoiceFilter, Filters, listOf, someOf } from '../../parts/filters';
import { List, useList } from '../../parts/list';
import { Page } from '../../parts/page';
import { pageOf } from '../../parts/paging';
import { Empty } from '../../parts/states';
import { Status } from '../../parts/status';
import type { Column } from '../../parts/table';
import { Time } from '../../parts/time';
import { useUrlState } from '../../parts/url';
import { ListPayerDialog, UnlistPayerDialog } from './dialogs';
import { choicesOf, LIST_WORDS, TRAIT_WORDS } from './words';

const TONES = { DENY: 'bad', WATCH: 'wait', ALLOW: 'good' } as const;

/** The lists with which new orders and incoming money are compared. */
export function PayerListsPage(): ReactNode {
  const { me } = useSession();
  const url = useUrlState();
  const [{ data: choices }] = useQuery({ query: MerchantChoicesDocument });
  const variables = {
    ...pageOf(url),
    filter: {
      list: someOf(listOf(url, 'list'), ['DENY', 'WATCH', 'ALLOW']),
      trait: someOf(listOf(url, 'by'), ['NAME', 'ACCOUNT', 'USER', 'EMAIL', 'MOBILE']),
    },
  };
  const rows = useList(ListedPayersDocument, variables, ({ listedPayers }) => listedPayers);
  usePolled(rows.look);
  // The operator's own changes appear at once, without the bar for new rows.
  const look = (): void => {
    rows.held.adopt();
    rows.look();
  };
  const [listing, setListing] = useState(false);
  const [unlisting, setUnlisting] = useState<ListedPayerRowFragment | null>(null);
  const merchants = choices?.merchants.nodes ?? [];
  const columns: readonly Column<ListedPayerRowFragment>[] = [
    {
      key: 'payer',
      title: 'Payer',
      cell: ({ trait, value, bankCode }) => (
        <span className="wrap">
          {value}
          <span className="dim">
            {' '}
            {TRAIT_WORDS[trait]}
            {bankCode && `, at ${bankCode}`}
          </span>
        </span>
      ),
    },
    {
      key: 'list',
      title: 'List',
      cell: ({ list }) => <Status value={list} words={LIST_WORDS[list]} tone={TONES[list]} />,
    },
    {
      key: 'for',
      title: 'For',
      cell: ({ merchantId }) =>
        merchantId === null
          ? 'All merchants'
          : (merchants.find(({ id }) => id === merchantId)?.merchantCode ?? merchantId),
    },
    { key: 'reason', title: 'Why', cell: ({ reason }) => <span className="wrap">{reason}</span> },
    {
      key: 'until',
      title: 'Until',
      cell: ({ expiresAt }) => (expiresAt === null ? <span className="dim">–</span> : <Time at={expiresAt} />),
    },
    {
      key: 'createdAt',
      title: 'Since',
      wideOnly: true,
      cell: ({ createdAt }) => <Time at={createdAt} />,
    },
  ];
  const configures = may(me, 'CONFIGURE');
  return (
    <Page
      title="Payer lists"
      actions={
        configures && (
          <Button
            onClick={() => {
              setListing(true);
            }}
          >
            List a payer
          </Button>
        )
      }
    >
      <Filters names={['list', 'by']}>
        <ChoiceFilter name="list" label="List" choices={choicesOf(LIST_WORDS)} />
        <ChoiceFilter name="by" label="Known by" choices={choicesOf(TRAIT_WORDS)} />
      </Filters>
      <List
        list={rows}
        label="Payers"
        columns={columns}
        empty={
          <Empty icon="rules" title="No payers">
            {Object.values(variables.filter).some(Boolean)
              ? 'Nothing matches these filters.'
              : 'The lists are empty: no payer is looked up.'}
          </Empty>
        }
        actions={(row) =>
          configures && (
            <Button
              variant="subtle"
              aria-label={`Remove ${row.value}`}
              onClick={() => {
                setUnlisting(row);
              }}
            >
              Remove
            </Button>
          )
        }
      />
      {listing && (
        <ListPayerDialog
          merchants={merchants}
          onDone={look}
          onClose={() => {
            setListing(false);
          }}
        />
      )}
      {unlisting && (
        <UnlistPayerDialog
          listed={unlisting}
          onDone={look}
          onClose={() => {
            setUnlisting(null);
          }}
        />
      )}
    </Page>
  );
}
