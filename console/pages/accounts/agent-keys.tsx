import { Button } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { Link } from 'react-router';
import { useQuery } from 'urql';
import { useAction } from '../../client/action';
import { may } from '../../client/permission';
import { useSession } from '../../client/session';
import {
  type AgentKeyRowFragment,
  AgentKeysDocument,
  RevokeAgentKeyDocument,
  type RevokeAgentKeyMutation,
} from '../../generated/operations';
import { formatMoney } from '../../format/money';
import { count } from '../../format/words';
import { Answer } from '../../parts/answer';
import { Dialog } from '../../parts/dialog';
import { Icon } from '../../parts/icons';
import { Money } from '../../parts/money';
import { Section } from '../../parts/page';
import { besides, pageOf } from '../../parts/paging';
import { notifyProposed } from '../../parts/propose';
import { ReasonDialog } from '../../parts/reason';
import { SecretOnce } from '../../parts/secret';
import { Empty } from '../../parts/states';
import { Status } from '../../parts/status';
import { type Column, Pager, Rows } from '../../parts/table';
import { Time } from '../../parts/time';
import { useUrlState } from '../../parts/url';
import { type AgentAccounts, type Issued, NewAgentKey } from './new-agent-key';

type Credited = RevokeAgentKeyMutation['revokeAgentKey']['credited'];

const columns = (accounts: AgentAccounts): readonly Column<AgentKeyRowFragment>[] => {
  const known = new Map(accounts.map((account) => [account.id, account]));
  /** A ceiling, in the currencies of the key's accounts. */
  const ceiling = (amount: string | null, ids: readonly string[]): ReactNode => {
    if (amount === null) return <span className="dim">no limit</span>;
    const currencies = new Set(ids.flatMap((id) => known.get(id)?.currencyCode ?? []));
    return `${formatMoney(amount, 2)} ${[...currencies].join(', ')}`;
  };
  return [
    { key: 'label', title: 'Key', cell: ({ label }) => label },
    {
      key: 'keyId',
      title: 'Key id, signs by',
      cell: ({ keyId, publicKey, worksSince }) => (
        <>
          <span className="mono">{keyId}</span>
          <br />
          <span className="dim">{worksSince === null ? 'Not yet' : publicKey === null ? 'HMAC' : 'Ed25519'}</span>
        </>
      ),
    },
    {
      key: 'status',
      title: 'Status',
      cell: ({ revokedAt, worksSince }) => (
        <Status value={revokedAt !== null ? 'REVOKED' : worksSince === null ? 'AWAITS_OWNER' : 'LIVE'} />
      ),
    },
    {
      key: 'accounts',
      title: 'Accounts',
      cell: ({ accountIds }) => accountIds.map((id) => known.get(id)?.name ?? id).join(', '),
    },
    {
      key: 'transfer',
      title: 'Limit per bank credit',
      numeric: true,
      cell: ({ maxTransferAmount, accountIds }) => ceiling(maxTransferAmount, accountIds),
    },
    {
      key: 'day',
      title: 'Limit per 24 h',
      numeric: true,
      cell: ({ maxDailyAmount, accountIds }) => ceiling(maxDailyAmount, accountIds),
    },
    { key: 'createdAt', title: 'Issued', cell: ({ createdAt }) => <Time at={createdAt} /> },
  ];
};

function Revoke({
  agentKey,
  onRevoked,
  onClose,
}: {
  agentKey: AgentKeyRowFragment;
  onRevoked: (credited: Credited) => void;
  onClose: () => void;
}): ReactNode {
  const revoke = useAction(RevokeAgentKeyDocument, 'Key revoked.');
  return (
    <ReasonDialog
      title={`Revoke ${agentKey.label}`}
      act="Revoke"
      danger
      busy={revoke.busy}
      failure={revoke.failure}
      onAct={async (reason) => {
        const done = await revoke.run({ id: agentKey.id, reason });
        if (done) onRevoked(done.revokeAgentKey.credited);
      }}
      onClose={onClose}
    >
      The key stops working at once, without a second approval. The deposits that it credited are listed afterwards.
    </ReasonDialog>
  );
}

