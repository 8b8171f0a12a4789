import { Button, Tabs } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { useQuery } from 'urql';
import { usePolled } from '../../client/polled';
import { inWords } from '../../format/words';
import {
  AccessChoicesDocument,
  type OperatorFilter,
  type OperatorRowFragment,
  OperatorsDocument,
} from '../../generated/operations';
import { ChoiceFilter, Filters, TextFilter } from '../../parts/filters';
import { Icon } from '../../parts/icons';
import { List, useList } from '../../parts/list';
import { Page } from '../../parts/page';
import { pageOf } from '../../parts/paging';
import { Empty } from '../../parts/states';
import { Status } from '../../parts/status';
import type { Column } from '../../parts/table';
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
    cell: ({ merchantIds }) => (merchantIds === null ? <span className="dim">all</span> : String(merchantIds.length)),
  },
  {
    key: 'totp',
    title: 'Authenticator',
    cell: ({ totp }) =>
      totp ? <Status value="ENABLED" words="Set up" /> : <Status value="MISSING" tone="wait" words="Not set up" />,
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

/** The API's filter for what the URL asks for. */
function filterOf(url: UrlState): OperatorFilter {
  const [login, role, status] = [url.get('login'), url.get('role'), url.get('status')];
  return {
    loginPrefix: login?.toLowerCase() ?? null,
    role: role === null ? null : [role],
    disabled: status === null ? null : status === 'disabled',
  };
}

function Operators(): ReactNode {
  const url = useUrlState();
  const [{ data: choices }] = useQuery({ query: AccessChoicesDocument });
  const variables = { ...pageOf(url), filter: filterOf(url) };
  const list = useList(OperatorsDocument, variables, ({ operators }) => operators);
  usePolled(list.look);
  return (
    <>
      <Filters names={['login', 'status', 'role']}>
        <TextFilter name="login" label="Login begins with" />
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
          choices={(choices?.roles.nodes ?? []).map(({ name }) => ({
            value: name,
            label: inWords(name),
          }))}
        />
      </Filters>
      <List
        list={list}
        label="Operators"
        columns={COLUMNS}
        linkOf={({ id }) => `/operators/${id}`}
        empty={
          <Empty icon="operators" title="No operators">
            Nothing matches these filters.
          </Empty>
        }
      />
    </>
  );
}

/** Operators and invitations. */
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
