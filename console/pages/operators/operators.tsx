import { Button, Tabs } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { useQuery } from 'urql';
import { usePolled } from '../../client/polled';
import { inWords } from '../../format/words';
import { type OperatorRowFragment, OperatorsDocument } from '../../generated/operations';
import { Answer } from '../../parts/answer';
import { ChoiceFilter, Filters, TextFilter } from '../../parts/filters';
import { Icon } from '../../parts/icons';
import { Page } from '../../parts/page';
import { Empty } from '../../parts/states';
import { Status } from '../../parts/status';
import { type Column, Rows } from '../../parts/table';
import { Time } from '../../parts/time';
import { type UrlState, useUrlState } from '../../parts/url';
import { Invitations, Invite } from './invitations';

const COLUMNS: readonly Column<OperatorRowFragment>[] = [
  { key: 'login', title: 'Login', cell: ({ login }) => login },
  {
    key: 'status',
    title: 'Status',
    cell: ({ disabledAt }) => <Status value={disabledAt === null ? 'ACTIVE' : 'DISABLED'} />,
  },
  { key: 'roles', title: 'Roles', cell: ({ roles }) => <RoleNames roles={roles} /> },
  {
    key: 'merchants',
    title: 'Merchants',
    cell: ({ merchantIds }) =>
      merchantIds === null ? <span className="dim">all</span> : String(merchantIds.length),
  },
  {
    key: 'totp',
    title: 'Authenticator',
    cell: ({ totp }) =>
      totp ? (
        <Status value="ENABLED" words="Set up" />
      ) : (
        <Status value="MISSING" tone="wait" words="Not set up" />
      ),
  },
  {
    key: 'email',
    title: 'E-mail',
    wideOnly: true,
    cell: ({ email }) => email ?? <span className="dim">–</span>,
  },
  {
    key: 'createdAt',
    title: 'Since',
    wideOnly: true,
    cell: ({ createdAt }) => <Time at={createdAt} />,
  },
];

function RoleNames({ roles }: { roles: readonly string[] }): ReactNode {
  const words = roles.map(inWords).join(', ');
  return (
    <span className="clip wide" title={words}>
      {words || <span className="dim">none</span>}
    </span>
  );
}

/** They are few, and all are here: what the URL asks for is looked for among them. */
function fits({ login, email, disabledAt, roles }: OperatorRowFragment, url: UrlState): boolean {
  const name = url.get('name')?.toLowerCase() ?? '';
  const status = url.get('status');
  const role = url.get('role');
  return (
    (login.includes(name) || (email?.toLowerCase().includes(name) ?? false)) &&
    (status === null || (status === 'active') === (disabledAt === null)) &&
    (role === null || roles.includes(role))
  );
}

function Operators(): ReactNode {
  const url = useUrlState();
  const [asked, ask] = useQuery({ query: OperatorsDocument });
  const look = (): void => {
    ask({ requestPolicy: 'network-only' });
  };
  usePolled(look);
  const roles = new Set(asked.data?.operators.flatMap((one) => one.roles));
  return (
    <>
      <Filters names={['name', 'status', 'role']}>
        <TextFilter name="name" label="Login or e-mail" />
        <ChoiceFilter
          name="status"
          label="Status"
          choices={[
            { value: 'active', label: 'Active' },
            { value: 'disabled', label: 'Disabled' },
          ]}
        />
        <ChoiceFilter
          name="role"
          label="Role"
          choices={[...roles].sort().map((role) => ({ value: role, label: inWords(role) }))}
        />
      </Filters>
      <Answer asked={asked} retry={look}>
        {({ operators }) => {
          const rows = operators.filter((operator) => fits(operator, url));
          return rows.length === 0 ? (
            <Empty icon="operators" title="No operators">
              None fits these filters.
            </Empty>
          ) : (
            <Rows
              label="Operators"
              columns={COLUMNS}
              rows={rows}
              keyOf={({ id }) => id}
              linkOf={({ id }) => `/operators/${id}`}
            />
          );
        }}
      </Answer>
    </>
  );
}

/** Who runs the platform, and who is asked to. */
export function OperatorsPage(): ReactNode {
  const url = useUrlState();
  const [inviting, setInviting] = useState(false);
  return (
    <Page
      title="Operators"
      actions={
        <Button
          leftSection={<Icon name="plus" />}
          onClick={() => {
            setInviting(true);
          }}
        >
          Invite
        </Button>
      }
    >
      <Tabs
        value={url.get('tab') ?? 'operators'}
        onChange={(tab) => {
          url.set({ tab: tab === 'operators' ? null : tab });
        }}
        keepMounted={false}
      >
        <Tabs.List>
          <Tabs.Tab value="operators">Operators</Tabs.Tab>
          <Tabs.Tab value="invitations">Invitations</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="operators" pt="md">
          <Operators />
        </Tabs.Panel>
        <Tabs.Panel value="invitations" pt="md">
          <Invitations />
        </Tabs.Panel>
      </Tabs>
      {inviting && (
        <Invite
          onClose={() => {
            setInviting(false);
          }}
        />
      )}
    </Page>
  );
}
