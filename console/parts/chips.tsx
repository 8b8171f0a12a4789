import type { ReactNode } from 'react';
import { type Me, useSession } from '../client/session';

const MOST = 6;
const place = ({ id }: Me, kind: string): string => `reasons:${id}:${kind}`;

/** The last reasons that an operator gave here, the newest first. Only this browser keeps them. */
function lastReasons(me: Me, kind: string): readonly string[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(place(me, kind)) ?? '[]');
    return Array.isArray(kept) ? kept.filter((one): one is string => typeof one === 'string') : [];
  } catch {
    return [];
  }
}

/** Remembers a reason, to offer it the next time. */
export function rememberReason(me: Me, kind: string, reason: string): void {
  const kept = [reason, ...lastReasons(me, kind).filter((one) => one !== reason)].slice(0, MOST);
  try {
    localStorage.setItem(place(me, kind), JSON.stringify(kept));
  } catch {
    // A browser without storage offers only the usual reasons.
  }
}

/** Reasons to choose from: the last ones, then the usual ones. */
export function ReasonChips({
  kind,
  usual,
  onChoose,
}: {
  kind: string;
  usual: readonly string[];
  onChoose: (reason: string) => void;
}): ReactNode {
  const { me } = useSession();
  const offered = [...new Set([...lastReasons(me, kind), ...usual])].slice(0, MOST);
  return (
    <p className="chips" role="group" aria-label="Suggestions">
      {offered.map((reason) => (
        <button
          key={reason}
          type="button"
          className="chip"
          onClick={() => {
            onChoose(reason);
          }}
        >
          {reason}
        </button>
      ))}
    </p>
  );
}
