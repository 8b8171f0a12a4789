import type { IncomingMessage } from 'node:http';
import { CatalogueError } from '../domain/errors';
import { parseQuery } from '../domain/query-string';
import type { SignedParameters } from '../domain/signing';

/**
 * The query of the request line.
 * @throws MALFORMED_REQUEST if it does not decode or repeats a key
 */
export function queryOf({ url = '' }: IncomingMessage): SignedParameters {
  const mark = url.indexOf('?');
  const parsed = parseQuery(mark < 0 ? '' : url.slice(mark + 1));
  if ('problem' in parsed) throw new CatalogueError('MALFORMED_REQUEST', `the query string ${parsed.problem}`);
  return parsed.fields;
}
