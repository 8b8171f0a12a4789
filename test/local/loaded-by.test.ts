import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { temporaryFolder } from '../support/temporary-folder';

const script = pathToFileURL(path.join(__dirname, '..', '..', 'local', 'loaded-by.mjs')).href;

describe('the roles that start afresh after a change', () => {
  const folder = temporaryFolder();
  const put = (file: string, ...required: string[]): void => {
    mkdirSync(path.dirname(path.join(folder, file)), { recursive: true });
    writeFileSync(path.join(folder, file), required.map((name) => `require("${name}");`).join('\n'));
  };
  put('roles/serve.js', '../config', './gateway.js', './graph.js', './worker.js');
  put('roles/gateway.js', '../gateway', 'fastify');
  put('roles/graph.js', '../graph/server');
  put('roles/worker.js', '../temporal/relay');
  put('config.js');
  put('gateway/index.js', './route', '../graph/schema');
  put('gateway/route.js', '../domain/money');
  put('graph/server.js', './schema');
  put('graph/schema.js', '../domain/money', './server');
  put('temporal/relay.js');
  put('domain/money.js');

  const after = (...files: string[]): unknown => {
    const code = `import { rolesThatLoad } from '${script}';
      console.log(JSON.stringify(rolesThatLoad(${JSON.stringify(files)}, ${JSON.stringify(folder)})));`;
    const args = ['--input-type=module', '--eval', code];
    return JSON.parse(execFileSync(process.execPath, args, { encoding: 'utf8' }));
  };

  it('are those that load it, at whatever depth', () => {
    expect(after('gateway/route.ts')).toEqual(['gateway']);
    expect(after('graph/schema.ts')).toEqual(['gateway', 'graph']);
    expect(after('temporal/relay.ts')).toEqual(['worker']);
    expect(after('gateway/index.ts', 'graph/server.ts')).toEqual(['gateway', 'graph']);
    expect(after('config.ts')).toEqual(['gateway', 'graph', 'worker']);
  });

  it('include the worker where the file is a part of the bundle of workflows', () => {
    expect(after('workflows/deposit.ts')).toEqual(['worker']);
    expect(after('domain/money.ts')).toEqual(['gateway', 'graph', 'worker']);
  });

  it('are all of them where no role loads it as a module', () => {
    for (const file of ['main.ts', 'db/functions/orders.sql', 'local/operations.graphql'])
      expect(after(file)).toEqual(['gateway', 'graph', 'worker']);
  });
});
