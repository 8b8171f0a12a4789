import { type ReactNode, useState } from 'react';
import { useQuery, useSubscription } from 'urql';
import { may } from '../../client/permission';
import { useSession } from '../../client/session';
import {
  MerchantChoicesDocument,
  type TaskRowFragment,
  TransferTasksChangedDocument,
  TransferTasksDocument,
  type WithdrawalFilter,
  type WithdrawalStatus,
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
import { type UrlState, useUrlState } from '../../parts/url';
import { StepDialog, type TaskStep } from './dialogs';
import { STEP_WORDS, stepsOf } from './steps';
import { Task } from './task';

/** Groups of order states, by their name in the URL. */
const ENDS: Readonly<Record<string, { label: string; status: readonly WithdrawalStatus[] }>> = {
  open: { label: 'To be paid', status: ['APPROVED'] },
  paid: { label: 'Paid', status: ['COMPLETED'] },
  cancelled: { label: 'Cancelled', status: ['CANCELLED'] },
  all: { label: 'All', status: ['APPROVED', 'COMPLETED', 'CANCELLED'] },
};

/** The filter of the URL; by default payouts that must be paid. */
function filterOf(url: UrlState): WithdrawalFilter {
  const { status } = ENDS[url.get('show') ?? 'open'] ?? { status: [] };
  return {
    payoutMethod: ['MANUAL'],
    status: [...status],
    merchantId: textsOf(listOf(url, 'merchant')),
    currencyCode: textsOf(listOf(url, 'currency')),
  };
}

/** Whether a changed row belongs to the list. */
const fits = (row: TaskRowFragment, filter: WithdrawalFilter): boolean =>
  row.payoutMethod === 'MANUAL' &&
  (filter.status?.includes(row.status) ?? true) &&
  (filter.merchantId?.includes(row.merchant.id) ?? true) &&
  (filter.currencyCode?.includes(row.currencyCode) ?? true);

const COLUMNS: readonly Column<TaskRowFragment>[] = [
  {
    key: 'orderNo',
    title: 'Order',
    cell: ({ orderNo }) => <span className="mono">{orderNo}</span>,
  },
  {
    key: 'status',
    title: 'Status',
    cell: ({ transferTask }) =>
      transferTask && (
        <Status value={transferTask.status} {...(transferTask.status === 'OPEN' && { words: 'Unclaimed' })} />
      ),
  },
  {
    key: 'amount',
    title: 'Amount',
    numeric: true,
    sortable: true,
    cell: ({ amount, currencyCode }) => <Money amount={amount} currency={currencyCode} />,
  },
  {
    key: 'holder',
    title: 'Held by',
    cell: ({ transferTask }) => transferTask?.holder?.login ?? <span className="dim">–</span>,
  },
  {
    key: 'since',
    title: 'Since',
    cell: ({ transferTask }) => {
      const since = transferTask?.sendingAt ?? transferTask?.claimedAt ?? transferTask?.createdAt;
      return since && <Time at={since} distance />;
    },
  },
];

function TaskFilters(): ReactNode {
  const [{ data }] = useQuery({ query: MerchantChoicesDocument });
  const merchants = data?.merchants.nodes ?? [];
  return (
    <Filters names={['show', 'merchant', 'currency']}>
      <ChoiceFilter
        name="show"
        label="Show"
        placeholder="To be paid"
        choices={Object.entries(ENDS).map(([value, { label }]) => ({ value, label }))}
      />
      <ChoiceFilter
        name="merchant"
        label="Merchant"
        choices={merchants.map(({ id, merchantCode }) => ({ value: id, label: merchantCode }))}
      />
      <TextFilter name="currency" label="Currency" narrow />
    </Filters>
  );
}

/** Withdrawals that operators pay at a bank: claimed, sent, completed with the bank's reference. */
export function TasksPage(): ReactNode {
  const { me } = useSession();
  const url = useUrlState();
  const filter = filterOf(url);
  const sort = sortOfUrl(url.get('sort') ?? 'createdAt');
  const by = sort.by === 'amount' ? 'AMOUNT' : 'CREATED_AT';
  const list = useList(
    TransferTasksDocument,
    { ...pageOf(url), filter, sort: `${by}_${sort.descending ? 'DESC' : 'ASC'}` as const },
    ({ withdrawals }) => withdrawals,
  );
  const [taken, setTaken] = useState<{ step: TaskStep; task: TaskRowFragment } | null>(null);

  const afterSeq = list.asked.data?.lastEventSeq ?? null;
  useSubscription(
    { query: TransferTasksChangedDocument, variables: { afterSeq }, pause: afterSeq === null },
    (_, event) => {
      const { withdrawal } = event.ordersChanged;
      if (withdrawal) list.held.note(withdrawal, isFirstPage(url) && fits(withdrawal, filter));
      return event;
    },
  );

  const open = useOpenRow(list.held.rows, ({ orderNo }) => `/withdrawals/${orderNo}`, taken !== null);
  const steps = open && may(me, 'TREASURER') ? stepsOf(open, me.id) : [];
  const take = (step: TaskStep): void => {
    if (open && taken === null && steps.includes(step)) setTaken({ step, task: open });
  };
  // The dialog keeps the payout for which it was opened while the list changes.
  const asked = taken && (list.held.rows.find(({ id }) => id === taken.task.id) ?? taken.task);
  useKeys(
    Object.fromEntries(
      (Object.keys(STEP_WORDS) as TaskStep[]).map((one) => [
        STEP_WORDS[one].key,
        () => {
          take(one);
        },
      ]),
    ),
  );

  return (
    <Page title="Manual payouts">
      <TaskFilters />
      <div className="split">
        <div>
          <List
            list={list}
            label="Manual payouts"
            columns={COLUMNS}
            linkOf={({ orderNo }) => url.link({ open: orderNo })}
            current={open?.id}
            sort={sort}
            empty={
              <Empty icon="send" title="No manual payouts">
                Approved withdrawals that no channel can pay appear here.
              </Empty>
            }
          />
          <p className="dim keys">
            <kbd>j</kbd> <kbd>k</kbd> move · <kbd>o</kbd> open · <kbd>c</kbd> claim · <kbd>s</kbd> send now ·{' '}
            <kbd>p</kbd> complete · <kbd>r</kbd> return to the queue · <kbd>u</kbd> cancel
          </p>
        </div>
        {open && <Task of={open} me={me.id} steps={steps} onStep={take} />}
      </div>
      {taken && asked && (
        <StepDialog
          step={taken.step}
          task={asked}
          onDone={(task) => {
            list.held.note(task, false);
          }}
          onClose={() => {
            setTaken(null);
          }}
        />
      )}
    </Page>
  );
}
