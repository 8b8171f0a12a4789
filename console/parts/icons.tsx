import type { ReactNode } from 'react';

/** Strokes on a 24 by 24 grid. */
const SHAPES = {
  deposit: 'M12 3v12M7 10l5 5 5-5M4 20h16',
  withdrawal: 'M12 15V3M7 8l5-5 5 5M4 20h16',
  unmatched: 'M9 7H6a5 5 0 0 0 0 10h3M15 7h3a5 5 0 0 1 0 10h-3M12 4v3M12 17v3',
  change: 'M4 8h13l-3-3M20 16H7l3 3',
  cashier: 'M3 6h18v12H3zM3 10h18M7 15h4',
  merchant: 'M4 10h16v10H4zM3 10l2-6h14l2 6M9 20v-5h6v5',
  account: 'M3 9l9-5 9 5zM5 9v8M10 9v8M14 9v8M19 9v8M3 20h18',
  settlement: 'M4 18h16M12 14V4M8 8l4-4 4 4M6 14v4M18 14v4',
  debit: 'M3 6h18v12H3zM8 12h8',
  banks: 'M5 4h14v16H5zM9 8h2M13 8h2M9 12h2M13 12h2M10 20v-4h4v4',
  rules: 'M4 6h9M17 6h3M4 12h3M11 12h9M4 18h9M17 18h3M15 4v4M9 10v4M15 16v4',
  operators:
    'M9 11a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7zM3 20c0-3.5 2.7-6 6-6s6 2.5 6 6M16 4.5a3.5 3.5 0 0 1 0 6M18 14.5c2 .8 3 2.800 3 5.500',
  audit: 'M6 3h9l4 4v14H6zM14 3v5h5M9 12h6M9 16h6',
  security: 'M12 3l8 3v6c0 5-3.500 8-8 9-4.500-1-8-4-8-9V6z',
  search: 'M11 18a7 7 0 1 0 0-14 7 7 0 0 0 0 14zM16.500 16.500L21 21',
  sun: 'M12 16a4 4 0 1 0 0-8 4 4 0 0 0 0 8zM12 2v3M12 19v3M2 12h3M19 12h3M5 5l2 2M17 17l2 2M5 19l2-2M17 7l2-2',
  moon: 'M20 14a8 8 0 1 1-10-10 6.500 6.500 0 0 0 10 10z',
  system: 'M3 5h18v12H3zM9 21h6M12 17v4',
  user: 'M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8zM4 21c0-4 3.600-7 8-7s8 3 8 7',
  copy: 'M9 9h11v11H9zM5 15H4V4h11v1',
  check: 'M5 12.500l4.500 4.500L19 7.500',
  close: 'M6 6l12 12M18 6L6 18',
  left: 'M15 5l-7 7 7 7',
  right: 'M9 5l7 7-7 7',
  up: 'M12 19V5M6 11l6-6 6 6',
  down: 'M12 5v14M6 13l6 6 6-6',
  external: 'M14 4h6v6M20 4l-9 9M18 14v6H4V6h6',
  refresh: 'M20 11a8 8 0 1 0-2 6M20 4v7h-7',
  alert: 'M12 4l9 16H3zM12 10v4M12 17v.5',
  offline: 'M3 3l18 18M6 13a9 9 0 0 1 4-2M14 11a9 9 0 0 1 4 2M9 17a5 5 0 0 1 6 0M12 20.500v.1',
  plus: 'M12 5v14M5 12h14',
  key: 'M14 10a4 4 0 1 0-4 4 4 4 0 0 0 4-4zM13 12l8 8M17 16l2-2',
  send: 'M4 12l16-8-6 16-3-7z',
  bell: 'M6 16V11a6 6 0 0 1 12 0v5l2 2H4zM10 21h4',
  menu: 'M4 7h16M4 12h16M4 17h16',
  logout: 'M10 4H4v16h6M15 8l4 4-4 4M19 12H9',
  filter: 'M4 5h16l-6 8v6l-4-2v-4z',
  clock: 'M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18zM12 7v5l3 2',
  ledger: 'M5 3h14v18H5zM9 3v18M12 8h4M12 12h4',
  workflow: 'M4 4h6v6H4zM14 14h6v6h-6zM7 10v4a3 3 0 0 0 3 3h4',
} as const;

/** The names of the icons. */
export type IconName = keyof typeof SHAPES;

/** A decorative icon, hidden from screen readers. */
export function Icon({ name, size = 16 }: { name: IconName; size?: number }): ReactNode {
  return (
    <svg
      aria-hidden
      className="icon"
      width={size}
      height={size}
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth={1.8}
      strokeLinecap="round"
      strokeLinejoin="round"
    >
      <path d={SHAPES[name]} />
    </svg>
  );
}
