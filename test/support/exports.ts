import type { Tenant } from './tenant';

interface Exported {
  readonly csv: string;
  readonly endCursor: string | null;
}

const linesOf = ({ csv }: Exported): string[] => csv.split('\r\n').slice(0, -1);

/**
 * Exports a list of more than 10,000 rows by its named operation, and expects that it continues where it was cut.
 * @param expected the first columns of all rows, in the order of the list
 * @param columns how many of them
 */
export async function expectContinued(
  tenant: Tenant,
  operation: string,
  filter: object,
  expected: readonly string[],
  columns = 1,
): Promise<void> {
  const take = async (after: string | null): Promise<Exported> =>
    await tenant.operate<Exported>(operation, { reason: 'books', filter, cursors: true, after });
  const first = await take(null);
  expect(first).toMatchObject({ rows: 10_000, cut: true });
  const [heading, ...began] = linesOf(first);
  expect(heading).toMatch(/,time_zone,cursor$/);
  const rest = await take(first.endCursor);
  expect(rest).toMatchObject({ rows: expected.length - 10_000, cut: false });
  const all = [...began, ...linesOf(rest)];
  expect(all.map((line) => line.split(',').slice(0, columns).join())).toEqual(expected);
  // From the cursor of a row on, as after an interrupted file.
  const cursor = all.at(-10)?.split(',').at(-1) ?? null;
  expect(linesOf(await take(cursor))).toEqual(all.slice(-9));
}
