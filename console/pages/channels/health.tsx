import type { ReactNode } from 'react';
import type { ChannelFieldsFragment } from '../../generated/operations';
import { Status, type Tone } from '../../parts/status';

const TONES: Readonly<Record<ChannelFieldsFragment['health'], Tone>> = {
  UP: 'good',
  DOWN: 'bad',
  UNKNOWN: 'off',
};

/** The result of a channel's last check. */
export function Health({ of }: { of: Pick<ChannelFieldsFragment, 'health'> }): ReactNode {
  return <Status value={of.health} tone={TONES[of.health]} />;
}
