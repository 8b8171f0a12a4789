import type { ReactNode } from 'react';
import { encode } from 'uqr';

/** A text as a QR code: dark on white in either scheme, or cameras do not read it. */
export function QrCode({ text, label }: { text: string; label: string }): ReactNode {
  const { data, size } = encode(text, { border: 3 });
  const path = data
    .flatMap((row, y) => row.map((dark, x) => (dark ? `M${String(x)} ${String(y)}h1v1h-1z` : '')))
    .join('');
  return (
    <svg
      role="img"
      aria-label={label}
      className="qr"
      viewBox={`0 0 ${String(size)} ${String(size)}`}
      shapeRendering="crispEdges"
    >
      <path d={`M0 0h${String(size)}v${String(size)}H0z`} fill="#fff" />
      <path d={path} fill="#000" />
    </svg>
  );
}
