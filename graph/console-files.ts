import { randomBytes } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import type { FastifyInstance } from 'fastify';
import { contentPolicy, PAGE_HEADERS } from '../runtime/page-headers';
import type { GraphDeps } from './context';

/** The console's path on the internal listener. */
export const CONSOLE_PATH = '/console/';

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
};
/** Fonts are compressed already. */
const WORTH_PACKING = new Set(['.js', '.css', '.svg']);

interface Asset {
  readonly type: string;
  readonly plain: Buffer;
  readonly packed: Buffer | null;
}

/** Every built file below the folder, by its path in a URL. */
function readAssets(folder: string): ReadonlyMap<string, Asset> {
  const assets = new Map<string, Asset>();
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || entry.name === 'index.html') continue;
    const file = path.join(entry.parentPath, entry.name);
    const extension = path.extname(entry.name);
    const plain = readFileSync(file);
    assets.set(path.relative(folder, file).split(path.sep).join('/'), {
      type: TYPES[extension] ?? 'application/octet-stream',
      plain,
      packed: WORTH_PACKING.has(extension) ? gzipSync(plain) : null,
    });
  }
  return assets;
}

/** Allows only what this server serves; inline styles carry the nonce. */
const policy = (nonce: string): string =>
  contentPolicy({
    'script-src': "'self'",
    'style-src': `'self' 'nonce-${nonce}'`,
    'img-src': "'self' data:",
    'font-src': "'self'",
    'connect-src': "'self'",
    'form-action': "'none'",
  });

/**
 * Serves the built console below CONSOLE_PATH, from memory. Browsers cache files with a hash in their name for ever.
 * Every other path is a page inside the console and answers with the console's page, which is not cached.
 * @param folder the build's output; if absent, nothing is served
 */
export function serveConsole(
  app: FastifyInstance,
  folder: string,
  { environment, oidc = null }: Pick<GraphDeps, 'environment' | 'oidc'>,
): boolean {
  const index = path.join(folder, 'index.html');
  if (!existsSync(index)) return false;
  const assets = readAssets(folder);
  const page = readFileSync(index, 'utf8')
    .replaceAll('__ENVIRONMENT__', environment)
    .replaceAll('__SINGLE_SIGN_ON__', oidc ? 'on' : 'off');

  app.get('/', async (_request, reply) => await reply.redirect(CONSOLE_PATH));
  app.get('/console', async (_request, reply) => await reply.redirect(CONSOLE_PATH));
  app.get<{ Params: { '*': string } }>(`${CONSOLE_PATH}*`, async (request, reply) => {
    const name = request.params['*'];
    const asset = assets.get(name);
    if (asset) {
      const packs = asset.packed && /\bgzip\b/.test(request.headers['accept-encoding'] ?? '');
      const hashed = name.startsWith('assets/');
      if (packs) reply.header('content-encoding', 'gzip');
      return await reply
        .headers(PAGE_HEADERS)
        .header('vary', 'accept-encoding')
        .header('cache-control', hashed ? 'public, max-age=31536000, immutable' : 'no-cache')
        .type(asset.type)
        .send(packs ? asset.packed : asset.plain);
    }
    // A file of an older build: do not serve the page instead.
    if (name.startsWith('assets/')) return await reply.code(404).send({ message: 'not found' });
    const nonce = randomBytes(16).toString('base64');
    return await reply
      .headers(PAGE_HEADERS)
      .header('content-security-policy', policy(nonce))
      .header('cache-control', 'no-store')
      .type('text/html; charset=utf-8')
      .send(page.replaceAll('__NONCE__', nonce));
  });
  return true;
}
