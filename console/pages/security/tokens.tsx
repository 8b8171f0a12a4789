import { Button, Checkbox, Select, TagsInput, TextInput } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { useAction } from '../../client/action';
import { useSession } from '../../client/session';
import { inWords } from '../../format/words';
import {
  type ApiTokenRowFragment,
  CreateApiTokenDocument,
  type Permission,
  RevokeApiTokenDocument,
} from '../../generated/operations';
import { Dialog } from '../../parts/dialog';
import { Form } from '../../parts/form';
import { Icon } from '../../parts/icons';
import { Section } from '../../parts/page';
import { SecretOnce } from '../../parts/secret';
import { Empty } from '../../parts/states';
import { Status } from '../../parts/status';
import { type Column, Rows } from '../../parts/table';
import { Time, useNow } from '../../parts/time';

const stateOf = ({ revokedAt, expiresAt }: ApiTokenRowFragment, now: Date): string => {
  if (revokedAt !== null) return 'REVOKED';
  return new Date(expiresAt) > now ? 'LIVE' : 'EXPIRED';
};

const columns = (now: Date): readonly Column<ApiTokenRowFragment>[] => [
  { key: 'label', title: 'Token', cell: ({ label }) => label },
  { key: 'state', title: 'Status', cell: (token) => <Status value={stateOf(token, now)} /> },
  { key: 'hint', title: 'Ends with', cell: ({ hint }) => <span className="mono">…{hint}</span> },
  { key: 'scopes', title: 'May', cell: ({ scopes }) => scopes.map(inWords).join(', ') },
  {
    key: 'lastUsedAt',
    title: 'Last used',
    cell: ({ lastUsedAt }) => (lastUsedAt === null ? <span className="dim">never</span> : <Time at={lastUsedAt} />),
  },
  {
    key: 'createdAt',
    title: 'Created',
    wideOnly: true,
    cell: ({ createdAt }) => <Time at={createdAt} />,
  },
  {
    key: 'ends',
    title: 'Ends',
    cell: ({ revokedAt, expiresAt }) => <Time at={revokedAt ?? expiresAt} />,
  },
];

const DAY_MS = 86_400_000;
const LASTS = ['7', '30', '90', '180', '365'] as const;

function NewToken({ onMade, onClose }: { onMade: (secret: string) => void; onClose: () => void }): ReactNode {
  const { me } = useSession();
  const create = useAction(CreateApiTokenDocument);
  const [label, setLabel] = useState('');
  const [scopes, setScopes] = useState<string[]>([]);
  const [days, setDays] = useState<string>('30');
  const [allowedAddresses, setAddresses] = useState<string[]>([]);
  // A token cannot approve and cannot log in.
  const offered = me.permissions.filter((one) => !['VIEW', 'APPROVE', 'ADMIN'].includes(one));
  return (
    <Dialog title="New API token" onClose={onClose}>
      <Form
        act="Create token"
        busy={create.busy}
        failure={create.failure}
        ready={label.trim() !== ''}
        onAct={async () => {
          const done = await create.run({
            label: label.trim(),
            scopes: ['VIEW', ...(scopes as Permission[])],
            allowedAddresses,
            // A little less, so that 365 days never exceed the platform's limit.
            expiresAt: new Date(Date.now() + Number(days) * DAY_MS - 60_000).toISOString(),
          });
          if (done) onMade(done.createApiToken.secret);
        }}
        onBack={onClose}
      >
        For your programs. A token has those of your permissions that you tick here. It can never approve.
        <TextInput
          label="Purpose"
          value={label}
          maxLength={64}
          required
          data-autofocus
          onChange={({ currentTarget: { value } }) => {
            setLabel(value);
          }}
        />
        <Checkbox.Group label="Permissions" value={scopes} onChange={setScopes}>
          <div className="ticks">
            <Checkbox label="View" checked disabled readOnly />
            {offered.map((scope) => (
              <Checkbox key={scope} value={scope} label={inWords(scope)} />
            ))}
          </div>
        </Checkbox.Group>
        <Select
          label="Valid for"
          data={LASTS.map((value) => ({ value, label: `${value} days` }))}
          value={days}
          allowDeselect={false}
          onChange={(value) => {
            setDays(value ?? '30');
          }}
        />
        <TagsInput
          label="Works from"
          description="Addresses and networks; production needs one"
          value={allowedAddresses}
          onChange={setAddresses}
        />
      </Form>
    </Dialog>
  );
}

/** Revokes a token: the operator's own or, with ADMIN, any. */
export function RevokeToken({ token, onDone }: { token: ApiTokenRowFragment; onDone: () => void }): ReactNode {
  const revoke = useAction(RevokeApiTokenDocument, 'Token revoked.');
  const [open, setOpen] = useState(false);
  const close = (): void => {
    setOpen(false);
    revoke.forget();
  };
  return (
    <>
      <Button
        variant="subtle"
        color="red.8"
        className="quiet-danger"
        aria-label={`Revoke ${token.label}`}
        onClick={() => {
          setOpen(true);
        }}
      >
        Revoke
      </Button>
      {open && (
        <Dialog title={`Revoke ${token.label}`} onClose={close}>
          <Form
            act="Revoke"
            danger
            busy={revoke.busy}
            failure={revoke.failure}
            ready
            onAct={async () => {
              if (!(await revoke.run({ id: token.id }))) return;
              close();
              onDone();
            }}
            onBack={close}
          >
            Programs that use this token are refused from now on.
          </Form>
        </Dialog>
      )}
    </>
  );
}

/** Tokens, with actions for the live ones. */
export function TokenRows({ tokens, look }: { tokens: readonly ApiTokenRowFragment[]; look: () => void }): ReactNode {
  const now = useNow();
  return (
    <Rows
      label="API tokens"
      columns={columns(now)}
      rows={tokens}
      keyOf={({ id }) => id}
      actions={(token) => stateOf(token, now) === 'LIVE' && <RevokeToken token={token} onDone={look} />}
    />
  );
}

/** The operator's own tokens. A new one is shown once. */
export function Tokens({ tokens, look }: { tokens: readonly ApiTokenRowFragment[]; look: () => void }): ReactNode {
  const [making, setMaking] = useState(false);
  const [secret, setSecret] = useState<string | null>(null);
  return (
    <Section
      title="API tokens"
      flush
      actions={
        <Button
          variant="default"
          leftSection={<Icon name="plus" />}
          onClick={() => {
            setMaking(true);
          }}
        >
          New token
        </Button>
      }
    >
      {tokens.length === 0 ? (
        <Empty icon="key" title="No tokens">
          Create one for a program that works in your name.
        </Empty>
      ) : (
        <TokenRows tokens={tokens} look={look} />
      )}
      {making && (
        <NewToken
          onMade={(made) => {
            setMaking(false);
            setSecret(made);
          }}
          onClose={() => {
            setMaking(false);
          }}
        />
      )}
      {secret !== null && (
        <SecretOnce
          title="The new token"
          secrets={[{ name: 'API token', text: secret }]}
          onClose={() => {
            setSecret(null);
            look();
          }}
        >
          <p className="dim">
            Send as <span className="mono">Authorization: Bearer …</span>
          </p>
        </SecretOnce>
      )}
    </Section>
  );
}
