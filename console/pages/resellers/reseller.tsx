import { Button, TextInput } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { Link, useParams } from 'react-router';
import { useQuery } from 'urql';
import { useAction, useIdempotencyKey } from '../../client/action';
import { may } from '../../client/permission';
import { usePolled } from '../../client/polled';
import { useSession } from '../../client/session';
import {
  type CommissionRowFragment,
  CommissionsDocument,
  OperatorPostingsDocument,
  PayCommissionDocument,
  type PostingFieldsFragment,
  ResellerDocument,
  type ResellerRowFragment,
} from '../../generated/operations';
import { inWords } from '../../format/words';
import { Answer } from '../../parts/answer';
import { From } from '../../parts/legs';
import { List, useList } from '../../parts/list';
import { Money } from '../../parts/money';
import { Page, Section } from '../../parts/page';
import { pageOf } from '../../parts/paging';
import { notifyProposed, ProposeDialog } from '../../parts/propose';
import { Empty } from '../../parts/states';
import { Status } from '../../parts/status';
import { type Column, Rows } from '../../parts/table';
import { Time } from '../../parts/time';
import { useUrlState } from '../../parts/url';
import { EditRate, RateRows } from './rates';

type Sum = ResellerRowFragment['sums'][number];

const SUMS: readonly Column<Sum>[] = [
  { key: 'currency', title: 'Currency', cell: ({ currencyCode }) => currencyCode },
  ...(['earned', 'reversed', 'paid', 'owed'] as const).map((of) => ({
    key: of,
    title: { earned: 'Earned', reversed: 'Taken back', paid: 'Paid', owed: 'Owed' }[of],
    numeric: true,
    cell: (sum: Sum) => <Money amount={sum[of]} currency={sum.currencyCode} />,
  })),
];

const COMMISSIONS: readonly Column<CommissionRowFragment>[] = [
  { key: 'at', title: 'Earned', cell: ({ at }) => <Time at={at} /> },
  { key: 'merchant', title: 'Merchant', cell: ({ merchant }) => merchant.merchantCode },
  {
    key: 'order',
    title: 'Of',
    cell: ({ source, orderNo }) =>
      orderNo ? (
        <Link to={`/${orderNo.startsWith('D') ? 'deposits' : 'withdrawals'}/${orderNo}`}>{orderNo}</Link>
      ) : (
        inWords(source)
      ),
  },
  {
    key: 'fee',
    title: 'Fee',
    numeric: true,
    cell: ({ fee, currencyCode }) => <Money amount={fee} currency={currencyCode} />,
  },
  {
    key: 'amount',
    title: 'Share',
    numeric: true,
    cell: ({ amount, currencyCode }) => <Money amount={amount} currency={currencyCode} />,
  },
  {
    key: 'standing',
    title: 'Standing',
    cell: ({ reversedAt }) =>
      reversedAt === null ? (
        <Status value="POSTED" words="Holds" tone="good" />
      ) : (
        <Status value="REVERSED" words="Taken back" />
      ),
  },
];

const PAYMENTS: readonly Column<PostingFieldsFragment>[] = [
  {
    key: 'at',
    title: 'Posted',
    cell: ({ id, at }) => (
      <Link to={`/postings/${id}`}>
        <Time at={at} />
      </Link>
    ),
  },
  {
    key: 'amount',
    title: 'Amount',
    numeric: true,
    cell: ({ amount, currencyCode }) => <Money amount={amount} currency={currencyCode} />,
  },
  {
    key: 'standing',
    title: 'Standing',
    cell: ({ reversedAt }) =>
      reversedAt === null ? (
        <Status value="POSTED" words="Holds" tone="good" />
      ) : (
        <Status value="REVERSED" words="Taken back" />
      ),
  },
];

