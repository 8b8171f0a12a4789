/** What a template may name: a value, or null where this order has none. */
export type Variables = Readonly<Record<string, string | null>>;

/** `{reference}`, `{set.merchant}`, `{header.x-timestamp}`. */
const VARIABLE = /\{([a-z][a-z0-9_]*(?:\.[A-Za-z0-9_-]+)?)\}/g;

/** The variables that a template names. */
export const variablesOf = (template: string): string[] =>
  Array.from(template.matchAll(VARIABLE), ([, name = '']) => name);

/** The texts before, between and after the variables of a template. */
export const literalsOf = (template: string): string[] =>
  // A split keeps what a group matched: each second part is a name.
  template.split(VARIABLE).filter((_part, i) => i % 2 === 0);

/** Fills a template; null where a variable has no value. */
export function fill(template: string, variables: Variables): string | null {
  const values = variablesOf(template).map((name) => (Object.hasOwn(variables, name) ? variables[name] : null));
  if (values.some((value) => value == null)) return null;
  return template.replace(VARIABLE, (_all, name: string) => variables[name] ?? '');
}

/** Fills a template of JSON, whose variables are in its texts: each value is written as a part of a JSON text. */
export const fillQuoted = (template: string, variables: Variables): string | null =>
  fill(
    template,
    Object.fromEntries(
      Object.entries(variables).map(([name, value]) => [
        name,
        value === null ? null : JSON.stringify(value).slice(1, -1),
      ]),
    ),
  );
