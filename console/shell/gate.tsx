import { type ReactNode, useEffect } from 'react';
import { environment } from '../client/page-settings';
import { Brand, EnvironmentBadge } from './brand';

/**
 * The card of a page that needs no login.
 * @param over whether it covers a page, which comes back with its title
 */
export function Gate({
  title,
  over = false,
  children,
}: {
  title: string;
  over?: boolean;
  children: ReactNode;
}): ReactNode {
  useEffect(() => {
    const before = document.title;
    document.title = `${title} · Causeway`;
    return () => {
      document.title = before;
    };
  }, [title]);
  return (
    <main className={over ? 'gate over' : 'gate'}>
      <div className="login">
        <header>
          <Brand />
          <EnvironmentBadge environment={environment()} />
        </header>
        <h1>{title}</h1>
        {children}
      </div>
    </main>
  );
}
