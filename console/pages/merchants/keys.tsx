import { Button, Checkbox, Group, NumberInput } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { useAction } from '../../client/action';
import { environment } from '../../client/page-settings';
import { may } from '../../client/permission';
import { useSession } from '../../client/session';
import {
  type ApiKeyRowFragment,
  IssueApiKeyDocument,
  type ChangeFieldsFragment,
  RevokeApiKeyDocument,
  RotateApiKeyDocument,
} from '../../generated/operations';
import { Icon } from '../../parts/icons';
import { Section } from '../../parts/page';
import { ProposeDialog, notifyProposed } from '../../parts/propose';
import { ReasonDialog } from '../../parts/reason';
import { SecretOnce } from '../../parts/secret';
import { Empty } from '../../parts/states';
import { Status } from '../../parts/status';
import { type Column, Rows } from '../../parts/table';
import { Time, useNow } from '../../parts/time';

function stateOf({ revokedAt, retiresAt }: ApiKeyRowFragment, now: Date): string {
  if (revokedAt !== null) return 'REVOKED';
  if (retiresAt === null) return 'LIVE';
  return new Date(retiresAt) > now ? 'RETIRING' : 'RETIRED';
}

interface Issued {
  /** Null if the merchant's owner fetches it by a link. */
  readonly apiKey: string | null;
  readonly change: ChangeFieldsFragment;
}

interface DialogProps {
  readonly merchantId: string;
  /** Production: the owner always fetches it. */
  readonly always: boolean;
  readonly onIssued: (issued: Issued) => void;
  readonly onClose: () => void;
}

/** Whether the key goes to the owner, and no operator sees it. */
function ToOwner({ checked, onChange }: { checked: boolean; onChange: (checked: boolean) => void }): ReactNode {
  return (
    <Checkbox
      label="The owner fetches it by a link"
      description="Mailed to the owner's address once approved; nobody here sees the key"
      checked={checked}
      onChange={({ currentTarget }) => {
        onChange(currentTarget.checked);
      }}
    />
  );
}

function Issue({ merchantId, always, onIssued, onClose }: DialogProps): ReactNode {
  const issue = useAction(IssueApiKeyDocument);
  const [toOwner, setToOwner] = useState(always);
  return (
    <ProposeDialog
      title="Issue key"
      act="Issue"
      busy={issue.busy}
      failure={issue.failure}
      onPropose={async (why) => {
        const done = await issue.run({ merchantId, toOwner, ...why });
        if (done) onIssued(done.issueApiKey);
      }}
      onClose={onClose}
    >
      Adds a key; the merchant's other keys stay valid. It signs callbacks once the merchant has created an order with
      it.
      {toOwner ? (
        <p>It works as soon as the owner has fetched it.</p>
      ) : (
        <p>It is shown to you once, and works once another operator has approved it.</p>
      )}
      {!always && <ToOwner checked={toOwner} onChange={setToOwner} />}
    </ProposeDialog>
  );
}

function Rotate({ merchantId, always, onIssued, onClose }: DialogProps): ReactNode {
  const rotate = useAction(RotateApiKeyDocument);
  const [toOwner, setToOwner] = useState(always);
  const [overlapSeconds, setOverlap] = useState(300);
  return (
    <ProposeDialog
      title="Rotate keys"
      act="Rotate"
      busy={rotate.busy}
      failure={rotate.failure}
      onPropose={async (why) => {
        const done = await rotate.run({ merchantId, overlapSeconds, toOwner, ...why });
        if (done) onIssued(done.rotateApiKey);
      }}
      onClose={onClose}
    >
      Replaces all keys of the merchant with a new one. The old keys keep working for a while
      {toOwner && ' after the owner has fetched it'}, then retire. Callbacks are signed by the old key until the
      merchant creates an order with the new one.
      <NumberInput
        label="Old keys work for"
        suffix=" seconds"
        min={0}
        max={86_400}
        allowDecimal={false}
        value={overlapSeconds}
        onChange={(value) => {
          if (typeof value === 'number') setOverlap(value);
        }}
      />
      {!always && <ToOwner checked={toOwner} onChange={setToOwner} />}
    </ProposeDialog>
  );
}

