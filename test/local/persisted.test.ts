import { createHash } from 'node:crypto';
import { parse } from 'graphql';
import { persistedOperations } from '../../local/persisted';

describe('persistedOperations', () => {
  it('finds each operation by the hash of its text, with its fragments and types', () => {
    const { manifest, hashes } = persistedOperations(
      parse(`
        query A { me { ...Who } }
        fragment Other on Operator { id }
        fragment Who on Operator { login }
        mutation B { logout { ok } }
      `),
    );
    expect(Object.keys(hashes)).toEqual(['A', 'B']);
    for (const [hash, text] of Object.entries(manifest))
      expect(createHash('sha256').update(text).digest('hex')).toBe(hash);
    const text = manifest[hashes['A'] ?? ''] ?? '';
    expect(text.replace(/\s+/g, ' ')).toBe(
      'query A { me { ...Who __typename } } fragment Who on Operator { login __typename }',
    );
    expect(manifest[hashes['B'] ?? '']).toContain('mutation B');
  });

  it('refuses an operation without a name, and two of one name', () => {
    const twice = parse('query A { me { id } } query A { me { login } }');
    expect(() => persistedOperations(twice)).toThrow('two operations A');
    expect(() => persistedOperations(parse('{ me { id } }'))).toThrow('no name');
  });
});
