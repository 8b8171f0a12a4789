import type { Sql } from 'postgres';
import { traced } from '../runtime/tracing';

/** The part of a statement's text that a span shows, characters; its values are never shown. */
const TEXT_LENGTH = 300;

/** The text between the values, on one line. */
const textOf = (strings: readonly string[]): string =>
  strings.join('?').replace(/\s+/g, ' ').trim().slice(0, TEXT_LENGTH);

type Then = Promise<unknown>['then'];

/** Makes each awaited statement a span below the current one. */
export const tracedSql = (sql: Sql): Sql =>
  new Proxy(sql, {
    apply: (target, self, args: readonly unknown[]) => {
      const query = Reflect.apply(target, self, args as never) as unknown as { then: Then };
      const [strings] = args;
      // A list of values or names is not a statement.
      if (!Array.isArray(strings) || !('raw' in strings)) return query;
      const send = query.then.bind(query);
      // postgres.js sends a statement when it is awaited; one within another never is.
      query.then = (async (...then: Parameters<Then>) => {
        const text = textOf(strings as readonly string[]);
        const words = () => ({
          name: `sql ${text.split(' ', 1)[0] ?? ''}`,
          kind: 'client' as const,
          attributes: { 'db.system.name': 'postgresql', 'db.query.text': text },
        });
        const answer = traced(words, async () => await new Promise(send as never));
        return await answer.then(...then);
      }) as Then;
      return query;
    },
  });
