import type { ReactNode } from 'react';
import type { Environment } from '../client/page-settings';

/** The product's name and logo. */
export function Brand(): ReactNode {
  return (
    <span className="brand">
      <svg aria-hidden width="24" height="24" viewBox="0 0 32 32">
        <rect width="32" height="32" rx="7" fill="#0f6b66" />
        <path
          d="M5 20h22M7 20c0-5 4-9 9-9s9 4 9 9M12 20v-7.200M20 20v-7.200M16 20v-9M5 24h22"
          fill="none"
          stroke="#fff"
          strokeWidth="2"
          strokeLinecap="round"
        />
      </svg>
      Causeway
    </span>
  );
}

/** The environment: simulated or real money. */
export function EnvironmentBadge({ environment }: { environment: Environment }): ReactNode {
  return <span className={`environment ${environment}`}>{environment === 'sandbox' ? 'Sandbox' : 'Production'}</span>;
}
