import { mkdir, open, readdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { isNodeError } from './processes';

interface KeptMarker {
  readonly marker: number;
  readonly epoch: number;
}

interface KnownMarkers {
  readonly markers: readonly number[];
  readonly epoch: number;
}

/** `{identity}.{marker}.{epoch}`: a name is written whole or not at all. */
const NAME = /^([0-9a-f-]{36})\.(\d{1,15})\.(\d{1,9})$/;

interface File extends KeptMarker {
  readonly name: string;
  readonly identity: string;
}

function fileOf(name: string): File | null {
  const [, identity, marker, epoch] = NAME.exec(name) ?? [];
  return identity === undefined ? null : { name, identity, marker: Number(marker), epoch: Number(epoch) };
}

/** Makes a name in a folder survive a power cut. */
async function sync(place: string): Promise<void> {
  const handle = await open(place, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/**
 * Markers of databases in a folder, each an empty file named by its number: several processes may write theirs at once,
 * and none replaces another's with a lower one. The folder belongs on another disk than the database, and into no
 * backup of it.
 */
export class MarkerFolder {
  constructor(private readonly folder: string) {}

  /** The markers and the highest epoch of each database. */
  async read(): Promise<ReadonlyMap<string, KnownMarkers>> {
    const known = new Map<string, KnownMarkers>();
    for (const { identity, marker, epoch } of await this.files()) {
      const other = known.get(identity);
      known.set(identity, {
        markers: [...(other?.markers ?? []), marker],
        epoch: Math.max(epoch, other?.epoch ?? 0),
      });
    }
    return known;
  }

  /**
   * Keeps a marker: it is on the disk when this returns. Removes lower ones of the same database that were compared with
   * it: another process may just have written one that nobody has compared.
   */
  async keep(identity: string, { marker, epoch }: KeptMarker, compared: readonly number[]): Promise<void> {
    await mkdir(this.folder, { recursive: true });
    const file = path.join(this.folder, `${identity}.${marker}.${epoch}`);
    await (await open(file, 'a')).close();
    await sync(this.folder);
    const lower = (await this.files()).filter(
      (other) =>
        other.identity === identity && other.marker < marker && other.epoch <= epoch && compared.includes(other.marker),
    );
    await Promise.all(
      lower.map(async ({ name }) => {
        await rm(path.join(this.folder, name), { force: true });
      }),
    );
  }

  private async files(): Promise<File[]> {
    const names = await readdir(this.folder).catch((error: unknown) => {
      if (isNodeError(error, 'ENOENT')) return [];
      throw error;
    });
    return names.flatMap((name) => fileOf(name) ?? []);
  }
}
