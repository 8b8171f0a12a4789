import { readFileSync } from 'node:fs';
import path from 'node:path';
import { V8_OPTIONS } from '../../local/role-process';

const ENTRYPOINT = /^ENTRYPOINT (\[.*\])$/m;

describe("V8's options", () => {
  it('are the same in the image and in npm start', () => {
    const dockerfile = readFileSync(path.join(__dirname, '..', '..', 'Dockerfile'), 'utf8');
    const entrypoint: unknown = JSON.parse(ENTRYPOINT.exec(dockerfile)?.[1] ?? 'null');
    expect(entrypoint).toEqual(['node', ...V8_OPTIONS, 'dist/main.js']);
  });
});
