import { bn } from './bn';
import { en } from './en';
import { hi } from './hi';
import { id } from './id';
import type { Texts } from './texts';
import { th } from './th';
import { vi } from './vi';

/** Every language that the page speaks, by its tag. */
export const LANGUAGES = { en, bn, hi, vi, th, id } as const satisfies Record<string, Texts>;

/** The tag of a language that the page speaks. */
export type Language = keyof typeof LANGUAGES;

/** The language of a tag such as `th` or `th-TH`; undefined if not supported. */
export function languageOf(tag: string): Language | undefined {
  const subtag = tag.trim().toLowerCase().split('-')[0] ?? '';
  // Android still sends Indonesian's old tag `in`.
  const primary = subtag === 'in' ? 'id' : subtag;
  return Object.hasOwn(LANGUAGES, primary) ? (primary as Language) : undefined;
}

/** The first of Accept-Language's languages, by its weights, that the page speaks; English if there is none. */
export function preferredLanguage(acceptLanguage: string): Language {
  const wanted = acceptLanguage.split(',').map((range) => {
    const [tag = '', ...parameters] = range.split(';');
    const q = parameters.map((one) => /^\s*q=([01](?:\.\d{0,3})?)\s*$/.exec(one)?.[1]).find(Boolean);
    return { tag, weight: q === undefined ? 1 : Number(q) };
  });
  const spoken = wanted
    .filter(({ weight }) => weight > 0)
    .sort((a, b) => b.weight - a.weight)
    .map(({ tag }) => languageOf(tag));
  return spoken.find((language) => language !== undefined) ?? 'en';
}
