import type { ReactNode } from 'react';
import type { OrderRouteFieldsFragment } from '../../generated/operations';
import { Section } from '../../parts/page';

/** The routing decisions of an order, with their reasons. */
export function Routes({ routes }: { routes: readonly OrderRouteFieldsFragment[] }): ReactNode {
  if (routes.length === 0) return null;
  return (
    <Section title="Routing">
      {routes.map(({ words }, at) => (
        <ol key={at} className="plain-list" aria-label="Why it went there">
          {words.map((step) => (
            <li key={step}>{step}</li>
          ))}
        </ol>
      ))}
    </Section>
  );
}
