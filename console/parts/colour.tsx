import type { ReactNode } from 'react';

/** A swatch beside a colour's code; nothing for invalid text. */
export function ColourDot({ colour }: { colour: string }): ReactNode {
  return (
    <svg aria-hidden width="16" height="16" viewBox="0 0 16 16">
      <circle
        cx="8"
        cy="8"
        r="7"
        fill={/^#[0-9a-f]{6}$/i.test(colour) ? colour : 'none'}
        stroke="currentColor"
        strokeOpacity="0.4"
      />
    </svg>
  );
}
