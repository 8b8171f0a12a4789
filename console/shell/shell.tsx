import { ActionIcon, Menu, Tooltip, useMantineColorScheme } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { type ReactNode, useEffect } from 'react';
import { Navigate, NavLink, Route, Routes, useLocation } from 'react-router';
import { useQuery, useSubscription } from 'urql';
import { useConnection } from '../client/live';
import { formatTime } from '../format/time';
import { usePolled } from '../client/polled';
import { environment } from '../client/page-settings';
import { may } from '../client/permission';
import { useSession } from '../client/session';
import { PlatformHealthDocument, QueuesChangedDocument } from '../generated/operations';
import { Icon } from '../parts/icons';
import { Page } from '../parts/page';
import { Empty } from '../parts/states';
import { Brand, EnvironmentBadge } from './brand';
import { NAV_GROUPS, PLACES, type Queues } from './pages';
import { SearchBox } from './search';

const SCHEMES = [
  ['auto', 'System', 'system'],
  ['light', 'Light', 'sun'],
  ['dark', 'Dark', 'moon'],
] as const;

function UserMenu(): ReactNode {
  const { me, logout } = useSession();
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  return (
    <Menu position="bottom-end" width={220}>
      <Menu.Target>
        <button type="button" className="user" aria-label={`${me.login}: appearance, log out`}>
          <Icon name="user" />
          <span className="user-name">{me.login}</span>
        </button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>Appearance</Menu.Label>
        {SCHEMES.map(([scheme, words, icon]) => (
          <Menu.Item
            key={scheme}
            leftSection={<Icon name={icon} />}
            rightSection={colorScheme === scheme ? <Icon name="check" /> : null}
            aria-current={colorScheme === scheme}
            onClick={() => {
              setColorScheme(scheme);
            }}
          >
            {words}
          </Menu.Item>
        ))}
        <Menu.Divider />
        <Menu.Item leftSection={<Icon name="logout" />} onClick={() => void logout()}>
          Log out
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

const CONNECTION = {
  live: { words: 'Live', meaning: 'The platform works, and changes appear as they happen.' },
  connecting: {
    words: 'Reconnecting',
    meaning: 'The data shown may be out of date until the connection is back.',
  },
  idle: { words: 'Idle', meaning: 'This page does not update by itself.' },
} as const;

/** The names of the platform's unhealthy states. */
const PLATFORM = { STALLED: 'Stalled', IMPAIRED: 'Impaired', UNKNOWN: 'No database' } as const;

/** How often the platform's health is read, milliseconds; the platform checks it as often. */
const HEALTH_EVERY_MS = 5_000;

/** A warning about the platform; null while it works, and while the page is not connected. */
function usePlatform(): { readonly words: string; readonly meaning: string } | null {
  const { me } = useSession();
  const connection = useConnection();
  const pause = !may(me, 'VIEW');
  const [{ data }, read] = useQuery({ query: PlatformHealthDocument, pause });
  usePolled(() => {
    if (!pause) read({ requestPolicy: 'network-only' });
  }, HEALTH_EVERY_MS);
  const health = data?.platformHealth;
  if (connection !== 'live' || !health || health.state === 'WORKING') return null;
  const since = ({ message, since }: (typeof health.problems)[number]): string =>
    `${message} Since ${formatTime(since, new Date())}.`;
  return {
    words: PLATFORM[health.state],
    meaning: health.problems.map(since).join(' ') || 'The database does not answer.',
  };
}

function ConnectionMark(): ReactNode {
  const connection = useConnection();
  const platform = usePlatform();
  const { words, meaning } = platform ?? CONNECTION[connection];
  const look = platform ? words.toLowerCase().replace(' ', '-') : connection;
  return (
    <Tooltip label={meaning} multiline maw={360}>
      <span className={`connection ${look}`} role="status" tabIndex={0}>
        <span aria-hidden className="dot" />
        <span className="connection-words">{words}</span>
      </span>
    </Tooltip>
  );
}

/** Counts of waiting work, up to 1,000; the platform sends them at most once a second. */
function useQueues(): Queues | null {
  const { me } = useSession();
  const [{ data }] = useSubscription({ query: QueuesChangedDocument, pause: !may(me, 'VIEW') });
  return data?.queuesChanged ?? null;
}

function Badge({ waiting }: { waiting: number }): ReactNode {
  if (waiting === 0) return null;
  const shown = waiting > 99 ? '99+' : String(waiting);
  return (
    <>
      <span aria-hidden className="badge">
        {shown}
      </span>
      <span className="visually-hidden">, {shown} waiting</span>
    </>
  );
}

function Navigation({ onGo }: { onGo: () => void }): ReactNode {
  const { me } = useSession();
  const queues = useQueues();
  const shown = PLACES.filter(({ nav, open }) => nav && open(me));
  return (
    <nav aria-label="Main">
      {NAV_GROUPS.map((group) => (
        <ul key={group}>
          {shown.map(
            ({ path, nav }) =>
              nav?.group === group && (
                <li key={path}>
                  <NavLink to={path} onClick={onGo}>
                    <Icon name={nav.icon} size={17} />
                    {nav.title}
                    {queues && nav.waiting && <Badge waiting={nav.waiting(queues) ?? 0} />}
                  </NavLink>
                </li>
              ),
          )}
        </ul>
      ))}
    </nav>
  );
}

function NoSuchPlace(): ReactNode {
  return (
    <Page title="Not found">
      <Empty icon="search" title="Page not found">
        The link may be out of date, or you may not have access.
      </Empty>
    </Page>
  );
}

/** The frame of every page: operator, navigation, connection state and search. */
export function Shell(): ReactNode {
  const { me } = useSession();
  const { pathname } = useLocation();
  const [navOpen, nav] = useDisclosure(false);
  useEffect(() => {
    window.scrollTo(0, 0);
  }, [pathname]);
  return (
    <div className={navOpen ? 'shell nav-open' : 'shell'}>
      <a className="skip" href="#content">
        Skip to content
      </a>
      <header className="top">
        <ActionIcon
          className="burger"
          variant="subtle"
          color="gray"
          size="lg"
          aria-label="Navigation"
          aria-expanded={navOpen}
          onClick={nav.toggle}
        >
          <Icon name={navOpen ? 'close' : 'menu'} size={20} />
        </ActionIcon>
        <NavLink to="/" className="home" aria-label="Causeway, home">
          <Brand />
        </NavLink>
        <EnvironmentBadge environment={environment()} />
        <SearchBox />
        <ConnectionMark />
        <UserMenu />
      </header>
      <div className="side">
        <Navigation onGo={nav.close} />
      </div>
      <main id="content" tabIndex={-1}>
        <Routes>
          <Route index element={<Navigate to="/deposits" replace />} />
          {PLACES.filter(({ open }) => open(me)).map(({ path, page }) => (
            <Route key={path} path={path} element={page} />
          ))}
          <Route path="*" element={<NoSuchPlace />} />
        </Routes>
      </main>
    </div>
  );
}
