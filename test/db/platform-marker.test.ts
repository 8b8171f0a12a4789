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
  /** Restores the database to a marker, before any recovery. */
  const putBack = async (marker: number): Promise<void> => {
    await database.sql`delete from recoveries`;
    await database.sql`delete from raised_markers where marker > ${marker}`;
    await database.sql`update platform_marker set marker = ${marker}, recovered_marker = null`;
    await database.sql`update platform set epoch = 0`;
  };
  /** Raises a marker some times. @returns the database's marker after each */
  const raised = async (by: PlatformMarker, times: number): Promise<[number, ...number[]]> => {
    const markers: number[] = [];
    for (let n = 0; n < times; n++) {
      expect(await by.raise()).toBe(true);
      markers.push((await at()).marker);
    }
    return markers as [number, ...number[]];
  };
  const recovery = async () => {
    const [row] = await database.sql<{ here: number; outside: number; alerts: number }[]>`
      select database_marker::float8 as here, outside_marker::float8 as outside,
        (select count(*)::int from alerts where kind = 'DATABASE_PUT_BACK') as alerts
      from recoveries where ended_at is null`;
    return row;
  };
  /** A folder of another machine's own. */
  const ownFolder = (name: string): string => path.join(folder, name);

  it('begins no recovery in a fresh or complete database, after any restart', async () => {
    expect(await started().compare()).toMatchObject({ marker: 0, recoveryId: null });
    const sends = started();
    for (let n = 0; n < 3; n++) {
      const [marker] = await raised(sends, 1);
      expect(await started().compare()).toMatchObject({ marker, recoveryId: null });
    }
    // Killed between the commit and the file: the database is ahead.
    await database.sql`update platform_marker set marker = marker + 1`;
    const { marker } = await at();
    expect(await started().compare()).toMatchObject({ marker, recoveryId: null });
    await raised(started(), 1);
    // A raise that was rolled back.
    await database
      .transaction(async (tx) => {
        await tx`select raise_marker((select identity from platform), 0, now())`;
        throw new Error('rolled back');
      })
      .catch(() => undefined);
    await raised(started(), 1);
    expect(await started().compare()).toMatchObject({ recoveryId: null });
    // The folder holds the marker of another platform's database.
    await database.sql`update platform set identity = gen_random_uuid()`;
    await putBack(0);
    expect(await started().compare()).toMatchObject({ marker: 0, recoveryId: null });
  });

  it('raises no false alarm when concurrent calls and several processes share it', async () => {
    const processes = [started(), started(), started()];
    for (const one of processes) await one.compare();
    const raised = await Promise.all(Array.from({ length: 60 }, async (_, n) => await processes[n % 3]?.raise()));
    expect(new Set(raised)).toEqual(new Set([true]));
    const { marker, recoveryId } = await at();
    expect(recoveryId).toBeNull();
    const [times] = await database.sql<{ count: number }[]>`
      select count(*)::int as count from raised_markers`;
    expect(times?.count).toBeLessThan(30);
    const [kept] = [...(await new MarkerFolder(folder).read()).values()];
    expect([Math.max(...(kept?.markers ?? [])), kept?.epoch]).toEqual([marker, 0]);
    await started().raise();
    expect(readdirSync(folder)).toHaveLength(1);
  });

  it('begins a recovery when a role starts on a restored database', async () => {
    const markers = await raised(started(), 5);
    const [here, outside] = [markers[1] ?? 0, markers[4] ?? 0];
    await putBack(here);
    const { marker, epoch } = await started().compare();
    expect(marker).toBeGreaterThan(outside);
    expect(epoch).toBe(1);
    expect(await recovery()).toEqual({ here, outside, alerts: 1 });
    // One recovery only, although several processes compare.
    await started().compare();
    expect(await at()).toMatchObject({ marker, epoch: 1 });
  });

  it.each([1, 4])('stops a payout from a restored database, as raise %i of 5', async (to) => {
    const one = started(null);
    const markers = await raised(one, 5);
    await putBack(markers[to - 1] ?? 0);
    // Both at once: neither passes because the other one raised it first.
    expect(await Promise.all([one.raise(), one.raise()])).toEqual([false, false]);
    expect((await at()).epoch).toBe(1);
    expect((await at()).recoveryId).not.toBeNull();
    expect(await one.raise()).toBe(false);
  });

  it('never repeats an epoch, although the database was restored to before a recovery', async () => {
    const [first] = await raised(started(), 2);
    for (const epoch of [1, 2]) {
      await putBack(first);
      expect(await started().compare()).toMatchObject({ epoch });
    }
  });

  describe('where each machine has a folder of its own', () => {
    const machine = (name: string): PlatformMarker => started(ownFolder(name));

    /** A raise by machine a alone is lost, and machine b has raised the marker since. */
    const loseOne = async (raisedSince: number): Promise<{ common: number; lost: number }> => {
      const [a, b] = [machine('a'), machine('b')];
      const [common] = await raised(a, 1);
      await b.compare();
      const [lost] = await raised(a, 1);
      await putBack(common);
      await raised(b, raisedSince);
      return { common, lost };
    };

    it.each([1, 2, 5])('recognises one lost raise after %i others', async (raisedSince) => {
      const { common, lost } = await loseOne(raisedSince);
      expect(await machine('b').compare()).toMatchObject({ recoveryId: null });
      const { marker, epoch } = await machine('a').compare();
      expect(epoch).toBe(1);
      expect(await recovery()).toEqual({ here: common, outside: lost, alerts: 1 });
      for (const name of ['a', 'b', 'a']) expect(await machine(name).compare()).toMatchObject({ marker, epoch: 1 });
    });

    it('stops the next payout of a worker that ran all the time', async () => {
      const [a, b] = [machine('a'), machine('b')];
      const [common] = await raised(a, 1);
      await b.compare();
      await raised(a, 1);
      await putBack(common);
      await raised(b, 3);
      expect(await a.raise()).toBe(false);
      expect(await b.raise()).toBe(false);
      expect(await at()).toMatchObject({ epoch: 1 });
    });

    it('counts as lost what followed the last raise that both have', async () => {
      await loseOne(3);
      await database.sql`
        update raised_markers set raised_at = now() - interval '10 minutes'
        where marker = (select min(marker) from raised_markers)`;
      await machine('a').compare();
      const [since] = await database.sql<{ minutes: number }[]>`
        select round(extract(epoch from now() - lost_since) / 60)::int as minutes from recoveries`;
      expect(since).toEqual({ minutes: 11 });
    });

    it('begins one recovery of a loss, although another machine comes back after its end', async () => {
      const [a, b, c] = [machine('a'), machine('b'), machine('c')];
      const [common] = await raised(a, 1);
      await b.compare();
      await raised(c, 1);
      await raised(a, 1);
      await putBack(common);
      await raised(b, 3);
      await machine('a').compare();
      // As if two people had ended it.
      await database.sql`delete from recoveries`;
      await raised(b, 2);
      const { marker } = await at();
      for (const name of ['c', 'a'])
        expect(await machine(name).compare()).toMatchObject({ marker, epoch: 1, recoveryId: null });
    });

    it('recognises a loss behind which its own machine has raised the marker', async () => {
      const { lost } = await loseOne(2);
      // Another process of machine a read the folder before, and its raise waited for the restored server.
      const { identity, epoch } = await readPlatform(database);
      const { marker } = await at();
      await new MarkerFolder(ownFolder('a')).keep(identity, { marker, epoch }, []);
      await machine('a').compare();
      expect(await recovery()).toMatchObject({ outside: lost });
    });

    it('judges no marker from before the oldest that the database still has', async () => {
      const { lost } = await loseOne(3);
      await database.sql`delete from raised_markers where marker < ${lost}`;
      expect(await machine('a').compare()).toMatchObject({ recoveryId: null });
    });
  });

  it('forgets raises after a week', async () => {
    await raised(started(), 1);
    const week = 7 * 24 * 3_600 * 100_000;
    await database.sql`insert into raised_markers select marker - ${week}, raised_at from raised_markers`;
    const [marker] = await raised(started(), 1);
    const [oldest] = await database.sql<{ marker: number }[]>`
      select min(marker)::float8 as marker from raised_markers`;
    expect(marker - (oldest?.marker ?? 0)).toBeLessThan(week);
  });

  it('keeps what a role of an older release raises, and judges none of its files falsely', async () => {
    const { identity } = await readPlatform(database);
    const kept = (marker: number): void => {
      writeFileSync(path.join(folder, `${identity}.${marker}.0`), '');
    };
    // Before the upgrade markers rose by one, and none was kept in the database.
    await database.sql`update platform_marker set marker = 57`;
    await database.sql`delete from raised_markers`;
    kept(57);
    kept(56);
    expect(await started().compare()).toMatchObject({ marker: 57, recoveryId: null });
    // After it roles of the older release call the function that they know, or are still within its older text.
    const [row] = await database.sql<{ marker: number }[]>`
      select raised::float8 as marker from raise_marker(${identity}, 57, now())`;
    kept(row?.marker ?? 0);
    await database.sql`update platform_marker set marker = marker + 1`;
    kept((await at()).marker);
    await raised(started(), 2);
    kept(56);
    expect(await started().compare()).toMatchObject({ recoveryId: null });
  });

  it('lets no payout leave unless the marker was written outside', async () => {
    const file = path.join(folder, 'file');
    writeFileSync(file, '');
    await expect(started(path.join(file, 'below')).raise()).rejects.toThrow('ENOTDIR');
  });
});
