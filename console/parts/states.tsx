import { Button, Skeleton } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Failure } from '../client/failure';
import { Icon, type IconName } from './icons';

/** An empty state, with a hint. */
export function Empty({
  icon = 'check',
  title,
  children,
  action,
}: {
  icon?: IconName;
  title: string;
  children?: ReactNode;
  action?: ReactNode;
}): ReactNode {
  return (
    <div className="state" role="status">
      <span className="state-icon">
        <Icon name={icon} size={22} />
      </span>
      <p className="state-title">{title}</p>
      {children !== undefined && <p className="state-text">{children}</p>}
      {action}
    </div>
  );
}

const TITLES: Readonly<Record<Failure['kind'], string>> = {
  offline: 'No connection',
  unavailable: 'Not available at the moment',
  ended: 'Your session has ended',
  refused: 'Refused',
  missing: 'Not found',
  broken: 'Something went wrong',
};

const ICONS: Readonly<Record<Failure['kind'], IconName>> = {
  offline: 'offline',
  unavailable: 'clock',
  ended: 'user',
  refused: 'security',
  missing: 'search',
  broken: 'alert',
};

const ADVICE: Partial<Readonly<Record<Failure['kind'], string>>> = {
  offline: 'Check the network. The data shown may be out of date.',
  unavailable: 'It should be back soon. Payments in progress are safe.',
};

/** Shown instead of content that failed to load. */
export function FailureState({
  failure,
  onRetry,
  heading = false,
}: {
  failure: Failure;
  onRetry?: () => void;
  /** Whether it is the whole page: then its title is the page's. */
  heading?: boolean;
}): ReactNode {
  const title = TITLES[failure.kind];
  return (
    <div className="state" role="alert">
      <span className="state-icon bad">
        <Icon name={ICONS[failure.kind]} size={22} />
      </span>
      {heading ? <h1 className="state-title">{title}</h1> : <p className="state-title">{title}</p>}
      <p className="state-text">
        {failure.message}
        {ADVICE[failure.kind] !== undefined && <> {ADVICE[failure.kind]}</>}
      </p>
      {onRetry && (
        <Button variant="default" onClick={onRetry} leftSection={<Icon name="refresh" />}>
          Try again
        </Button>
      )}
    </div>
  );
}

/** A one-line failure beside a form or above stale content. */
export function FailureLine({ failure }: { failure: Failure | null }): ReactNode {
  if (!failure) return null;
  return (
    <p className="failure-line" role="alert">
      <Icon name={ICONS[failure.kind]} />
      <span>
        {failure.message}
        {ADVICE[failure.kind] !== undefined && <> {ADVICE[failure.kind]}</>}
      </span>
    </p>
  );
}

/** Skeleton of a list that is loading. */
export function RowsSkeleton({ rows = 8 }: { rows?: number }): ReactNode {
  return (
    <div className="rows-skeleton" role="status" aria-label="Loading">
      {Array.from({ length: rows }, (_, row) => (
        <Skeleton key={row} height={16} radius="sm" width={`${String(96 - ((row * 7) % 22))}%`} />
      ))}
    </div>
  );
}
