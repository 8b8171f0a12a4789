import { readFileSync } from 'node:fs';
import { CATALOGUE, INPUT_REASONS, RULE_REASONS } from '../../domain/errors';
import { DOCUMENT_CODES } from '../../graph/errors';

const page = readFileSync('docs/graph.md', 'utf8');

/** The rows of the table under this heading, as cells. */
function tableOf(heading: string): string[][] {
  const lines = page.split('\n');
  const start = lines.findIndex((line) => line.startsWith(`| ${heading}`));
  if (start < 0) throw new Error(`docs/graph.md has no table ${heading}`);
  const rows = lines.slice(start + 2);
  return rows.slice(0, rows.indexOf('')).map((line) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim().replaceAll('`', '')),
  );
}

/** Codes of the public listener only: operators never get them. */
const PUBLIC_LISTENER = new Set(['INVALID_TIMESTAMP', 'INVALID_SIGNATURE', 'UNSUPPORTED_MEDIA_TYPE']);

describe('docs/graph.md', () => {
  it('lists every code of the graph with its HTTP status, and whether to retry', () => {
    const documented = tableOf('code ').map(([code, status, retryable]) => [code, status, retryable]);
    const known = Object.values(CATALOGUE).filter(({ code }) => !PUBLIC_LISTENER.has(code));
    const expected = [...new Set(known.map(({ code }) => code))].map((code) => {
      const same = known.filter((one) => one.code === code);
      const statuses = [...new Set(same.map(({ status }) => status))].sort();
      return [code, statuses.join(', '), same[0]?.retryable ? 'yes' : 'no'];
    });
    const ofDocuments = DOCUMENT_CODES.map((code) => [code, '400', 'no']);
    expect(documented.sort()).toEqual([...expected, ...ofDocuments].sort());
  });

  it.each([
    ['reason of `VALIDATION_ERROR`', INPUT_REASONS],
    ['reason of `BUSINESS_ERROR`', RULE_REASONS],
  ])('lists every %s, as the code describes it', (heading, reasons) => {
    expect(Object.fromEntries(tableOf(heading))).toEqual(reasons);
  });
});
