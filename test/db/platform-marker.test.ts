import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import pino from 'pino';
import { type Database, openDatabase } from '../../db/client';
import { PlatformMarker } from '../../db/platform/marker';
import { readPlatform } from '../../db/platform/recoveries';
import { MarkerFolder } from '../../local/marker-folder';
import { createTestDatabase, type TestDatabase } from '../support/database';

/** A database, its marker outside it, and processes that maintain it. */
describe('the marker of the platform', () => {
  let made: TestDatabase;
  let database: Database;
  let folder: string;
  const log = pino({ level: 'silent' });

  beforeEach(async () => {
    made = await createTestDatabase();
    database = openDatabase({ url: made.url, applicationName: 'test', max: 4 });
    folder = mkdtempSync(path.join(tmpdir(), 'marker-'));
  });
  afterEach(async () => {
    await database.close();
    await made.drop();
    rmSync(folder, { recursive: true });
  });

  const started = (place: string | null = folder): PlatformMarker =>
    new PlatformMarker({
      database,
      outside: place === null ? null : new MarkerFolder(place),
      clock: () => new Date(),
      log,
    });
  const at = async (): Promise<{ marker: number; epoch: number; recoveryId: string | null }> =>
    await readPlatform(database);
  /** Restores the database to a marker and its epoch. */
  const putBack = async (marker: number, epoch = 0): Promise<void> => {
    await database.sql`delete from recoveries`;
    await database.sql`update platform_marker set marker = ${marker}`;
    await database.sql`update platform set epoch = ${epoch}`;
  };

  it('begins no recovery in a fresh or complete database, after any restart', async () => {
    expect(await started().compare()).toMatchObject({ marker: 0, recoveryId: null });
    const sends = started();
    for (const marker of [1, 2, 3]) {
      expect(await sends.raise()).toBe(true);
      expect(await started().compare()).toMatchObject({ marker, recoveryId: null });
    }
    // Killed between the commit and the file: the database is ahead.
    await database.sql`update platform_marker set marker = marker + 1`;
    expect(await started().compare()).toMatchObject({ marker: 4, recoveryId: null });
    // The folder holds the marker of another platform's database.
    await database.sql`update platform set identity = gen_random_uuid()`;
    await putBack(0);
    expect(await started().compare()).toMatchObject({ marker: 0, recoveryId: null });
  });

  it('raises no false alarm when concurrent calls and several processes share it', async () => {
    const processes = [started(), started(), started()];
    for (const one of processes) await one.compare();
    const raised = await Promise.all(
      Array.from({ length: 60 }, async (_, n) => await processes[n % 3]?.raise()),
    );
    expect(new Set(raised)).toEqual(new Set([true]));
    const { marker, recoveryId } = await at();
    expect(recoveryId).toBeNull();
    expect(marker).toBeLessThan(30);
    const [highest] = [...(await new MarkerFolder(folder).read()).values()];
    expect(highest).toEqual({ marker, epoch: 0 });
    expect(readdirSync(folder).length).toBeLessThanOrEqual(3);
  });

  it('begins a recovery when a role starts on a restored database', async () => {
    const sends = started();
    for (let n = 0; n < 5; n++) await sends.raise();
    await putBack(2);
    expect(await started().compare()).toMatchObject({ marker: 6, epoch: 1 });
    const [recovery] = await database.sql<{ here: number; outside: number; alerts: number }[]>`
      select database_marker::int as here, outside_marker::int as outside,
        (select count(*)::int from alerts where kind = 'DATABASE_PUT_BACK') as alerts
      from recoveries where ended_at is null`;
    expect(recovery).toEqual({ here: 2, outside: 5, alerts: 1 });
    // One recovery only, although several processes compare.
    await started().compare();
    expect(await at()).toMatchObject({ marker: 6, epoch: 1 });
  });

  it.each([1, 4])('stops a payout from a restored database, as raise %i of 5', async (to) => {
    const one = started(null);
    for (let n = 0; n < 5; n++) await one.raise();
    await putBack(to);
    // Both at once: neither passes because the other one raised it first.
    expect(await Promise.all([one.raise(), one.raise()])).toEqual([false, false]);
    expect(await at()).toMatchObject({ marker: 6, epoch: 1 });
    expect((await at()).recoveryId).not.toBeNull();
    expect(await one.raise()).toBe(false);
  });

  it('never repeats an epoch, although the database was restored to before a recovery', async () => {
    const sends = started();
    await sends.raise();
    await sends.raise();
    await putBack(1);
    await started().compare();
    expect(await at()).toMatchObject({ marker: 3, epoch: 1 });
    await putBack(1);
    await started().compare();
    expect(await at()).toMatchObject({ marker: 4, epoch: 2 });
  });

  it('lets no payout leave unless the marker was written outside', async () => {
    const file = path.join(folder, 'file');
    writeFileSync(file, '');
    await expect(started(path.join(file, 'below')).raise()).rejects.toThrow('ENOTDIR');
  });
});