const CREDITED: readonly Column<Credited[number]>[] = [
  {
    key: 'orderNo',
    title: 'Order',
    cell: ({ orderNo }) => (orderNo === null ? '–' : <Link to={`/deposits/${orderNo}`}>{orderNo}</Link>),
  },
  {
    key: 'amount',
    title: 'Amount',
    numeric: true,
    cell: ({ amount, currencyCode }) => <Money amount={amount} currency={currencyCode} />,
  },
  { key: 'receivedAt', title: 'Reported', cell: ({ receivedAt }) => <Time at={receivedAt} /> },
];

/** The keys of agents that watch bank accounts. */
export function AgentKeys(): ReactNode {
  const { me } = useSession();
  const url = useUrlState();
  const [asked, ask] = useQuery({ query: AgentKeysDocument, variables: pageOf(url) });
  const [making, setMaking] = useState(false);
  const [issued, setIssued] = useState<Issued | null>(null);
  const [revoking, setRevoking] = useState<AgentKeyRowFragment | null>(null);
  const [credited, setCredited] = useState<Credited | null>(null);
  return (
    <Section
      title="Agent keys"
      flush
      actions={
        may(me, 'CONFIGURE') && (
          <Button
            leftSection={<Icon name="key" />}
            onClick={() => {
              setMaking(true);
            }}
          >
            New agent key
          </Button>
        )
      }
    >
      <Answer
        asked={asked}
        retry={() => {
          ask({ requestPolicy: 'network-only' });
        }}
      >
        {({ agentKeys, bankAccounts }) => (
          <>
            {agentKeys.nodes.length === 0 ? (
              <Empty icon="key" title="No agent keys">
                No agent reports movements yet.
              </Empty>
            ) : (
              <Rows
                label="Agent keys"
                columns={columns(bankAccounts.nodes)}
                rows={agentKeys.nodes}
                keyOf={({ id }) => id}
                actions={(key) =>
                  may(me, 'CONFIGURE') &&
                  key.revokedAt === null && (
                    <Button
                      variant="subtle"
                      color="red.8"
                      className="quiet-danger"
                      aria-label={`Revoke ${key.label}`}
                      onClick={() => {
                        setRevoking(key);
                      }}
                    >
                      Revoke
                    </Button>
                  )
                }
              />
            )}
            <Pager {...besides(url, agentKeys.pageInfo)} />
            {making && (
              <NewAgentKey
                accounts={bankAccounts.nodes}
                onIssued={(made) => {
                  setMaking(false);
                  setIssued(made);
                }}
                onClose={() => {
                  setMaking(false);
                }}
              />
            )}
          </>
        )}
      </Answer>
      {issued && (
        <SecretOnce
          title="The new agent key"
          secrets={[
            { name: 'Key id', text: issued.keyId },
            ...(issued.secret === null ? [] : [{ name: 'Secret', text: issued.secret }]),
          ]}
          onClose={() => {
            notifyProposed(issued.change);
            setIssued(null);
          }}
        >
          {issued.byOwner && (
            <p className="dim">The owner is mailed a link to enrol the public key; the key works from then on.</p>
          )}
          {issued.change.status === 'PROPOSED' && (
            <p className="dim">It works once another operator has approved it.</p>
          )}
        </SecretOnce>
      )}
      {revoking && (
        <Revoke
          agentKey={revoking}
          onRevoked={(transfers) => {
            setRevoking(null);
            setCredited(transfers);
          }}
          onClose={() => {
            setRevoking(null);
          }}
        />
      )}
      {credited && (
        <Dialog
          size="lg"
          title={`This key credited ${count(credited.length, 'bank credit')}`}
          onClose={() => {
            setCredited(null);
          }}
        >
          {credited.length === 0 ? (
            <p className="dim">This key credited nothing.</p>
          ) : (
            <Rows label="Credited" columns={CREDITED} rows={credited} keyOf={({ id }) => id} />
          )}
        </Dialog>
      )}
    </Section>
  );
}
