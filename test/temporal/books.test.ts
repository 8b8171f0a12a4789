import { readFileSync } from 'node:fs';
import path from 'node:path';
import { MockActivityEnvironment } from '@temporalio/testing';
import { createBooksActivities, type ProofCounts } from '../../temporal/activities/books';
import { notedHeads } from '../../roles/verify';
import { createAuditSigner } from '../../crypto/audit-signer';
import { creditedDeposit } from '../support/deposits';
import { temporaryFolder } from '../support/temporary-folder';
import { newKeys, Tenant, type TestKeys } from '../support/tenant';

const folder = temporaryFolder();

const signerOf = ({ lookup }: TestKeys) => createAuditSigner({ own: [], lookup });

describe('the scheduled proof of the books', () => {
  const keys = newKeys();
  const headsFile = path.join(folder, 'heads.jsonl');
  let tenant: Tenant;
  beforeAll(async () => {
    tenant = await Tenant.create(undefined, { keys });
  });
  afterAll(async () => {
    await tenant.close();
  });

  const run = async (step: 'proveNewBooks' | 'proveWholeBooks'): Promise<ProofCounts> => {
    const activities = createBooksActivities({
      database: tenant.database,
      clock: async () => await Promise.resolve(new Date()),
      signer: signerOf(keys),
      headsFile,
    });
    const work = async (): Promise<ProofCounts> => await activities[step]();
    return await new MockActivityEnvironment().run<[], ProofCounts, typeof work>(work);
  };
  const shown = async (): Promise<Record<string, unknown>> => await tenant.operate('BooksProof');
  const alerts = async (): Promise<(string | null)[]> => {
    const rows = await tenant.database.sql<{ reason: string | null }[]>`
      select about ->> 'reason' as reason from alerts where kind = 'BOOKS_DIFFER'`;
    return rows.map(({ reason }) => reason);
  };

  it('seals and proves new rows, reports the first difference once, and closes its finding by a whole proof', async () => {
    expect(await shown()).toMatchObject({ newest: null, whole: null, seal: null, openFindings: 0 });
    expect(await run('proveNewBooks')).toMatchObject({ postings: 0, rows: 0, found: 0 });
    const merchant = await tenant.merchant();
    const { id, orderNo } = await creditedDeposit(tenant, merchant, await tenant.account());
    await tenant.database.sql`update order_events set seq = position where seq is null`;
    expect(await run('proveNewBooks')).toEqual({ sealed: 2, postings: 2, rows: 2, found: 0 });
    expect(await run('proveWholeBooks')).toEqual({ sealed: 0, postings: 2, rows: 2, found: 0 });

    await tenant.database.sql`update deposit_orders set fee = 2 where id = ${id}`;
    expect((await run('proveNewBooks')).found).toBeGreaterThan(0);
    await run('proveNewBooks');
    expect(await alerts()).toEqual([expect.stringMatching(`deposit ${orderNo}: DEPOSIT_CREDIT: posted as `)]);
    expect(await shown()).toMatchObject({
      seal: { seq: '2' },
      findings: expect.arrayContaining([expect.objectContaining({ subject: `deposit ${orderNo}` })]) as unknown,
    });

    await tenant.database.sql`update deposit_orders set fee = 1.5 where id = ${id}`;
    expect(await run('proveWholeBooks')).toMatchObject({ found: 0 });
    expect(await shown()).toMatchObject({
      openFindings: 0,
      findings: [],
      whole: { found: 0, postings: 2 },
    });
  });

  it('records the signed head of the chain outside the database', () => {
    const heads = notedHeads(headsFile, () => signerOf(keys));
    expect(heads.at(-1)).toMatchObject({ seq: 2n });
    expect(() => notedHeads(headsFile, () => signerOf(newKeys()))).toThrow('not signed here');
    expect(readFileSync(headsFile, 'utf8')).toContain('"seq":"2"');
  });
});
