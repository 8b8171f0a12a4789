import { Button, Checkbox, Group } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { Link, useParams } from 'react-router';
import { useQuery } from 'urql';
import { useAction } from '../../client/action';
import { usePolled } from '../../client/polled';
import { useSession } from '../../client/session';
import { may } from '../../client/permission';
import { isZero } from '../../format/money';
import { inWords } from '../../format/words';
import { CancelDepositDocument, DepositDocument } from '../../generated/operations';
import { Answer } from '../../parts/answer';
import { Code, CopyButton } from '../../parts/copy';
import { costFacts, volumeFacts } from '../../parts/costs';
import { Money } from '../../parts/money';
import { Facts, Page, Section } from '../../parts/page';
import { ReasonDialog } from '../../parts/reason';
import { Said } from '../../parts/said';
import { Empty } from '../../parts/states';
import { Erase } from '../../parts/erase';
import { Reveal } from '../../parts/reveal';
import { Status } from '../../parts/status';
import { Time } from '../../parts/time';
import { Routes } from '../routing/route';
import { Callbacks } from './callbacks';
import { Evidence } from './evidence';
import { LateReceipts } from './late-receipts';
import { useFollowedDeposit } from './live';
import { Recall, RecallButton } from './recall';
import { PAYER_FOUND } from '../payers/words';
import { RefundButton, Refunds } from './refunds';
import type { Deposit } from './story';
import { Timeline } from './timeline';

/** The money that had arrived for it when the dialog opened. */
function moneyThere({ status, evidence, bankTransfers }: Deposit): readonly string[] {
  if (status === 'MATCHED') return bankTransfers.map(({ id }) => id);
  return evidence.answer === 'MONEY_WAITS' ? evidence.credits.map(({ transfer: { id } }) => id) : [];
}

function Cancel({ deposit, onClose }: { deposit: Deposit; onClose: () => void }): ReactNode {
  const { orderNo, evidence } = deposit;
  const cancel = useAction(CancelDepositDocument, ({ cancelDeposit: { evidence: left } }) =>
    left.credits.length === 0 ? 'Deposit cancelled.' : 'Deposit cancelled. Its money waits under Unmatched money.',
  );
  const came = moneyThere(deposit).length > 0;
  const [known, setKnown] = useState(false);
  return (
    <ReasonDialog
      title={`Cancel ${orderNo}`}
      act={came ? 'Cancel anyway' : 'Cancel the deposit'}
      danger
      busy={cancel.busy}
      failure={cancel.failure}
      ready={!came || known}
      onAct={async (reason) => {
        if (await cancel.run({ orderNo, reason, moneyCame: came && known })) onClose();
      }}
      onClose={onClose}
    >
      {came && (
        <>
          <p className="note warn">
            <Said text={evidence.sentence} />
          </p>
          <Checkbox
            label="I know that its money has arrived. Cancel anyway."
            checked={known}
            onChange={({ currentTarget: { checked } }) => {
              setKnown(checked);
            }}
          />
        </>
      )}
      <p>
        Nothing more is credited to this order. Money already received for it stays in suspense, under Unmatched money,
        where an operator decides what happens to it.
      </p>
    </ReasonDialog>
  );
}

/** The state of a held fee. */
const prepaidState = (status: Deposit['status'], releasedAt: string | null | undefined): string =>
  releasedAt != null ? 'went back' : status === 'COMPLETED' ? 'captured' : 'held';

function Amounts({ deposit }: { deposit: Deposit }): ReactNode {
  const { currencyCode: currency } = deposit;
  return (
    <Section title="Amounts">
      <Facts
        of={[
          ['To pay', <Money amount={deposit.amount} currency={currency} />],
          ['Requested', <Money amount={deposit.requestedAmount} currency={currency} />],
          [
            'Received',
            isZero(deposit.actualAmount) ? null : <Money amount={deposit.actualAmount} currency={currency} />,
          ],
          ['Fee', <Money amount={deposit.fee} currency={currency} />],
          ['Fee schedule', deposit.feeSchedule?.words ?? null],
          ...volumeFacts(deposit.feeVolume, currency),
          ...costFacts(deposit.costs, currency),
          ...(deposit.feeHeld == null
            ? []
            : [
                [
                  'Prepaid fee',
                  <>
                    <Money amount={deposit.feeHeld} currency={currency} />{' '}
                    {prepaidState(deposit.status, deposit.feeReleasedAt)}
                  </>,
                ] as const,
              ]),
        ]}
      />
    </Section>
  );
}

