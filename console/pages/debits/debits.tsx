import { Button, Group, TextInput } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { Link } from 'react-router';
import { useQuery } from 'urql';
import { useAction } from '../../client/action';
import { may } from '../../client/permission';
import { usePolled } from '../../client/polled';
import { useSession } from '../../client/session';
import {
  AccountChoicesDocument,
  type BankDebitFilter,
  BankDebitsDocument,
  type DebitRowFragment,
  ExplainDebitDocument,
} from '../../generated/operations';
import { ChoiceFilter, Filters, listOf, textsOf, TimeFilter } from '../../parts/filters';
import { List, sortOfUrl, useList } from '../../parts/list';
import { Money } from '../../parts/money';
import { Page } from '../../parts/page';
import { pageOf } from '../../parts/paging';
import { ReasonDialog } from '../../parts/reason';
import { Empty } from '../../parts/states';
import { Status } from '../../parts/status';
import type { Column } from '../../parts/table';
import { Time } from '../../parts/time';
import { useUrlState } from '../../parts/url';
import type { ActName } from '../postings/acts';
import { PostDialog, PostMenu } from '../postings/post';

/** A debit's explanation, if there is one. */
function What({ of: { orderNo, reason, explainedAt } }: { of: DebitRowFragment }): ReactNode {
  if (explainedAt === null) return <Status value="UNEXPLAINED" words="Unexplained" tone="wait" />;
  if (orderNo !== null)
    return (
      <Link to={`/withdrawals/${orderNo}`} className="mono">
        {orderNo}
      </Link>
    );
  return (
    <span className="clip" title={reason ?? undefined}>
      {reason}
    </span>
  );
}

const COLUMNS: readonly Column<DebitRowFragment>[] = [
  {
    key: 'receivedAt',
    title: 'Reported',
    sortable: true,
    cell: ({ receivedAt }) => <Time at={receivedAt} />,
  },
  {
    key: 'amount',
    title: 'Amount',
    numeric: true,
    cell: ({ amount, currencyCode }) => <Money amount={amount} currency={currencyCode} />,
  },
  { key: 'account', title: 'From', cell: ({ account }) => account.name },
  {
    key: 'payee',
    title: 'To',
    cell: ({ payeeName, payeeAccount }) =>
      [payeeName, payeeAccount].filter(Boolean).join(' · ') || <span className="dim">–</span>,
  },
  {
    key: 'memo',
    title: 'Memo',
    cell: ({ memo }) => (
      <span className="mono clip" title={memo}>
        {memo || '–'}
      </span>
    ),
  },
  {
    key: 'reference',
    title: 'Bank reference',
    cell: ({ bankReference }) => (
      <span className="mono clip" title={bankReference ?? undefined}>
        {bankReference ?? '–'}
      </span>
    ),
  },
  { key: 'what', title: 'Explanation', cell: (debit) => <What of={debit} /> },
];

function Explain({
  debit,
  onDone,
  onClose,
}: {
  debit: DebitRowFragment;
  onDone: (debit: DebitRowFragment) => void;
  onClose: () => void;
}): ReactNode {
  const explain = useAction(ExplainDebitDocument, 'Debit explained.');
  const [orderNo, setOrderNo] = useState('');
  return (
    <ReasonDialog
      title="Explain this debit"
      act="Save"
      busy={explain.busy}
      failure={explain.failure}
      onAct={async (reason) => {
        const done = await explain.run({ id: debit.id, orderNo: orderNo || null, reason });
        if (!done) return;
        onDone(done.explainDebit);
        onClose();
      }}
      onClose={onClose}
    >
      <p>
        <Money amount={debit.amount} currency={debit.currencyCode} /> left {debit.account.name}. This explanation moves
        no money.
      </p>
      <TextInput
        label="Withdrawal"
        description="The order that it paid. Leave it empty if it paid none."
        placeholder="W…"
        value={orderNo}
        onChange={({ currentTarget: { value } }) => {
          setOrderNo(value.trim());
        }}
      />
    </ReasonDialog>
  );
}

/** The bank debits; those that no manual payout explains wait for an operator. */
export function DebitsPage(): ReactNode {
  const { me } = useSession();
  const url = useUrlState();
  const [{ data }] = useQuery({ query: AccountChoicesDocument });
  const show = url.get('show') ?? 'open';
  const [from, to] = [url.get('from'), url.get('to')];
  const filter: BankDebitFilter = {
    explained: show === 'all' ? null : show === 'known',
    accountId: textsOf(listOf(url, 'account')),
    receivedAt: from === null && to === null ? null : { from, to },
  };
  const sort = sortOfUrl(url.get('sort') ?? '-receivedAt');
  const list = useList(
    BankDebitsDocument,
    {
      ...pageOf(url),
      filter,
      sort: sort.descending ? ('RECEIVED_AT_DESC' as const) : ('RECEIVED_AT_ASC' as const),
    },
    ({ bankDebits }) => bankDebits,
  );
  usePolled(list.look);
  const [posting, setPosting] = useState<{ name: ActName; debit: DebitRowFragment } | null>(null);
  const [explaining, setExplaining] = useState<DebitRowFragment | null>(null);
  return (
    <Page title="Debits">
      <Filters names={['show', 'account', 'from', 'to']}>
        <ChoiceFilter
          name="show"
          label="Show"
          placeholder="Unexplained"
          choices={[
            { value: 'known', label: 'Explained' },
            { value: 'all', label: 'All' },
          ]}
        />
        <ChoiceFilter
          name="account"
          label="Account"
          choices={(data?.bankAccounts.nodes ?? []).map(({ id, name }) => ({
            value: id,
            label: name,
          }))}
        />
        <TimeFilter name="from" label="Reported from" />
        <TimeFilter name="to" label="Reported before" />
      </Filters>
      <List
        list={list}
        label="Debits"
        columns={COLUMNS}
        sort={sort}
        empty={
          <Empty icon="check" title={show === 'open' ? 'No unexplained debits' : 'No debits'}>
            Bank debits that no manual payout explains wait here.
          </Empty>
        }
        actions={(debit) =>
          debit.explainedAt === null && (
            <Group gap="xs" wrap="nowrap">
              {may(me, 'RECONCILE') && (
                <Button
                  variant="subtle"
                  onClick={() => {
                    setExplaining(debit);
                  }}
                >
                  Explain
                </Button>
              )}
              <PostMenu
                of={['charge', 'profit', 'move']}
                onChoose={(name) => {
                  setPosting({ name, debit });
                }}
              />
            </Group>
          )
        }
      />
      {posting && (
        <PostDialog
          name={posting.name}
          begun={{ from: `debit:${posting.debit.id}` }}
          onDone={list.look}
          onClose={() => {
            setPosting(null);
          }}
        />
      )}
      {explaining && (
        <Explain
          debit={explaining}
          onDone={(debit) => {
            list.held.note(debit, false);
          }}
          onClose={() => {
            setExplaining(null);
          }}
        />
      )}
    </Page>
  );
}
