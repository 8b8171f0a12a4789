import { Button, Checkbox, Group } from '@mantine/core';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { Link } from 'react-router';
import { useQuery, useSubscription } from 'urql';
import { useAction } from '../../client/action';
import { may } from '../../client/permission';
import { useSession } from '../../client/session';
import { inWords } from '../../format/words';
import {
  ClaimWithdrawalDocument,
  ExportWithdrawalsDocument,
  MerchantChoicesDocument,
  ReleaseWithdrawalDocument,
  WithdrawalEvidenceOfDocument,
  type WithdrawalRowFragment,
  WithdrawalsChangedDocument,
  WithdrawalsDocument,
  type WithdrawalVerdict,
} from '../../generated/operations';
import { Answer } from '../../parts/answer';
import { ChoiceFilter, Filters, TextFilter } from '../../parts/filters';
import { ExportButton } from '../../parts/export';
import { List, useList } from '../../parts/list';
import { Money } from '../../parts/money';
import { useKeys } from '../../parts/keys';
import { useOpenRow } from '../../parts/open-row';
import { Page } from '../../parts/page';
import { isFirstPage, pageOf } from '../../parts/paging';
import { Empty, FailureLine } from '../../parts/states';
import { Status } from '../../parts/status';
import { type Column, useNarrow } from '../../parts/table';
import { Time } from '../../parts/time';
import { useUrlState } from '../../parts/url';
import { ChooseAll, useChoice } from './chosen';
import { DecideDialog } from './decide';
import { Evidence } from './evidence';
import {
  EVERY_STATUS,
  filterOf,
  fits,
  ONLY,
  sortName,
  sortOf,
  WITHDRAWAL_FILTERS,
  WITHDRAWAL_STATUSES,
} from './filter';

/** Events within this time cause one reload, milliseconds. */
const GATHER_MS = 200;

const COLUMNS: readonly Column<WithdrawalRowFragment>[] = [
  {
    key: 'orderNo',
    title: 'Order',
    cell: ({ orderNo }) => <span className="mono">{orderNo}</span>,
  },
  {
    key: 'status',
    title: 'Status',
    cell: ({ status, needsManualIntervention }) =>
      needsManualIntervention ? <Status value={status} words="Needs a person" tone="bad" /> : <Status value={status} />,
  },
  {
    key: 'amount',
    title: 'Amount',
    numeric: true,
    sortable: true,
    cell: ({ amount, currencyCode }) => <Money amount={amount} currency={currencyCode} />,
  },
  { key: 'merchant', title: 'Merchant', cell: ({ merchant }) => merchant.merchantCode },
  {
    key: 'createdAt',
    title: 'Created',
    sortable: true,
    cell: ({ createdAt }) => <Time at={createdAt} />,
  },
];

function WithdrawalFilters(): ReactNode {
  const [{ data }] = useQuery({ query: MerchantChoicesDocument });
  const merchants = data?.merchants.nodes ?? [];
  return (
    <Filters names={WITHDRAWAL_FILTERS}>
      <ChoiceFilter
        name="status"
        label="Status"
        placeholder="Pending"
        choices={[
          ...WITHDRAWAL_STATUSES.map((value) => ({ value, label: inWords(value) })),
          { value: EVERY_STATUS, label: 'All' },
        ]}
      />
      <ChoiceFilter
        name="only"
        label="Only"
        choices={Object.entries(ONLY).map(([value, label]) => ({ value, label }))}
      />
      <ChoiceFilter
        name="merchant"
        label="Merchant"
        choices={merchants.map(({ id, merchantCode }) => ({ value: id, label: merchantCode }))}
      />
      <TextFilter name="currency" label="Currency" narrow />
      <TextFilter name="min" label="Amount from" narrow />
      <TextFilter name="max" label="Amount to" narrow />
      <TextFilter name="beneficiary" label="Beneficiary's account" narrow />
    </Filters>
  );
}

/** The open order with the evidence for its decision. */
function Beside({
  orderNo,
  revision,
  children,
}: {
  orderNo: string;
  revision: number;
  children: ReactNode;
}): ReactNode {
  const [asked, ask] = useQuery({ query: WithdrawalEvidenceOfDocument, variables: { orderNo } });
  const look = useRef(ask);
  useEffect(() => {
    look.current = ask;
  });
  useEffect(() => {
    if (revision > 0) look.current({ requestPolicy: 'network-only' });
  }, [revision]);
  return (
    <aside className="beside" aria-label={`Evidence on ${orderNo}`}>
      <Answer
        asked={asked}
        retry={() => {
          ask({ requestPolicy: 'network-only' });
        }}
      >
        {({ withdrawal }) =>
          withdrawal ? (
            <>
              <p>
                <Link to={`/withdrawals/${orderNo}`}>Open {orderNo}</Link>
              </p>
              <Evidence of={withdrawal} />
              {children}
            </>
          ) : (
            <Empty icon="search" title="No such withdrawal" />
          )
        }
      </Answer>
    </aside>
  );
}

