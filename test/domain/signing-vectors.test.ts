import { spawnSync } from 'node:child_process';
import { resolve } from 'node:path';
import { signatureMatches, signMd5 } from '../../crypto/md5';
import { parseQuery } from '../../domain/query-string';
import { signingString, type SignedParameters } from '../../domain/signing';
import { decodeUtf8Strict, parseStrictObject } from '../../domain/strict-json';
import { vectors } from '../vectors/signing.json';

type Vector = (typeof vectors)[number];

const verifier = resolve(__dirname, '../verifier/verify_callback.py');

function runVerifier(command: string[], input: string): string {
  const run = spawnSync('python3', [verifier, ...command], { input, encoding: 'utf8' });
  if (run.error) throw new Error('this test needs python3 on the PATH', { cause: run.error });
  if (run.status !== 0) throw new Error(`verify_callback.py failed: ${run.stderr}`);
  return run.stdout;
}

/** The independent signer's result for each vector, by name. */
const verdicts = new Map<string, { signature?: string; refused?: string }>();

beforeAll(() => {
  const input = vectors.map((vector) => JSON.stringify(vector)).join('\n');
  const output = runVerifier(['sign-lines'], input).trim().split('\n');
  for (const [at, vector] of vectors.entries()) verdicts.set(vector.name, JSON.parse(output[at] ?? '') as object);
});

function parametersOf({ rawBody, rawQuery }: Vector): SignedParameters | undefined {
  if (rawBody === undefined) {
    const parsed = parseQuery(rawQuery);
    return 'problem' in parsed ? undefined : parsed.fields;
  }
  const parsed = parseStrictObject(decodeUtf8Strict(Buffer.from(rawBody)) ?? '');
  return 'problem' in parsed ? undefined : parsed.texts;
}

/** The status that parsing and signing alone imply. */
function statusOf(vector: Vector): 400 | 401 | 'signed' {
  const parameters = parametersOf(vector);
  if (!parameters) return 400;
  if ((parameters.get('timestamp') ?? vector.timestamp) !== vector.timestamp) return 401;
  const expected = signMd5(signingString(parameters, vector.timestamp), vector.apiKey);
  return signatureMatches(vector.signature, expected) ? 'signed' : 401;
}

const answeredWith = (status: number): Vector[] => vectors.filter(({ refused }) => refused?.status === status);
const unsigned = [...answeredWith(400), ...answeredWith(401)];
const signed = vectors.filter((vector) => !unsigned.includes(vector));

test.each(signed)('$name: the signing string and the signature', (vector) => {
  const string = signingString(parametersOf(vector) ?? new Map(), vector.timestamp);
  expect(string).toBe(vector.signingString);
  expect(signMd5(string, vector.apiKey)).toBe(vector.signature);
  expect(statusOf(vector)).toBe('signed');
});

test.each(signed)('$name: the independent signer agrees', ({ name, signature }) => {
  expect(verdicts.get(name)).toEqual({ signature });
});

test.each(unsigned)('$name: refused', (vector) => {
  expect(statusOf(vector)).toBe(vector.refused?.status);
});

test.each(answeredWith(400))('$name: the independent signer refuses it too', ({ name }) => {
  expect(verdicts.get(name)?.refused).toMatch(/./);
});

test.each(answeredWith(401))(
  '$name: the independent signer refuses it or signs it differently',
  ({ name, signature }) => {
    expect(verdicts.get(name)?.signature).not.toBe(signature);
  },
);

test('the independent signer signs one body and one query without the others', () => {
  const [body] = signed.filter(({ method }) => method === 'POST');
  const [query] = signed.filter(({ rawQuery }) => rawQuery);
  for (const [command, vector] of [['sign', body], ['sign-query', query]] as const) {
    const { rawBody, rawQuery, apiKey = '', timestamp = '', signature } = vector ?? {};
    const printed = runVerifier([command, apiKey, timestamp], rawBody ?? rawQuery ?? '');
    expect(printed).toBe(`${signature}\n`);
  }
}); // prettier-ignore

test('every vector has an answer and a name of its own', () => {
  expect(vectors.filter(({ accepted, refused }) => !accepted === !refused)).toEqual([]);
  expect(new Set(vectors.map(({ name }) => name)).size).toBe(vectors.length);
});