function PayDialog({
  reseller: { id, name },
  onClose,
}: {
  reseller: ResellerRowFragment;
  onClose: () => void;
}): ReactNode {
  const pay = useAction(PayCommissionDocument);
  const idempotencyKey = useIdempotencyKey();
  const [from, setFrom] = useState('');
  const [amount, setAmount] = useState('');
  return (
    <ProposeDialog
      title={`Commissions paid to ${name}`}
      needsEvidence
      usual={{ kind: 'posting-commission', usual: ['commissions of the month'] }}
      busy={pay.busy}
      failure={pay.failure}
      ready={from !== ''}
      onPropose={async ({ reason, evidence }) => {
        const done = await pay.run({
          debitId: from.split(':')[1] ?? '',
          resellerId: id,
          amount: amount.trim() || null,
          reason,
          evidence: evidence ?? {},
          idempotencyKey,
        });
        if (!done) return;
        if (done.payCommission.change) notifyProposed(done.payCommission.change);
        onClose();
      }}
      onClose={onClose}
    >
      <p>A bank debit paid its commissions; never more than it is owed.</p>
      <From label="Bank debit" only="debit" value={from} onChange={setFrom} />
      <TextInput
        label="Amount"
        description="Empty: the unused part"
        inputMode="decimal"
        value={amount}
        onChange={({ currentTarget: { value } }) => {
          setAmount(value);
        }}
      />
    </ProposeDialog>
  );
}

function Commissions({ resellerId }: { resellerId: string }): ReactNode {
  const url = useUrlState();
  const list = useList(
    CommissionsDocument,
    { ...pageOf(url), filter: { resellerId: [resellerId] } },
    ({ commissions }) => commissions,
  );
  usePolled(list.look);
  return (
    <List
      list={list}
      label="Commissions"
      columns={COMMISSIONS}
      empty={
        <Empty icon="ledger" title="No commissions">
          A share is earned with the fee of an order that has a rate.
        </Empty>
      }
    />
  );
}

/** One reseller: sums, rates, payments and commissions. */
export function ResellerPage(): ReactNode {
  const { id = '' } = useParams();
  const { me } = useSession();
  const [asked, ask] = useQuery({ query: ResellerDocument, variables: { id } });
  const [{ data: paid }, askPaid] = useQuery({
    query: OperatorPostingsDocument,
    variables: { first: 50, filter: { resellerId: [id] } },
  });
  const look = (): void => {
    ask({ requestPolicy: 'network-only' });
    askPaid({ requestPolicy: 'network-only' });
  };
  usePolled(look);
  const [doing, setDoing] = useState<'rate' | 'pay' | null>(null);
  const payments = paid?.operatorPostings.nodes ?? [];
  const close = (): void => {
    setDoing(null);
    look();
  };
  return (
    <Answer asked={asked} retry={look}>
      {({ reseller }) =>
        reseller ? (
          <Page
            title={reseller.name}
            back={{ to: '/resellers', words: 'Resellers' }}
            actions={
              may(me, 'TREASURER') && (
                <Button
                  onClick={() => {
                    setDoing('pay');
                  }}
                >
                  Pay commissions
                </Button>
              )
            }
          >
            <Section title="What it has" flush>
              {reseller.sums.length === 0 ? (
                <Empty icon="ledger" title="Nothing earned yet">
                  It earns a share of the fees of orders that are created under its rates.
                </Empty>
              ) : (
                <Rows label="Sums" columns={SUMS} rows={reseller.sums} keyOf={({ currencyCode }) => currencyCode} />
              )}
            </Section>
            <Section
              title="Commission rates"
              flush
              actions={
                may(me, 'CONFIGURE') && (
                  <Button
                    variant="default"
                    onClick={() => {
                      setDoing('rate');
                    }}
                  >
                    New commission rate
                  </Button>
                )
              }
            >
              {reseller.rates.length === 0 ? (
                <Empty icon="rules" title="No commission rates">
                  It earns nothing.
                </Empty>
              ) : (
                <RateRows rates={reseller.rates} without="reseller" />
              )}
            </Section>
            {payments.length > 0 && (
              <Section title="Payments" flush>
                <Rows label="Payments" columns={PAYMENTS} rows={payments} keyOf={(posting) => posting.id} />
              </Section>
            )}
            <Section title="Commissions" flush>
              <Commissions resellerId={reseller.id} />
            </Section>
            {doing === 'rate' && <EditRate resellerId={reseller.id} name={reseller.name} onClose={close} />}
            {doing === 'pay' && <PayDialog reseller={reseller} onClose={close} />}
          </Page>
        ) : (
          <Page title="No such reseller" back={{ to: '/resellers', words: 'Resellers' }}>
            <Empty icon="search" title="There is no such reseller" />
          </Page>
        )
      }
    </Answer>
  );
}
