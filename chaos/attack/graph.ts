import type { Random } from './random';
import { type Place, talk, type WireAnswer } from './wire';

/** Operations that need a login; among them a login with wrong credentials. */
const OPERATIONS = [
  '{ me { id login } }',
  '{ merchants { nodes { id merchantCode apiKeys { hint } } } }',
  '{ deposits(first: 5) { nodes { orderNo payerAccountLast4 } } }',
  '{ unmatchedTransfers(first: 5) { nodes { payerName payerAccount memo } } }',
  '{ search(text: "D2026") { found { ... on DepositOrder { orderNo } } } }',
  '{ trialBalance { nodes { account balance } } }',
  '{ agentKeys { nodes { keyId } } }',
  '{ bankAccounts { nodes { accountNo accountHolder } } }',
  '{ merchantBalances { available } }',
  '{ merchantDeposit(orderNo: "D1") { id } }',
  'mutation { logout { ok } }',
  'mutation { login(login: "admin", password: "not the password") { token } }',
  'mutation { createAgentKey(input: {label: "x", accountIds: ["x"]}, reason: "x") { secret } }',
  'mutation { issueApiKey(merchantId: "01a1fe29-2b6c-748b-933b-47745b676f88", reason: "x") { apiKey } }',
  'mutation { createDeposit(input: {merchantOrderNo: "1", amount: "1", currencyCode: "USD", callbackUrl: "https://a.example/"}) { id } }',
  'query($n: String!) { deposit(orderNo: $n) { id timeline { detail } } }',
  '{ __schema { types { name } } }',
  '{ ... { __schema { types { name } } } }',
  '{ ... on Query { ...G } } fragment G on Query { s: __schema { types { name } } }',
  '{ __type(name: "Query") { fields { name } } }',
  'subscription { depositChanged(orderNo: "D1") { type } }',
];

/** Invalid tokens. */
const AUTHORIZATIONS = [
  '',
  'Bearer ',
  'Bearer x',
  'bearer null',
  'Bearer undefined',
  'Basic YWRtaW46YWRtaW4=',
  `Bearer ${'0'.repeat(43)}`,
  `Bearer ${'x'.repeat(4_000)}`,
  'Bearer \xe9',
  "Bearer ' or 1=1 --",
];

const PIECES = ['{', '}', '"', '\\', '\0', '(', '#', '...', '$', '@skip(if: true)', '\u{1f600}'];

function operation(random: Random): string {
  const text = random.pick(OPERATIONS);
  const at = random.below(text.length + 1);
  switch (random.below(6)) {
    case 0:
      return text.slice(0, at) + random.pick(PIECES) + text.slice(at);
    case 1:
      return text.slice(0, at) + text.slice(at + 1 + random.below(4));
    case 2:
      return text.replaceAll(/\{ (\w)/g, (_, letter: string) => `{ a${random.below(9)}: ${letter}`);
    case 3:
      return '{'.repeat(1 + random.below(2_000)) + text;
    case 4:
      return `${text} fragment F on Query { ...F }`;
    default:
      return text;
  }
}

function body(random: Random): Buffer {
  const query = operation(random);
  const variables = random.pick([{}, { n: 'D1' }, { n: null }, { n: ['x'] }, { __proto__: 1 }]);
  const right: unknown = { query, variables };
  const text = JSON.stringify(
    random.pick<unknown>([right, right, right, [right, right], { ...variables }, query, null]),
  );
  const bytes = Buffer.from(text);
  if (random.chance(0.2)) bytes[random.below(bytes.length)] = random.below(256);
  return random.chance(0.1) ? bytes.subarray(0, random.below(bytes.length)) : bytes;
}

function request(random: Random): Buffer {
  const get = random.chance(0.15);
  const sent = get ? Buffer.alloc(0) : body(random);
  const path = get
    ? `/graphql?query=${encodeURIComponent(operation(random))}`
    : random.pick(['/graphql', '/graphql', '/graphql', '/graphql/', '/graphql?x=y', '/graphql/x']);
  const type = random.pick([
    'application/json',
    'application/json',
    'application/json',
    'application/json; charset=utf-16',
    'application/graphql',
    'text/plain',
  ]);
  const authorization = random.pick(AUTHORIZATIONS);
  const lines = [
    `${get ? 'GET' : random.pick(['POST', 'POST', 'POST', 'PUT'])} ${path} HTTP/1.1`,
    'Host: graph.test',
    `Content-Type: ${type}`,
    ...(authorization === '' ? [] : [`Authorization: ${authorization}`]),
    ...(random.chance(0.3) ? ['Apollo-Require-Preflight: 1'] : []),
    `Content-Length: ${sent.length}`,
    'Connection: close',
  ];
  return Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1'), sent]);
}

/** The answer to a request without a login. */
export interface GraphOutcome {
  readonly sent: Buffer;
  readonly answer: WireAnswer | undefined;
  /** Data was shown, or something was done. */
  readonly accepted: boolean;
  readonly isJson: boolean;
}

/** Whether an answer holds any value other than null and type names. */
function holdsData(value: unknown): boolean {
  if (value === null || value === undefined) return false;
  if (typeof value !== 'object') return true;
  return Object.entries(value).some(([key, inner]) => key !== '__typename' && holdsData(inner));
}

/** Sends one mutated operation to the operators' listener, without a login. */
export async function attackGraph(place: Place, random: Random): Promise<GraphOutcome> {
  const sent = request(random);
  const { answers } = await talk(place, [sent], {
    answers: 1,
    end: true,
    patienceMs: 9_000,
    isHead: () => false,
  });
  const [answer] = answers;
  let read: unknown = undefined;
  try {
    read = JSON.parse(answer?.body.toString() ?? '');
  } catch {
    // Not JSON: reported below.
  }
  const isJson = typeof read === 'object' && read !== null && !Array.isArray(read);
  const accepted = isJson && holdsData((read as { data?: unknown }).data);
  return { sent, answer, accepted, isJson };
}
