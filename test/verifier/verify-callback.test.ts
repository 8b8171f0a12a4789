import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { createInterface, type Interface } from 'node:readline';
import { signMd5 } from '../../crypto/md5';
import { callbackSigningString } from '../../domain/signing';
import { parseStrictObject } from '../../domain/strict-json';

const API_KEY = 'pre_VerifierKey';
const script = resolve(__dirname, 'verify_callback.py');

let receiver: ChildProcessWithoutNullStreams;
let lines: Interface;
let url: string;

beforeAll(async () => {
  receiver = spawn('python3', [script, 'serve', '0', API_KEY]);
  const [first] = (await Promise.race([
    once(receiver.stderr, 'data'),
    once(receiver, 'error').then(([cause]) => {
      throw new Error('this test needs python3 on the PATH', { cause });
    }),
  ])) as [Buffer];
  const { listening } = JSON.parse(first.toString()) as { listening: number };
  url = `http://127.0.0.1:${listening}/`;
  lines = createInterface(receiver.stdout);
});

afterAll(async () => {
  if (receiver.pid === undefined) return;
  const exited = once(receiver, 'exit');
  receiver.kill();
  await exited;
});

const now = (): number => Math.floor(Date.now() / 1000);

const body = JSON.stringify({
  event: 'deposit.completed',
  order_no: 'D20260101ABCDEFGHJKMN',
  merchant_order_no: 'é=&😀',
  amount: '10.0000',
  matched_at: null,
  status: 'completed',
});

function headersFor(text: string): Record<string, string> {
  const parsed = parseStrictObject(text);
  if ('problem' in parsed) throw new Error(parsed.problem);
  return {
    'Content-Type': 'application/json',
    'X-API-Key': API_KEY,
    'X-Timestamp': String(now()),
    'X-Signature': signMd5(callbackSigningString(parsed.texts), API_KEY),
  };
}

async function post(text: string, headers: Record<string, string>): Promise<{ status: number; line: unknown }> {
  const printed = once(lines, 'line') as Promise<[string]>;
  const { status } = await fetch(url, { method: 'POST', headers, body: text });
  const [line] = await printed;
  return { status, line: JSON.parse(line) };
}

test('a callback with our signature is valid, and attempts are counted', async () => {
  const headers = headersFor(body);
  const expected = {
    ok: true,
    problem: null,
    event: 'deposit.completed',
    order_no: 'D20260101ABCDEFGHJKMN',
    status: 'completed',
    signature: headers['X-Signature'],
  };
  const first = await post(body, headers);
  expect(first).toMatchObject({ status: 200, line: { ...expected, attempt: 1 } });
  const second = await post(body, headers);
  expect(second).toMatchObject({ status: 200, line: { ...expected, attempt: 2 } });
});

test.each([
  ['a changed body', body.replace('10.0000', '10.0001'), {}],
  ['a wrong signature', body, { 'X-Signature': '0'.repeat(32) }],
  ['no signature', body, { 'X-Signature': '' }],
  ['an old timestamp', body, { 'X-Timestamp': String(now() - 400) }],
  ['a timestamp to come', body, { 'X-Timestamp': String(now() + 400) }],
  ['no timestamp', body, { 'X-Timestamp': '' }],
  ["somebody else's key", body, { 'X-API-Key': 'pre_Other' }],
  ['another content type', body, { 'Content-Type': 'text/plain' }],
  ['a key twice', body.replace('{', '{"amount":"10.0000",'), {}],
  ['no JSON', 'hello', {}],
  ['an array', '[]', {}],
])('%s: 401 and no ok', async (_, text, changed) => {
  const answer = await post(text, { ...headersFor(body), ...changed });
  expect(answer).toMatchObject({ status: 401, line: { ok: false } });
});

test('an upper-case signature is valid too', async () => {
  const headers = headersFor(body);
  const upper = { ...headers, 'X-Signature': String(headers['X-Signature']).toUpperCase() };
  expect(await post(body, upper)).toMatchObject({ status: 200, line: { ok: true } });
});
