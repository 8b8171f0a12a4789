import { Button } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { useQuery } from 'urql';
import { useAction } from '../../client/action';
import { may } from '../../client/permission';
import { usePolled } from '../../client/polled';
import { useSession } from '../../client/session';
import { type ClaimRowFragment, ClosePaymentClaimDocument, PaymentClaimsDocument } from '../../generated/operations';
import { Answer } from '../../parts/answer';
import { Money } from '../../parts/money';
import { Page } from '../../parts/page';
import { besides, pageOf } from '../../parts/paging';
import { ReasonDialog } from '../../parts/reason';
import { Empty } from '../../parts/states';
import { Status } from '../../parts/status';
import { type Column, Pager, Rows } from '../../parts/table';
import { Time } from '../../parts/time';
import { useUrlState } from '../../parts/url';

const COLUMNS: readonly Column<ClaimRowFragment>[] = [
  { key: 'at', title: 'Claimed', cell: ({ at }) => <Time at={at} distance /> },
  {
    key: 'reference',
    title: 'Bank reference',
    cell: ({ reference }) => (
      <span className="mono clip" title={reference}>
        {reference}
      </span>
    ),
  },
  {
    key: 'picture',
    title: 'Picture',
    cell: ({ receiptType }) =>
      receiptType === null ? <span className="dim">–</span> : receiptType.replace('image/', ''),
  },
  {
    key: 'order',
    title: 'Order',
    cell: ({ deposit }) => <span className="mono">{deposit.orderNo}</span>,
  },
  { key: 'status', title: 'Status', cell: ({ deposit }) => <Status value={deposit.status} /> },
  {
    key: 'amount',
    title: 'To pay',
    numeric: true,
    cell: ({ deposit }) => <Money amount={deposit.amount} currency={deposit.currencyCode} />,
  },
  { key: 'merchant', title: 'Merchant', cell: ({ deposit }) => deposit.merchant.merchantCode },
];

function Close({ claim, onClose }: { claim: ClaimRowFragment; onClose: () => void }): ReactNode {
  const close = useAction(ClosePaymentClaimDocument, 'Claim closed.');
  return (
    <ReasonDialog
      title={`Claim for ${claim.deposit.orderNo}`}
      act="Close the claim"
      busy={close.busy}
      failure={close.failure}
      onAct={async (reason) => {
        if (await close.run({ id: claim.id, reason })) onClose();
      }}
      onClose={onClose}
    >
      Moves no money. If the payer has paid, match the bank credit under Unmatched money.
    </ReasonDialog>
  );
}

/** The open payment claims, oldest first. */
export function ClaimsPage(): ReactNode {
  const { me } = useSession();
  const url = useUrlState();
  const [closing, setClosing] = useState<ClaimRowFragment | null>(null);
  const variables = { ...pageOf(url), sort: 'AT_ASC' as const, filter: { open: true } };
  const [asked, ask] = useQuery({ query: PaymentClaimsDocument, variables });
  const look = (): void => {
    ask({ requestPolicy: 'network-only' });
  };
  usePolled(look);
  const columns: readonly Column<ClaimRowFragment>[] = may(me, 'RECONCILE')
    ? [
        ...COLUMNS,
        {
          key: 'close',
          title: 'Close',
          cell: (claim) => (
            <Button
              size="compact-sm"
              variant="default"
              onClick={(event) => {
                event.preventDefault();
                event.stopPropagation();
                setClosing(claim);
              }}
            >
              Close
            </Button>
          ),
        },
      ]
    : COLUMNS;
  return (
    <Page title="Payment claims">
      <Answer asked={asked} retry={look}>
        {({ paymentClaims: { nodes, pageInfo } }) => (
          <>
            {nodes.length === 0 ? (
              <Empty icon="cashier" title="No open claims">
                Claims of payers whose payment was not recognised wait here.
              </Empty>
            ) : (
              <Rows
                label="Payment claims"
                columns={columns}
                rows={nodes}
                keyOf={({ id }) => id}
                linkOf={({ deposit }) => `/deposits/${deposit.orderNo}`}
              />
            )}
            <Pager {...besides(url, pageInfo)} />
          </>
        )}
      </Answer>
      {closing && (
        <Close
          claim={closing}
          onClose={() => {
            setClosing(null);
            look();
          }}
        />
      )}
    </Page>
  );
}
