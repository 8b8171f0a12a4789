import { execFileSync } from 'node:child_process';
import { closeSync, existsSync, fsyncSync, mkdirSync, openSync, readFileSync } from 'node:fs';
import { realpathSync, rmSync, writeSync } from 'node:fs';
import path from 'node:path';

const NAME = 'causeway-chaos';
const MOUNTS = '/proc/mounts';
const BALLAST = 'ballast';
const CHUNK = Buffer.alloc(1024 * 1024);

/** A disk of a limited size at a folder, in memory, which can be filled. Only root on Linux can make one. */
export class SmallDisk {
  private constructor(private readonly folder: string) {}

  /** @throws if we may not mount one */
  static mount(folder: string, megabytes: number): SmallDisk {
    mkdirSync(folder, { recursive: true });
    try {
      const options = ['-t', 'tmpfs', '-o', `size=${megabytes}m,mode=755`];
      execFileSync('mount', [...options, NAME, folder], { stdio: 'pipe' });
    } catch (cause) {
      throw new Error('a small disk must be mounted: this campaign needs root on Linux', { cause });
    }
    return new SmallDisk(folder);
  }

  /** Removes one that a killed campaign left, if there is one. */
  static unmountLeftover(folder: string): void {
    if (!existsSync(folder) || !existsSync(MOUNTS)) return;
    const place = realpathSync(folder);
    if (readFileSync(MOUNTS, 'utf8').includes(`${NAME} ${place} `))
      execFileSync('umount', ['--lazy', place], { stdio: 'pipe' });
  }

  /** Writes until nothing more fits. */
  fill(): void {
    const file = openSync(path.join(this.folder, BALLAST), 'w');
    try {
      for (let size = CHUNK.length; size > 0;)
        try {
          writeSync(file, CHUNK, 0, size);
        } catch {
          // This much no longer fits; a little less may.
          size = Math.floor(size / 2);
        }
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
  }

  /** Removes the file that filled it. */
  free(): void {
    rmSync(path.join(this.folder, BALLAST), { force: true });
  }

  unmount(): void {
    SmallDisk.unmountLeftover(this.folder);
  }
}