/** Withdrawals that wait for decisions, with keyboard shortcuts. */
export function WithdrawalsPage(): ReactNode {
  const { me } = useSession();
  const url = useUrlState();

  const narrow = useNarrow();
  const sort = sortOf(url);
  const filter = filterOf(url);
  const list = useList(
    WithdrawalsDocument,
    { ...pageOf(url), filter, sort: sortName(sort) },
    ({ withdrawals }) => withdrawals,
  );
  const [deciding, setDeciding] = useState<WithdrawalVerdict | null>(null);
  const [revision, setRevision] = useState(0);
  const take = useAction(ExportWithdrawalsDocument);
  const claim = useAction(ClaimWithdrawalDocument, 'Claimed.');
  const release = useAction(ReleaseWithdrawalDocument, 'Released.');
  // The operator's own changes appear at once, without the bar for new rows.
  const look = (): void => {
    list.held.adopt();
    list.look();
    setRevision((now) => now + 1);
  };

  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(
    () => () => {
      clearTimeout(timer.current);
    },
    [],
  );
  const afterSeq = list.asked.data?.lastEventSeq ?? null;
  useSubscription(
    { query: WithdrawalsChangedDocument, variables: { afterSeq }, pause: afterSeq === null },
    (_, event) => {
      const { withdrawal } = event.ordersChanged;
      if (withdrawal) list.held.note(withdrawal, isFirstPage(url) && fits(withdrawal, filter));
      clearTimeout(timer.current);
      timer.current = setTimeout(() => {
        setRevision((now) => now + 1);
      }, GATHER_MS);
      return event;
    },
  );

  const { rows } = list.held;
  const choice = useChoice({ filter, sort: sortName(sort) }, rows);
  const busy = deciding !== null;
  const open = useOpenRow(rows, ({ orderNo }) => `/withdrawals/${orderNo}`, busy);
  const mayDecide = may(me, 'APPROVE');
  const selected = choice.rows;
  const decidable = selected.length > 0 ? selected : open?.status === 'PENDING' ? [open] : [];

  const decide = (verdict: WithdrawalVerdict): void => {
    if (mayDecide && !busy && decidable.length > 0) setDeciding(verdict);
  };
  const claimOrRelease = async (): Promise<void> => {
    if (!open || !mayDecide || busy || open.status !== 'PENDING') return;
    const { orderNo, claimant } = open;
    if (await (claimant ? release : claim).run({ orderNo })) look();
  };
  useKeys({
    a: () => {
      decide('APPROVE');
    },
    r: () => {
      decide('REJECT');
    },
    c: () => {
      void claimOrRelease();
    },
    x: () => {
      if (open?.status === 'PENDING' && mayDecide && !busy) choice.toggle(open);
    },
  });

  const many = selected.length > 0 ? ` ${String(selected.length)}` : '';
  const deciders = mayDecide && (
    <Group gap="xs">
      <Button
        variant="default"
        disabled={open?.status !== 'PENDING'}
        loading={claim.busy || release.busy}
        onClick={() => {
          void claimOrRelease();
        }}
      >
        {open?.claimant ? 'Release' : 'Claim'}
      </Button>
      <Button
        variant="default"
        disabled={decidable.length === 0}
        onClick={() => {
          decide('REJECT');
        }}
      >
        Reject{many}
      </Button>
      <Button
        disabled={decidable.length === 0}
        onClick={() => {
          decide('APPROVE');
        }}
      >
        Approve{many}
      </Button>
    </Group>
  );
  return (
    <Page
      title="Withdrawals"
      actions={
        <Group gap="xs">
          <ExportButton
            noun="withdrawal"
            busy={take.busy}
            failure={take.failure}
            take={async (reason, after) =>
              (await take.run({ filter, sort: sortName(sort), reason, after }))?.exportWithdrawals
            }
          />
          {!narrow && deciders}
        </Group>
      }
    >
      <WithdrawalFilters />
      <FailureLine failure={claim.failure ?? release.failure} />
      <div className="split">
        <div>
          {mayDecide && rows.length > 0 && <ChooseAll of={choice} />}
          <List
            list={list}
            label="Withdrawals"
            columns={COLUMNS}
            linkOf={({ orderNo }) => url.link({ open: orderNo })}
            current={open?.id}
            sort={sort}
            actions={
              mayDecide
                ? (row) =>
                    row.status === 'PENDING' && (
                      <Checkbox
                        aria-label={`Select ${row.orderNo}`}
                        checked={choice.has(row.orderNo)}
                        onChange={() => {
                          choice.toggle(row);
                        }}
                      />
                    )
                : undefined
            }
            empty={
              <Empty icon="withdrawal" title="Nothing to review">
                No withdrawal matches these filters. New ones appear here as they arrive.
              </Empty>
            }
          />
          <p className="dim keys">
            <kbd>j</kbd> <kbd>k</kbd> move · <kbd>o</kbd> open · <kbd>a</kbd> approve · <kbd>r</kbd> reject ·{' '}
            <kbd>c</kbd> claim or release · <kbd>x</kbd> select
          </p>
        </div>
        {open && (
          <Beside key={open.orderNo} orderNo={open.orderNo} revision={revision}>
            {/* On a phone the evidence stands before the buttons. */}
            {narrow && deciders}
          </Beside>
        )}
      </div>
      {deciding && (
        <DecideDialog
          orders={decidable}
          verdict={deciding}
          onDone={look}
          onClose={() => {
            setDeciding(null);
            choice.clear();
          }}
        />
      )}
    </Page>
  );
}
