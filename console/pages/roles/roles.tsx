import { Button, Group } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { Link } from 'react-router';
import { useQuery } from 'urql';
import { useAction } from '../../client/action';
import { usePolled } from '../../client/polled';
import { DeleteRoleDocument, type RoleRowFragment, RolesDocument, type RolesQuery } from '../../generated/operations';
import { Answer } from '../../parts/answer';
import { Pane } from '../../parts/dialog';
import { Icon } from '../../parts/icons';
import { Money } from '../../parts/money';
import { Page, Section } from '../../parts/page';
import { notifyProposed } from '../../parts/propose';
import { ReasonDialog } from '../../parts/reason';
import { type Column, Rows } from '../../parts/table';
import { useUrlState } from '../../parts/url';
import { EditRole } from './edit';
import { MAY } from './permissions';

type Operator = RolesQuery['operators']['nodes'][number];

function Limits({ approveLimits, permissions }: RoleRowFragment): ReactNode {
  if (!permissions.includes('APPROVE')) return <span className="dim">–</span>;
  if (approveLimits === null) return 'any amount';
  return approveLimits.map(({ currencyCode, amount }) => (
    <span key={currencyCode} className="limit">
      up to <Money amount={amount} currency={currencyCode} />
    </span>
  ));
}

const columns = (holders: (name: string) => readonly Operator[]): readonly Column<RoleRowFragment>[] => [
  { key: 'name', title: 'Role', cell: ({ name }) => name },
  {
    key: 'permissions',
    title: 'Allows',
    cell: ({ permissions }) => permissions.map((one) => MAY[one].words).join(', '),
  },
  { key: 'limits', title: 'Approves', cell: (role) => <Limits {...role} /> },
  {
    key: 'holders',
    title: 'Operators',
    numeric: true,
    cell: ({ name }) => holders(name).length,
  },
  {
    key: 'kind',
    title: 'Kind',
    cell: ({ builtIn }) => (builtIn ? <span className="dim">built in</span> : 'own'),
  },
];

function DeleteRole({ name, onDone, onClose }: { name: string; onDone: () => void; onClose: () => void }): ReactNode {
  const remove = useAction(DeleteRoleDocument);
  return (
    <ReasonDialog
      title={`Delete ${name}`}
      act="Delete"
      danger
      busy={remove.busy}
      failure={remove.failure}
      onAct={async (reason) => {
        const done = await remove.run({ name, reason });
        if (!done) return;
        notifyProposed(done.deleteRole.change);
        onDone();
      }}
      onClose={onClose}
    >
      Deletes the role at once, if no operator has it. No second approval is needed.
    </ReasonDialog>
  );
}

/** A role: permissions, operators and actions. */
function RoleView({
  role,
  holders,
  onEdit,
  onDelete,
}: {
  role: RoleRowFragment;
  holders: readonly Operator[];
  onEdit: () => void;
  onDelete: () => void;
}): ReactNode {
  return (
    <div className="stack">
      <Section
        title="Permissions"
        actions={
          !role.builtIn && (
            <Button variant="default" onClick={onEdit}>
              Change
            </Button>
          )
        }
      >
        <ul className="plain-list">
          {role.permissions.map((permission) => (
            <li key={permission}>
              {MAY[permission].words} <span className="dim">· {MAY[permission].may}</span>
            </li>
          ))}
        </ul>
        {role.permissions.includes('APPROVE') && (
          <p className="below">
            Approves <Limits {...role} />
          </p>
        )}
      </Section>
      <Section title="Operators">
        {holders.length === 0 && <p className="dim">None.</p>}
        <Group gap="xs">
          {holders.map(({ id, login }) => (
            <Link key={id} to={`/operators/${id}`}>
              {login}
            </Link>
          ))}
        </Group>
      </Section>
      {role.builtIn ? (
        <p className="dim">Built-in roles cannot be changed.</p>
      ) : (
        holders.length === 0 && (
          <Group>
            <Button variant="default" className="quiet-danger" onClick={onDelete}>
              Delete the role
            </Button>
          </Group>
        )
      )}
    </div>
  );
}

/** The roles. */
export function RolesPage(): ReactNode {
  const url = useUrlState();
  const [asked, ask] = useQuery({ query: RolesDocument });
  const look = (): void => {
    ask({ requestPolicy: 'network-only' });
  };
  usePolled(look);
  const [dialog, setDialog] = useState<'new' | 'edit' | 'delete' | null>(null);
  const close = (): void => {
    setDialog(null);
  };
  const holders = (name: string): readonly Operator[] =>
    asked.data?.operators.nodes.filter(({ roles }) => roles.includes(name)) ?? [];
  const open = asked.data?.roles.nodes.find(({ name }) => name === url.get('open'));
  const shut = (): void => {
    url.set({ open: null }, true);
  };
  return (
    <Page
      title="Roles"
      actions={
        <Button
          leftSection={<Icon name="plus" />}
          onClick={() => {
            setDialog('new');
          }}
        >
          New role
        </Button>
      }
    >
      <Answer asked={asked} retry={look}>
        {({ roles }) => (
          <Rows
            label="Roles"
            columns={columns(holders)}
            rows={[...roles.nodes].sort((a, b) => Number(b.builtIn) - Number(a.builtIn))}
            keyOf={({ name }) => name}
            linkOf={({ name }) => url.link({ open: name })}
          />
        )}
      </Answer>
      <Pane opened={open !== undefined && dialog === null} title={open?.name ?? ''} onClose={shut}>
        {open && (
          <RoleView
            role={open}
            holders={holders(open.name)}
            onEdit={() => {
              setDialog('edit');
            }}
            onDelete={() => {
              setDialog('delete');
            }}
          />
        )}
      </Pane>
      {(dialog === 'new' || (dialog === 'edit' && open)) && (
        <EditRole role={dialog === 'edit' ? (open ?? null) : null} onDone={look} onClose={close} />
      )}
      {dialog === 'delete' && open && (
        <DeleteRole
          name={open.name}
          onDone={() => {
            close();
            shut();
            look();
          }}
          onClose={close}
        />
      )}
    </Page>
  );
}