function Particulars({ deposit }: { deposit: Deposit }): ReactNode {
  const { merchant, account } = deposit;
  return (
    <Section title="Order">
      <Facts
        of={[
          [
            'Merchant',
            <Link to={`/merchants/${merchant.id}`}>
              {merchant.name} ({merchant.merchantCode})
            </Link>,
          ],
          ['Merchant number', <Code text={deposit.merchantOrderNo} what="merchant number" />],
          [
            'Account',
            account && (
              <Link to={`/accounts?open=${account.id}`}>
                {account.name} · {account.bankCode} {account.accountNo}
              </Link>
            ),
          ],
          ['Remark', deposit.expectedRemark === null ? null : <Code text={deposit.expectedRemark} what="remark" />],
          ['Payer (user_id)', deposit.userId],
          ['Payer announced', deposit.payerName],
          [
            'Payer found',
            deposit.payerCheck && (
              <>
                <Status value={deposit.payerCheck.outcome} words={PAYER_FOUND[deposit.payerCheck.outcome]} />{' '}
                <span className="wrap">{deposit.payerCheck.findings.join('; ')}</span>
              </>
            ),
          ],
          [
            'Payer claims',
            deposit.paymentClaim && (
              <>
                <Code text={deposit.paymentClaim.reference} what="claimed reference" /> <Link to="/claims">claims</Link>
              </>
            ),
          ],
          [
            'Payer account',
            [deposit.payerBankCode, deposit.payerAccountLast4 && `…${deposit.payerAccountLast4}`]
              .filter(Boolean)
              .join(' ') || null,
          ],
          [
            'Created through',
            deposit.cashierSessionId === null ? (
              inWords(deposit.orderType)
            ) : (
              <Link to={`/cashier/${deposit.cashierSessionId}`}>Cashier session</Link>
            ),
          ],
          ['Created', <Time at={deposit.createdAt} />],
          ['Expires', <Time at={deposit.expireAt} distance={deposit.status === 'PENDING'} />],
          ['Matched', deposit.matchedAt && <Time at={deposit.matchedAt} />],
          ['Completed', deposit.completedAt && <Time at={deposit.completedAt} />],
          ['Trace', deposit.traceId && <Code text={deposit.traceId} what="trace id" />],
        ]}
      />
      <Group gap="xs">
        <Reveal of="DEPOSIT" id={deposit.id} />
        <Erase order={deposit} />
      </Group>
    </Section>
  );
}

function Shown({ snapshot }: { snapshot: Readonly<Record<string, unknown>> }): ReactNode {
  const pairs = Object.entries(snapshot);
  if (pairs.length === 0) return null;
  return (
    <Section title="Shown to the payer">
      <Facts of={pairs.map(([name, value]) => [inWords(name), <span className="wrap">{String(value)}</span>])} />
    </Section>
  );
}

function DepositView({
  deposit,
  fresh,
  look,
}: {
  deposit: Deposit;
  fresh: ReadonlySet<string>;
  look: () => void;
}): ReactNode {
  const { me } = useSession();
  const [cancelling, setCancelling] = useState(false);
  const open = deposit.status === 'PENDING' || deposit.status === 'MATCHED';
  return (
    <Page
      title={deposit.orderNo}
      back={{ to: '/deposits', words: 'Deposits' }}
      lead={
        <>
          <CopyButton text={deposit.orderNo} what="order number" />
          <Status value={deposit.status} />
        </>
      }
      actions={
        <>
          <RefundButton deposit={deposit} look={look} />
          <RecallButton deposit={deposit} />
          {open && may(me, 'SUPPORT') && (
            <Button
              variant="default"
              onClick={() => {
                setCancelling(true);
              }}
            >
              Cancel deposit
            </Button>
          )}
        </>
      }
    >
      <p className="hero">
        <Money amount={deposit.amount} currency={deposit.currencyCode} />
      </p>
      <Evidence deposit={deposit} look={look} />
      <div className="split story-second">
        <Section title="Timeline">
          <Timeline order={deposit} fresh={fresh} />
        </Section>
        <div className="beside">
          <Amounts deposit={deposit} />
          <Refunds deposit={deposit} />
          <Recall deposit={deposit} />
          <LateReceipts deposit={deposit} look={look} />
          <Routes routes={deposit.route ? [deposit.route] : []} />
          <Callbacks of={deposit.callbacks} />
          <Particulars deposit={deposit} />
          <Shown snapshot={deposit.paymentSnapshot} />
        </div>
      </div>
      {cancelling && (
        <Cancel
          deposit={deposit}
          onClose={() => {
            setCancelling(false);
          }}
        />
      )}
    </Page>
  );
}

/** One deposit with its live timeline. */
export function DepositPage(): ReactNode {
  const { orderNo = '' } = useParams();
  const [asked, ask] = useQuery({ query: DepositDocument, variables: { orderNo } });
  const look = (): void => {
    ask({ requestPolicy: 'network-only' });
  };
  const deposit = asked.data?.deposit;
  // Unmatched money is not an event of this order.
  usePolled(() => {
    if (deposit && deposit.status !== 'COMPLETED') look();
  });
  const fresh = useFollowedDeposit(deposit ?? null, look);
  return (
    <Answer asked={asked} retry={look}>
      {() =>
        deposit ? (
          <DepositView key={deposit.id} deposit={deposit} fresh={fresh} look={look} />
        ) : (
          <Page title="Deposit" back={{ to: '/deposits', words: 'Deposits' }}>
            <Empty icon="search" title="No such deposit">
              {orderNo} does not exist, or you have no access to it.
            </Empty>
          </Page>
        )
      }
    </Answer>
  );
}
