import { type ReactNode, useEffect, useRef, useState } from 'react';
import { useQuery, useSubscription } from 'urql';
import { may } from '../../client/permission';
import { useSession } from '../../client/session';
import {
  InterventionsChangedDocument,
  InterventionsDocument,
  type InterventionRowFragment,
  MerchantChoicesDocument,
  type WithdrawalFilter,
} from '../../generated/operations';
import { ChoiceFilter, Filters, listOf, TextFilter, textsOf } from '../../parts/filters';
import { useKeys } from '../../parts/keys';
import { List, sortOfUrl, useList } from '../../parts/list';
import { Money } from '../../parts/money';
import { useOpenRow } from '../../parts/open-row';
import { Page } from '../../parts/page';
import { isFirstPage, pageOf } from '../../parts/paging';
import { Empty } from '../../parts/states';
import { Status } from '../../parts/status';
import type { Column } from '../../parts/table';
import { Time } from '../../parts/time';
import { useUrlState } from '../../parts/url';
import { Intervention } from './intervention';
import { ResolveDialog } from './resolve';

/** Events within this time cause one reload, milliseconds. */
const GATHER_MS = 200;

const COLUMNS: readonly Column<InterventionRowFragment>[] = [
  {
    key: 'orderNo',
    title: 'Order',
    cell: ({ orderNo }) => <span className="mono">{orderNo}</span>,
  },
  {
    key: 'status',
    title: 'Status',
    cell: ({ needsManualIntervention, status }) =>
      needsManualIntervention ? <Status value={status} words="Unknown" tone="bad" /> : <Status value={status} />,
  },
  {
    key: 'amount',
    title: 'Amount',
    numeric: true,
    sortable: true,
    cell: ({ amount, currencyCode }) => <Money amount={amount} currency={currencyCode} />,
  },
  { key: 'channel', title: 'Channel', cell: ({ channelName }) => channelName },
  {
    key: 'processedAt',
    title: 'Sent',
    cell: ({ processedAt }) => processedAt !== null && <Time at={processedAt} distance />,
  },
];

/** Whether a changed row belongs to the list. */
const fits = (row: InterventionRowFragment, filter: WithdrawalFilter): boolean =>
  row.needsManualIntervention &&
  (filter.merchantId?.includes(row.merchant.id) ?? true) &&
  (filter.currencyCode?.includes(row.currencyCode) ?? true);

function InterventionFilters(): ReactNode {
  const [{ data }] = useQuery({ query: MerchantChoicesDocument });
  const merchants = data?.merchants.nodes ?? [];
  return (
    <Filters names={['merchant', 'currency']}>
      <ChoiceFilter
        name="merchant"
        label="Merchant"
        choices={merchants.map(({ id, merchantCode }) => ({ value: id, label: merchantCode }))}
      />
      <TextFilter name="currency" label="Currency" narrow />
    </Filters>
  );
}

/** Payouts whose outcome is unknown. Two operators resolve each. */
export function InterventionsPage(): ReactNode {
  const { me } = useSession();
  const url = useUrlState();
  const filter: WithdrawalFilter = {
    needsManualIntervention: true,
    merchantId: textsOf(listOf(url, 'merchant')),
    currencyCode: textsOf(listOf(url, 'currency')),
  };
  const sort = sortOfUrl(url.get('sort') ?? 'createdAt');
  const by = sort.by === 'amount' ? 'AMOUNT' : 'CREATED_AT';
  const list = useList(
    InterventionsDocument,
    { ...pageOf(url), filter, sort: `${by}_${sort.descending ? 'DESC' : 'ASC'}` as const },
    ({ withdrawals }) => withdrawals,
  );
  /** The order whose outcome is being entered: the dialog keeps it while the list changes. */
  const [resolving, setResolving] = useState<InterventionRowFragment | null>(null);
  const [revision, setRevision] = useState(0);
  const lookBeside = (): void => {
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
    { query: InterventionsChangedDocument, variables: { afterSeq }, pause: afterSeq === null },
    (_, event) => {
      const { withdrawal } = event.ordersChanged;
      if (withdrawal) list.held.note(withdrawal, isFirstPage(url) && fits(withdrawal, filter));
      clearTimeout(timer.current);
      timer.current = setTimeout(lookBeside, GATHER_MS);
      return event;
    },
  );

  const open = useOpenRow(list.held.rows, ({ orderNo }) => `/withdrawals/${orderNo}`, resolving !== null);
  const mayPropose = (open?.needsManualIntervention ?? false) && may(me, 'TREASURER');
  useKeys({
    f: () => {
      if (open && mayPropose && resolving === null) setResolving(open);
    },
  });
  return (
    <Page title="Interventions">
      <InterventionFilters />
      <div className="split">
        <div>
          <List
            list={list}
            label="Interventions"
            columns={COLUMNS}
            linkOf={({ orderNo }) => url.link({ open: orderNo })}
            current={open?.id}
            sort={sort}
            empty={
              <Empty icon="check" title="No payouts with unknown outcome">
                A payout whose outcome is unknown is never sent again. It waits here until an operator resolves it.
              </Empty>
            }
          />
          <p className="dim keys">
            <kbd>j</kbd> <kbd>k</kbd> move · <kbd>o</kbd> open · <kbd>f</kbd> record the outcome
          </p>
        </div>
        {open && (
          <Intervention
            key={open.id}
            of={open}
            revision={revision}
            mayPropose={mayPropose}
            onPropose={() => {
              setResolving(open);
            }}
          />
        )}
      </div>
      {resolving && (
        <ResolveDialog
          order={resolving}
          onDone={lookBeside}
          onClose={() => {
            setResolving(null);
          }}
        />
      )}
    </Page>
  );
}
