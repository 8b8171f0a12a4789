import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';

/** The path of the page's assets on the public listener. */
export const ASSETS_PATH = '/cashier/assets/';

/** The addresses of the page's assets; their names hold a hash of their content. */
export interface PageAssets {
  readonly style: string;
  readonly script: string;
}

/** A file with its compressed forms. */
export interface Asset {
  readonly type: string;
  readonly plain: Buffer;
  readonly gzip: Buffer;
  readonly brotli: Buffer;
}

/** The build of cashier/, held in memory. */
export interface BuiltAssets {
  readonly page: PageAssets;
  /** Of the page on which a merchant's owner fetches a secret: the same style, and a script of its own. */
  readonly keys: PageAssets;
  /** Of the page on which an agent's owner enrols it. */
  readonly agents: PageAssets;
  readonly files: ReadonlyMap<string, Asset>;
}

const TYPES = { css: 'text/css; charset=utf-8', js: 'text/javascript; charset=utf-8' };

/** Beside this room if it is compiled (dist/gateway/cashier); otherwise in the build's folder. */
const FOLDERS = ['../../cashier', '../../dist/cashier'].map((folder) => path.join(__dirname, folder));

/** What the build says of a page. */
interface Entry {
  readonly file: string;
  readonly css?: readonly string[];
}

/** Reads the build. @throws if there is none */
export function readBuiltAssets(): BuiltAssets {
  const folder = FOLDERS.find((one) => existsSync(path.join(one, 'manifest.json')));
  if (folder === undefined) throw new Error('the cashier page is not built: run npm run build');
  const entryOf = (manifest: string, name: string): Entry | undefined =>
    (JSON.parse(readFileSync(path.join(folder, manifest), 'utf8')) as Record<string, Entry>)[name];
  const entry = entryOf('manifest.json', 'page.ts');
  const style = entry?.css?.[0];
  const keys = entryOf('manifest-keys.json', 'keys.ts')?.file;
  const agents = entryOf('manifest-agents.json', 'agents.ts')?.file;
  if (!entry || style === undefined || keys === undefined || agents === undefined)
    throw new Error('the build of the cashier page is incomplete');
  const read = (file: string, type: string): [string, Asset] => {
    const plain = readFileSync(path.join(folder, file));
    return [path.basename(file), { type, plain, gzip: gzipSync(plain), brotli: brotliCompressSync(plain) }];
  };
  const scripts = [entry.file, keys, agents].map((file) => read(file, TYPES.js));
  const files = new Map([...scripts, read(style, TYPES.css)]);
  const styleUrl = ASSETS_PATH + path.basename(style);
  return {
    page: { style: styleUrl, script: ASSETS_PATH + path.basename(entry.file) },
    keys: { style: styleUrl, script: ASSETS_PATH + path.basename(keys) },
    agents: { style: styleUrl, script: ASSETS_PATH + path.basename(agents) },
    files,
  };
}
