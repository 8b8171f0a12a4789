import { createHash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { persistedOperations } from '../../local/persisted';
import { temporaryFolder } from '../support/temporary-folder';

describe("the console's operations", () => {
  const top = temporaryFolder();
  let folder: string;
  let made = 0;
  beforeEach(() => {
    folder = path.join(top, String(made++));
    mkdirSync(folder);
  });

  it('are found by the hash of their text, each with its fragments and types', () => {
    mkdirSync(path.join(folder, 'pages'));
    writeFileSync(
      path.join(folder, 'pages', 'a.graphql'),
      'query A { me { ...Who } } fragment Other on Operator { id }',
    );
    writeFileSync(
      path.join(folder, 'b.graphql'),
      'fragment Who on Operator { login } mutation B { logout }',
    );
    const { manifest, hashes } = persistedOperations(folder);
    expect(Object.keys(hashes)).toEqual(['A', 'B']);
    for (const [hash, text] of Object.entries(manifest))
      expect(createHash('sha256').update(text).digest('hex')).toBe(hash);
    const text = manifest[hashes['A'] ?? ''] ?? '';
    expect(text.replace(/\s+/g, ' ')).toBe(
      'query A { me { ...Who __typename } } fragment Who on Operator { login __typename }',
    );
    expect(manifest[hashes['B'] ?? '']).toContain('mutation B');
  });

  it('have names of their own', () => {
    writeFileSync(path.join(folder, 'a.graphql'), 'query A { me { id } } query A { me { login } }');
    expect(() => persistedOperations(folder)).toThrow('two operations A');
    writeFileSync(path.join(folder, 'a.graphql'), '{ me { id } }');
    expect(() => persistedOperations(folder)).toThrow('no name');
  });
});
