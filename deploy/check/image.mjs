// Makes what the Dockerfile makes: its steps, from the files of a fresh clone, in an empty folder.
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { makeContext } from './context.mjs';
import { readDockerfile } from './dockerfile.mjs';
import { Layers, MACHINE, quote, whyNot } from './layers.mjs';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..');
export const dockerfile = () => readFileSync(path.join(root, 'Dockerfile'), 'utf8');

/** Images made in one folder, which share the layers that are equal. */
export class Images {
  #folder;
  #layers;

  /** @throws with the reason if none can be made on this machine */
  constructor(folder = mkdtempSync(path.join(tmpdir(), 'causeway-image-'))) {
    this.#folder = folder;
    const reason = whyNot(folder);
    if (reason !== null) throw new Error(`images cannot be made here: ${reason}`);
    const context = path.join(folder, 'context');
    rmSync(context, { recursive: true, force: true });
    mkdirSync(context);
    makeContext(root, context);
    this.#layers = new Layers(path.join(folder, 'layers'), context);
  }

  /**
   * @returns the last stage: what its instructions say, and `mountLines`, which put its files and this machine's programs into a
   * folder of a mount namespace
   * @throws with the line of the first step that fails
   */
  async build(text, say) {
    const done = {};
    let layers = [];
    const stages = readDockerfile(text);
    for (const { name, steps } of stages) {
      layers = await this.#layers.perform(steps, done, say);
      if (name !== null) done[name] = layers;
    }
    return {
      ...stages.at(-1),
      /** @param above an empty folder of ours: what is not in the image, such as the places of volumes */
      mountLines: (above, into) => [
        `mount -t tmpfs none ${quote(above)}`,
        `mkdir ${quote(`${above}/files`)} ${quote(`${above}/work`)}`,
        this.#layers.mountLine(layers, into, above),
        `cd ${quote(into)}`,
        ...MACHINE,
      ],
    };
  }

  close() {
    rmSync(this.#folder, { recursive: true, force: true });
  }
}