function Revoke({ apiKey, onClose }: { apiKey: ApiKeyRowFragment; onClose: () => void }): ReactNode {
  const revoke = useAction(RevokeApiKeyDocument, 'Key revoked.');
  return (
    <ReasonDialog
      title={`Revoke the key …${apiKey.hint}`}
      act="Revoke"
      danger
      busy={revoke.busy}
      failure={revoke.failure}
      onAct={async (reason) => {
        if (await revoke.run({ id: apiKey.id, reason })) onClose();
      }}
      onClose={onClose}
    >
      The key stops working at once, without a second approval.
    </ReasonDialog>
  );
}

const columns = (now: Date): readonly Column<ApiKeyRowFragment>[] => [
  { key: 'hint', title: 'Key', cell: ({ hint }) => <span className="mono">…{hint}</span> },
  { key: 'state', title: 'Status', cell: (key) => <Status value={stateOf(key, now)} /> },
  {
    key: 'firstUsedAt',
    title: 'First signed request',
    cell: ({ firstUsedAt }) =>
      firstUsedAt === null ? (
        <Status value="AWAITED" />
      ) : (
        <Group gap="xs">
          <Status value="ARRIVED" />
          <Time at={firstUsedAt} />
        </Group>
      ),
  },
  { key: 'createdAt', title: 'Issued', cell: ({ createdAt }) => <Time at={createdAt} /> },
  {
    key: 'ends',
    title: 'Ends',
    cell: ({ revokedAt, retiresAt }) => {
      const end = revokedAt ?? retiresAt;
      return end === null ? <span className="dim">–</span> : <Time at={end} />;
    },
  },
];

/** A merchant's API keys. A new one is shown once. */
export function Keys({ merchantId, keys }: { merchantId: string; keys: readonly ApiKeyRowFragment[] }): ReactNode {
  const { me } = useSession();
  const always = environment() === 'production';
  const now = useNow();
  const [dialog, setDialog] = useState<'issue' | 'rotate' | null>(null);
  const [revoking, setRevoking] = useState<ApiKeyRowFragment | null>(null);
  const [issued, setIssued] = useState<Issued | null>(null);
  const close = (): void => {
    setDialog(null);
    setRevoking(null);
  };
  const show = (made: Issued): void => {
    close();
    if (made.apiKey === null) notifyProposed(made.change);
    else setIssued(made);
  };
  return (
    <Section
      title="API keys"
      flush
      actions={
        may(me, 'CONFIGURE') && (
          <Group gap="xs">
            <Button
              variant="default"
              onClick={() => {
                setDialog('rotate');
              }}
            >
              Rotate
            </Button>
            <Button
              leftSection={<Icon name="key" />}
              onClick={() => {
                setDialog('issue');
              }}
            >
              Issue key
            </Button>
          </Group>
        )
      }
    >
      {keys.length === 0 ? (
        <Empty icon="key" title="No key yet">
          The merchant needs a key to call the API.
        </Empty>
      ) : (
        <Rows
          label="API keys"
          columns={columns(now)}
          rows={keys}
          keyOf={({ id }) => id}
          actions={(key) =>
            may(me, 'CONFIGURE') &&
            ['LIVE', 'RETIRING'].includes(stateOf(key, now)) && (
              <Button
                variant="subtle"
                color="red.8"
                className="quiet-danger"
                aria-label={`Revoke the key ${key.hint}`}
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
      {dialog === 'issue' && <Issue merchantId={merchantId} always={always} onIssued={show} onClose={close} />}
      {dialog === 'rotate' && <Rotate merchantId={merchantId} always={always} onIssued={show} onClose={close} />}
      {revoking && <Revoke apiKey={revoking} onClose={close} />}
      {issued?.apiKey != null && (
        <SecretOnce
          title="The new key"
          secrets={[{ name: 'API key', text: issued.apiKey }]}
          onClose={() => {
            notifyProposed(issued.change);
            setIssued(null);
          }}
        >
          {issued.change.status === 'PROPOSED' && (
            <p className="dim">It works once another operator has approved it.</p>
          )}
        </SecretOnce>
      )}
    </Section>
  );
}
