/** Requests that no client of ours sends: each must be refused, and for its own reason. */
export interface Abuse {
  readonly name: string;
  readonly body: string;
  readonly code: string;
  readonly limit: string;
}

const query = (text: string, variables?: unknown): string => JSON.stringify({ query: text, variables });

const repeat = (count: number, part: (n: number) => string): string =>
  Array.from({ length: count }, (_, n) => part(n)).join(' ');

const nested = (depth: number): string =>
  `${'merchant { balances { merchant { '.repeat(depth)}id${' } } }'.repeat(depth)}`;

const deepArray = (depth: number): unknown => JSON.parse('['.repeat(depth) + ']'.repeat(depth));

/** Each fragment spreads the next twice: 2^n fields from n lines. */
const bomb = (levels: number): string =>
  `{ me { ...F0 } } ${repeat(levels, (n) => `fragment F${n} on Operator { id ...F${n + 1} ... { ...F${n + 1} } }`)} fragment F${levels} on Operator { id login }`;

const limit = (name: string, body: string, which: string): Abuse => ({
  name,
  body,
  code: 'OPERATION_LIMIT',
  limit: which,
});

export const ABUSE: readonly Abuse[] = [
  limit('a deep query', query(`{ deposits { nodes { ${nested(12)} } } }`), 'depth'),
  limit(
    'a deep query through fragments',
    query(
      `{ me { ...F0 } } ${repeat(14, (n) => `fragment F${n} on Operator { id a { ...F${n + 1} } }`)} fragment F14 on Operator { id }`,
    ),
    'depth',
  ),
  limit('many aliases', query(`{ me { ${repeat(100, (n) => `a${n}: login`)} } }`), 'aliases'),
  limit(
    'one expensive field under many names',
    query(
      `{ ${repeat(19, (n) => `a${n}: trialBalance { nodes { account } }`)} me { ${repeat(20, (n) => `b${n}: id`)} } }`,
    ),
    'aliases',
  ),
  limit('many root fields', query(`{ ${'lastEventSeq '.repeat(21)} }`), 'root_fields'),
  limit('one field again and again', query(`{ me { ${'login '.repeat(1_500)} } }`), 'fields'),
  limit('more tokens than words', query(`{ me { ${'login '.repeat(2_500)} } }`), 'tokens'),
  limit('braces without end', query('{ me '.repeat(2_500)), 'tokens'),
  limit('a long document', query(`{ me { login } } #${'x'.repeat(30_000)}`), 'document_size'),
  limit('directives upon directives', query(`{ me { login ${'@include(if: true) '.repeat(100)} } }`), 'directives'),
  limit(
    'many fragments',
    query(`{ me { ...F0 } } ${repeat(60, (n) => `fragment F${n} on Operator { id }`)}`),
    'fragments',
  ),
  limit(
    'fragments in a circle',
    query('{ me { ...A } } fragment A on Operator { ...B } fragment B on Operator { ...A }'),
    'fragments',
  ),
  limit('a fragment of itself', query('{ me { ...A } } fragment A on Operator { id ...A }'), 'fragments'),
  limit('fragments that double', query(bomb(20)), 'fields'),
  limit('a huge page', query('{ deposits(first: 1000000000) { nodes { id merchant { id } } } }'), 'cost'),
  limit(
    'a huge page by variable',
    query('query ($n: Int) { deposits(first: $n) { nodes { id } } }', { n: 2_000_000_000 }),
    'cost',
  ),
  limit(
    'lists in lists',
    query(
      '{ deposits(first: 200) { nodes { callbacks { attempts { error } } timeline { id } ledgerEntries { line } } } }',
    ),
    'cost',
  ),
  limit('a page of pictures', query('{ paymentClaims(first: 20) { nodes { receipt } } }'), 'cost'),
  limit('files under many names', query(`{ ${repeat(15, (n) => `a${n}: transferProofFile(id: "${n}")`)} }`), 'cost'),
  limit('deep variables', query('{ me { id } }', { v: deepArray(500) }), 'variables'),
  limit('many variables', query('{ me { id } }', { v: Array.from({ length: 5_000 }, (_, n) => n) }), 'variables'),
  {
    name: 'huge variables',
    body: query('{ me { id } }', { v: 'x'.repeat(200_000) }),
    code: 'PAYLOAD_TOO_LARGE',
    limit: 'body',
  },
  {
    name: 'a batch',
    body: `[${Array.from({ length: 50 }, () => query('{ me { id } }')).join()}]`,
    code: 'BATCHING_OFF',
    limit: 'batch',
  },
  {
    name: 'introspection that runs in circles',
    body: query(
      '{ __schema { types { fields { type { fields { type { fields { type { fields { name } } } } } } } } } }',
    ),
    code: 'GRAPHQL_VALIDATION_FAILED',
    limit: 'validation',
  },
  { name: 'no JSON', body: '{"query": ', code: 'VALIDATION_ERROR', limit: 'body' },
  { name: 'no object', body: '"{ me { id } }"', code: 'VALIDATION_ERROR', limit: 'body' },
  { name: 'no document', body: '{}', code: 'VALIDATION_ERROR', limit: 'body' },
  { name: 'no GraphQL', body: query('select 1'), code: 'GRAPHQL_PARSE_FAILED', limit: 'syntax' },
  {
    name: 'many unknown fields',
    body: query(`{ me { ${repeat(400, (n) => `x${n}`)} } }`),
    code: 'GRAPHQL_VALIDATION_FAILED',
    limit: 'validation',
  },
  {
    name: 'an unknown persisted operation',
    body: JSON.stringify({
      extensions: { persistedQuery: { version: 1, sha256Hash: 'ab'.repeat(32) } },
    }),
    code: 'PERSISTED_QUERY_NOT_FOUND',
    limit: 'persisted',
  },
];

/** The same abuse with another text, so that a cache of texts does not contain it. */
export const fresh = (body: string, n: number): string => body.replace('{"query":"', `{"query":"# ${n}\\n`);
