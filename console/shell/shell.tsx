import { ActionIcon, Menu, Tooltip, useMantineColorScheme } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { type ReactNode, useEffect } from 'react';
import { Navigate, NavLink, Route, Routes, useLocation } from 'react-router';
import { useConnection } from '../client/live';
import type { Environment } from '../client/page-settings';
import { useSession } from '../client/session';
import { Icon } from '../parts/icons';
import { Page } from '../parts/page';
import { Empty } from '../parts/states';
import { Brand, EnvironmentBadge } from './brand';
import { PLACES } from './pages';
import { SearchBox } from './search';

const SCHEMES = [
  ['auto', 'Like the system', 'system'],
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
  live: { words: 'Live', told: 'Changes appear as they happen.' },
  connecting: {
    words: 'Reconnecting',
    told: 'What you see may be old until the connection is back.',
  },
  idle: { words: 'Idle', told: 'Nothing is followed.' },
} as const;

function ConnectionMark(): ReactNode {
  const connection = useConnection();
  const { words, told } = CONNECTION[connection];
  return (
    <Tooltip label={told}>
      <span className={`connection ${connection}`} role="status" tabIndex={0}>
        <span aria-hidden className="dot" />
        <span className="connection-words">{words}</span>
      </span>
    </Tooltip>
  );
}

function Navigation({ onGo }: { onGo: () => void }): ReactNode {
  const { me } = useSession();
  return (
    <nav aria-label="Main">
      <ul>
        {PLACES.filter(({ nav, open }) => nav && open(me)).map(({ path, nav }) => (
          <li key={path}>
            <NavLink to={path} onClick={onGo}>
              {nav && <Icon name={nav.icon} size={17} />}
              {nav?.title}
            </NavLink>
          </li>
        ))}
      </ul>
    </nav>
  );
}

function NoSuchPlace(): ReactNode {
  return (
    <Page title="Not found">
      <Empty icon="search" title="There is nothing at this address">
        The link may be old, or what it shows is not yours to see.
      </Empty>
    </Page>
  );
}

/** The frame around every page: who, where, what is alive, and the search. */
export function Shell({ environment }: { environment: Environment }): ReactNode {
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
        <NavLink to="/" className="home" aria-label="Causeway, first page">
          <Brand />
        </NavLink>
        <EnvironmentBadge environment={environment} />
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
