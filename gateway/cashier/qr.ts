import { encode } from 'uqr';
import { type Html, html } from './html';

/** A QR code as SVG: dark on white in either scheme, with the quiet zone that scanners need. */
export function qrCode(payload: string): Html {
  const { data, size } = encode(payload, { border: 4 });
  let path = '';
  for (const [y, row] of data.entries()) for (const [x, dark] of row.entries()) if (dark) path += `M${x} ${y}h1v1h-1z`;
  return html`<svg viewBox="0 0 ${size} ${size}" shape-rendering="crispEdges" aria-hidden="true">
    <path fill="#fff" d="M0 0h${size}v${size}H0z" />
    <path fill="#000" d="${path}" />
  </svg>`;
}
