import type { ReactNode } from 'react';
import { inWords } from '../format/words';

/** The tone of a status: waiting, in progress, good, bad, over. */
export type Tone = 'wait' | 'move' | 'good' | 'bad' | 'off';

const TONES: Readonly<Record<string, Tone>> = {
  PENDING: 'wait',
  MATCHED: 'move',
  SUBMITTED: 'good',
  COMPLETED: 'good',
  EXPIRED: 'off',
  CANCELLED: 'off',
  FAILED: 'bad',
  SENDING: 'move',
  WAITING_RETRY: 'wait',
  SUCCESS: 'good',
  ACTIVE: 'good',
  PAUSED: 'wait',
  DISABLED: 'off',
  ENABLED: 'good',
  PROPOSED: 'wait',
  APPLIED: 'good',
  APPROVED: 'move',
  REJECTED: 'bad',
  WITHDRAWN: 'off',
  LIVE: 'good',
  AWAITED: 'wait',
  AWAITS_OWNER: 'wait',
  ARRIVED: 'good',
  RETIRING: 'wait',
  RETIRED: 'off',
  REVOKED: 'off',
  INVITED: 'wait',
  LOCKED: 'bad',
  UNMATCHED: 'wait',
  OPEN: 'wait',
  CLAIMED: 'move',
  PREPARED: 'wait',
  SENT: 'move',
  UNKNOWN: 'bad',
  SUCCEEDED: 'good',
  REFUSED: 'bad',
};

/** Each tone has its own shape, so that colour is not the only sign. */
const SHAPES: Readonly<Record<Tone, ReactNode>> = {
  wait: <circle cx="6" cy="6" r="4" fill="none" stroke="currentColor" strokeWidth="2" />,
  move: (
    <>
      <circle cx="6" cy="6" r="4" fill="none" stroke="currentColor" strokeWidth="2" />
      <path d="M6 2a4 4 0 0 1 0 8z" fill="currentColor" />
    </>
  ),
  good: <path d="M2 6.500l2.700 2.700L10 3.500" fill="none" stroke="currentColor" strokeWidth="2.200" />,
  bad: <path d="M3 3l6 6M9 3l-6 6" fill="none" stroke="currentColor" strokeWidth="2.200" />,
  off: <path d="M2 6h8" fill="none" stroke="currentColor" strokeWidth="2.200" />,
};

/** A status as a word with its shape and colour. */
export function Status({
  value,
  words,
  tone = TONES[value] ?? 'off',
}: {
  value: string;
  words?: string;
  tone?: Tone;
}): ReactNode {
  return (
    <span className={`status ${tone}`}>
      <svg aria-hidden width="12" height="12" viewBox="0 0 12 12">
        {SHAPES[tone]}
      </svg>
      {words ?? inWords(value)}
    </span>
  );
}
