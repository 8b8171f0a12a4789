import { type ReactNode, useEffect } from 'react';
import { environment } from '../client/page-settings';
import { Brand, EnvironmentBadge } from './brand';

/** The card of a page that needs no login. */
export function Gate({ title, children }: { title: string; children: ReactNode }): ReactNode {
  useEffect(() => {
    document.title = `${title} · Causeway`;
  }, [title]);
  return (
    <main className="gate">
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
