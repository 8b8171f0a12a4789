import { type ReactNode, useEffect, useRef } from 'react';
import { Link } from 'react-router';
import { Icon } from './icons';

/** A page with its heading. The heading takes the focus on navigation, so that a screen reader starts there. */
export function Page({
  title,
  lead,
  back,
  actions,
  children,
}: {
  title: string;
  /** Shown beside the title, such as a status. */
  lead?: ReactNode;
  /** Link back to the list. */
  back?: { to: string; words: string };
  actions?: ReactNode;
  children: ReactNode;
}): ReactNode {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = `${title} · Causeway`;
  }, [title]);
  useEffect(() => {
    heading.current?.focus({ preventScroll: true });
  }, []);
  return (
    <div className="page">
      {back && (
        <Link to={back.to} className="back">
          <Icon name="left" size={14} /> {back.words}
        </Link>
      )}
      <header className="page-head">
        <h1 ref={heading} tabIndex={-1}>
          {title}
        </h1>
        {lead}
        {actions !== undefined && <div className="page-actions">{actions}</div>}
      </header>
      {children}
    </div>
  );
}

/** A section of a page with its own heading. */
export function Section({
  title,
  actions,
  children,
  flush = false,
}: {
  title: string;
  actions?: ReactNode;
  children: ReactNode;
  /** Content without padding, for a table. */
  flush?: boolean;
}): ReactNode {
  return (
    <section className={flush ? 'section flush' : 'section'} aria-label={title}>
      <header className="section-head">
        <h2>{title}</h2>
        {actions !== undefined && <div className="page-actions">{actions}</div>}
      </header>
      <div className="section-body">{children}</div>
    </section>
  );
}

const isThere = (value: ReactNode): boolean => value !== null && value !== undefined;

/** Names and values, aligned. A value that is null is a dash. */
export function Facts({
  of,
  brief = false,
}: {
  of: readonly (readonly [string, ReactNode])[];
  /** Leaves out rows whose value is null. */
  brief?: boolean;
}): ReactNode {
  const shown = brief ? of.filter(([, value]) => isThere(value)) : of;
  return (
    <dl className="facts">
      {shown.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value ?? <span className="dim">–</span>}</dd>
        </div>
      ))}
    </dl>
  );
}
