import { Button } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { useQuery } from 'urql';
import { may } from '../../client/permission';
import { usePolled } from '../../client/polled';
import { useSession } from '../../client/session';
import {
  type BeneficiaryRowFragment,
  ListedBeneficiariesDocument,
  MerchantChoicesDocument,
} from '../../generated/operations';
import { ChoiceFilter, Filters, listOf, someOf, TextFilter, textsOf } from '../../parts/filters';
import { List, useList } from '../../parts/list';
import { Page } from '../../parts/page';
import { pageOf } from '../../parts/paging';
import { Empty } from '../../parts/states';
import { Status } from '../../parts/status';
import type { Column } from '../../parts/table';
import { Time } from '../../parts/time';
import { useUrlState } from '../../parts/url';
import { LIST_WORDS, ListDialog, UnlistDialog } from './dialogs';

const LISTS = (['DENY', 'ALLOW'] as const).map((value) => ({ value, label: LIST_WORDS[value] }));

/** The allowlist and denylist that the review of withdrawals uses. */
export function BeneficiariesPage(): ReactNode {
  const { me } = useSession();
  const url = useUrlState();
  const [{ data: choices }] = useQuery({ query: MerchantChoicesDocument });
  const variables = {
    ...pageOf(url),
    filter: {
      list: someOf(listOf(url, 'list'), ['DENY', 'ALLOW']),
      bankCode: textsOf(listOf(url, 'bank')),
      accountNo: url.get('account'),
    },
  };
  const rows = useList(ListedBeneficiariesDocument, variables, ({ listedBeneficiaries }) => listedBeneficiaries);
  usePolled(rows.look);
  // The operator's own changes appear at once, without the bar for new rows.
  const look = (): void => {
    rows.held.adopt();
    rows.look();
  };
  const [listing, setListing] = useState(false);
  const [unlisting, setUnlisting] = useState<BeneficiaryRowFragment | null>(null);
  const merchants = choices?.merchants.nodes ?? [];
  const columns: readonly Column<BeneficiaryRowFragment>[] = [
    {
      key: 'account',
      title: 'Account',
      cell: ({ bankCode, accountNo }) => (
        <span className="mono wrap">
          {bankCode} {accountNo}
        </span>
      ),
    },
    {
      key: 'list',
      title: 'List',
      cell: ({ list }) => <Status value={list} words={LIST_WORDS[list]} tone={list === 'DENY' ? 'bad' : 'good'} />,
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
      key: 'createdAt',
      title: 'Since',
      wideOnly: true,
      cell: ({ createdAt }) => <Time at={createdAt} />,
    },
  ];
  const configures = may(me, 'CONFIGURE');
  return (
    <Page
      title="Beneficiary lists"
      actions={
        configures && (
          <Button
            onClick={() => {
              setListing(true);
            }}
          >
            List a beneficiary
          </Button>
        )
      }
    >
      <Filters names={['list', 'bank', 'account']}>
        <ChoiceFilter name="list" label="List" choices={LISTS} />
        <TextFilter name="bank" label="Bank code" />
        <TextFilter name="account" label="Account number" />
      </Filters>
      <List
        list={rows}
        label="Beneficiaries"
        columns={columns}
        empty={
          <Empty icon="rules" title="No beneficiaries">
            {Object.values(variables.filter).some(Boolean)
              ? 'Nothing matches these filters.'
              : 'The allowlist and the denylist are empty.'}
          </Empty>
        }
        actions={(row) =>
          configures && (
            <Button
              variant="subtle"
              aria-label={`Remove ${row.bankCode} ${row.accountNo}`}
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
        <ListDialog
          merchants={merchants}
          onDone={look}
          onClose={() => {
            setListing(false);
          }}
        />
      )}
      {unlisting && (
        <UnlistDialog
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
