import { execFile } from 'node:child_process';
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { promisify } from 'node:util';
import { temporaryFolder } from '../support/temporary-folder';

const run = promisify(execFile);
const root = path.join(__dirname, '..', '..');
const digestOf = (n: number): string => `sha256:${String(n).padStart(64, '0')}`;

/** A registry that wants a token, as Docker Hub does, and knows images by these names and tags. */
const KNOWN: Readonly<Record<string, string>> = {
  '/v2/library/node/manifests/24': digestOf(1),
  '/v2/temporalio/ui/manifests/2.1': digestOf(2),
};

describe('the digests of images', () => {
  const folder = temporaryFolder();
  const file = path.join(folder, 'images.env');
  let registry: Server;
  let url: string;

  beforeAll(async () => {
    registry = createServer((request, response) => {
      const { pathname, searchParams } = new URL(request.url ?? '', url);
      if (pathname === '/token') {
        const token = `for ${searchParams.get('scope') ?? ''}`;
        response.end(JSON.stringify({ token }));
        return;
      }
      if (request.headers.authorization !== 'Bearer for reading') {
        response.statusCode = 401;
        const challenge = `Bearer realm="${url}/token",service="registry",scope="reading"`;
        response.setHeader('www-authenticate', challenge);
      } else if (KNOWN[pathname] === undefined) response.statusCode = 404;
      else response.setHeader('docker-content-digest', KNOWN[pathname]);
      response.end();
    });
    await new Promise<void>((resolve) => registry.listen(0, '127.0.0.1', resolve));
    url = `http://127.0.0.1:${(registry.address() as AddressInfo).port}`;
  });
  afterAll(() => {
    registry.close();
  });

  const pin = async (...args: string[]): Promise<{ failed: boolean; said: string }> =>
    await run(process.execPath, [path.join(root, 'deploy/pin-images.mjs'), ...args, folder], {
      env: { PATH: process.env['PATH'], REGISTRY_MIRROR: url },
    }).then(
      ({ stdout, stderr }) => ({ failed: false, said: stdout + stderr }),
      (error: unknown) => ({ failed: true, said: (error as { stderr: string }).stderr }),
    );

  it('are asked of the registry, kept beside the tags, and asked again', async () => {
    writeFileSync(file, `# kept\nNODE_IMAGE=node:24\nUI_IMAGE=temporalio/ui:2.1@${digestOf(9)}\n`);
    expect(await pin('--write')).toMatchObject({ failed: false });
    expect(readFileSync(file, 'utf8')).toBe(
      `# kept\nNODE_IMAGE=node:24@${digestOf(1)}\nUI_IMAGE=temporalio/ui:2.1@${digestOf(2)}\n`,
    );
  });

  it('stay as they are where the registry has none', async () => {
    const text = `NODE_IMAGE=node:24\nOTHER_IMAGE=postgres:0\n`;
    writeFileSync(file, text);
    const { failed, said } = await pin('--write');
    expect(failed).toBe(true);
    expect(said).toContain('postgres:0: HTTP 404');
    expect(readFileSync(file, 'utf8')).toBe(`NODE_IMAGE=node:24@${digestOf(1)}\nOTHER_IMAGE=postgres:0\n`);
  });

  it('are required of a release, for each image that it uses', async () => {
    cpSync(path.join(root, 'deploy/images.env'), file);
    const tags = readFileSync(file, 'utf8').replace(/@sha256:\w+/g, '');
    writeFileSync(file, tags);
    const { failed, said } = await pin('--check');
    expect(failed).toBe(true);
    expect(said.match(/has no digest/g)).toHaveLength(tags.match(/^\w+=/gm)?.length ?? 0);
    writeFileSync(file, tags.replace(/^(\w+=.*)$/gm, `$1@${digestOf(3)}`));
    expect(await pin('--check')).toEqual({ failed: false, said: '' });
    writeFileSync(file, `NODE_IMAGE=node:24-bookworm-slim@${digestOf(3)}\n`);
    expect((await pin('--check')).said).toContain('is not one of deploy/images.env');
  });
});
