import type { ReactNode } from 'react';

const MOST = 6;
const place = (kind: string): string => `reasons:${kind}`;

/** The last reasons that were given here, the newest first. Only this browser keeps them. */
function lastReasons(kind: string): readonly string[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(place(kind)) ?? '[]');
    return Array.isArray(kept) ? kept.filter((one): one is string => typeof one === 'string') : [];
  } catch {
    return [];
  }
}

/** Remembers a reason, to offer it the next time. */
export function rememberReason(kind: string, reason: string): void {
  const kept = [reason, ...lastReasons(kind).filter((one) => one !== reason)].slice(0, MOST);
  try {
    localStorage.setItem(place(kind), JSON.stringify(kept));
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
  const offered = [...new Set([...lastReasons(kind), ...usual])].slice(0, MOST);
  return (
    <p className="chips" role="group" aria-label="Reasons">
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
