import { luminance } from '../../domain/cashier';

/** The default, if a merchant has none. */
const DEFAULT = '#2456d6';

/** The backgrounds of text in the merchant's colour (cashier/page.css): the surface of each scheme. */
const SURFACES = { light: '#ffffff', dark: '#171b22' };

/** WCAG 2.2 AA for text, plus a margin for rounding. */
const CONTRAST = 4.6;

/** How much of the colour is mixed into the surface under chosen and pressable elements. */
const TINT = 0.1;

type Rgb = readonly [number, number, number];

const rgbOf = (hex: string): Rgb => [
  Number.parseInt(hex.slice(1, 3), 16),
  Number.parseInt(hex.slice(3, 5), 16),
  Number.parseInt(hex.slice(5, 7), 16),
];

const hexOf = (rgb: Rgb): string => `#${rgb.map((part) => Math.round(part).toString(16).padStart(2, '0')).join('')}`;

/** WCAG's contrast ratio of two `#rrggbb`, 1 to 21. */
export function contrast(one: string, other: string): number {
  const [a, b] = [luminance(one) ?? 0, luminance(other) ?? 0];
  return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
}

const mixed = (from: Rgb, to: Rgb, share: number): Rgb =>
  from.map((part, n) => part + ((to[n] ?? 0) - part) * share) as unknown as Rgb;

/** Colours of one scheme, `#rrggbb`. */
export interface Palette {
  /** For text, borders and filled buttons on the surface. */
  readonly brand: string;
  /** For text on `brand`. */
  readonly onBrand: string;
  /** A surface tinted with the colour, for text of `brand`. */
  readonly tint: string;
}

const tintOf = (colour: Rgb, surface: Rgb): string => hexOf(mixed(surface, colour, TINT));

/** The nearest colour, towards black or white, that is legible on the surface and on its own tint. */
function paletteOf(colour: string, surface: string): Palette {
  const isLight = (luminance(surface) ?? 1) > 0.5;
  const end: Rgb = isLight ? [0, 0, 0] : [255, 255, 255];
  let brand = rgbOf(colour);
  const legible = (): boolean =>
    contrast(hexOf(brand), surface) >= CONTRAST && contrast(hexOf(brand), tintOf(brand, rgbOf(surface))) >= CONTRAST;
  for (let share = 0; share <= 1 && !legible(); share += 0.04) brand = mixed(rgbOf(colour), end, share);
  const hex = hexOf(brand);
  return {
    brand: hex,
    onBrand: contrast('#ffffff', hex) >= contrast('#0b0d12', hex) ? '#ffffff' : '#0b0d12',
    tint: tintOf(brand, rgbOf(surface)),
  };
}

/** The merchant's colour, adapted so that it is legible in both schemes; our default if it is not a colour. */
export function palettes(colour: string | null): {
  readonly light: Palette;
  readonly dark: Palette;
} {
  const own = colour !== null && luminance(colour) !== undefined ? colour : DEFAULT;
  return { light: paletteOf(own, SURFACES.light), dark: paletteOf(own, SURFACES.dark) };
}
