// Forwards messages of banks (SMS, notifications of apps) to Causeway. One file without packages: copy it to anything that
// runs Node.js 20.19 or newer, such as a telephone (docs/agent-texts.md).
//
// A program on the device hands each message over: one JSON a line on standard input, or POST to 127.0.0.1:PORT with the
// device's own token, with `sender`, `text` and, if it knows them, `sent_at` and `id`. Each is written to disk before it
// is acknowledged, and sent until the platform has it, in the order in which they came. What was sent is kept for days: a
// platform that has lost it asks for it again.
//
// `node forwarder.mjs enrol` makes a key pair here and gives its public key by the link that the agent's owner was mailed.
import {
  createHash,
  createHmac,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  randomBytes,
  randomUUID,
  sign,
  timingSafeEqual,
} from 'node:crypto';
import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { createServer } from 'node:http';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { clearTimeout, setInterval, setTimeout } from 'node:timers';

const VERSION = '1.1.0';
const BEAT_MS = Number(process.env.BEAT_MS ?? 60_000);
/** The first pause before a retry; it doubles each time, up to a minute. */
const RETRY_MS = Number(process.env.RETRY_MS ?? 1_000);
const LONGEST_RETRY_MS = 60_000;
/** How long sent messages are kept, for a platform that asks for them again. */
const KEEP_DAYS = Number(process.env.KEEP_DAYS ?? 7);
const DAY_MS = 86_400_000;
const ANSWER_WITHIN_MS = 15_000;
const MOST_BYTES = 16 * 1024;

const log = (line) => console.error(`${new Date().toISOString()} ${line}`);
const stop = (line) => {
  console.error(line);
  process.exit(2);
};
const need = (name) => process.env[name] || stop(`set ${name}: see docs/agent-texts.md, "The forwarder"`);

const folder = process.env.QUEUE ?? path.join(process.cwd(), 'forwarder-queue');
const sent = path.join(folder, 'sent');
mkdirSync(sent, { recursive: true, mode: 0o700 });
/** The private key, which never leaves this folder, and what the platform said of the agent. */
const keyFile = path.join(folder, 'agent-key.pem');
const agentFile = path.join(folder, 'agent-enrolment');
const readJson = (file) => (existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : null);

/** Writes a file that only we may read; after a loss of power it is whole, or not there. */
function store(file, text) {
  const part = `${file}.part`;
  rmSync(part, { force: true });
  const open = openSync(part, 'wx', 0o600);
  writeSync(open, text);
  fsyncSync(open);
  closeSync(open);
  renameSync(part, file);
}

/** A secret or name of this device: made once, and kept in its folder. */
function own(name, make) {
  const file = path.join(folder, name);
  if (!existsSync(file)) store(file, make());
  return readFileSync(file, 'utf8').trim();
}

/** The link of the mail: as an argument, or the first line of standard input. */
async function givenLink() {
  const given = process.argv[3];
  if (given) return given.trim();
  console.error('Paste the link from the mail:');
  for await (const line of createInterface({ input: process.stdin })) return line.trim();
  return '';
}

/** Makes a key pair, unless an enrolment that broke off has made it, and enrols its public key by the link. */
async function enrol() {
  const before = readJson(agentFile);
  if (before) stop(`${folder} is enrolled already, as ${before.key_id}: use another QUEUE`);
  const link = await givenLink();
  const [page, token] = link.split('#');
  const url = globalThis.URL.canParse(page) ? new globalThis.URL(page) : null;
  const here = url?.hostname === '127.0.0.1' || url?.hostname === 'localhost';
  if (!url || !token || !(url.protocol === 'https:' || (url.protocol === 'http:' && here)))
    stop('this is no link to enrol an agent: it begins with https:// and has a # in it');
  if (!existsSync(keyFile))
    store(keyFile, generateKeyPairSync('ed25519').privateKey.export({ format: 'pem', type: 'pkcs8' }));
  const publicKey = createPublicKey(readFileSync(keyFile, 'utf8'))
    .export({ format: 'der', type: 'spki' })
    .toString('base64');
  const answer = await fetch(`${page.replace(/\/$/, '')}/enrol`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ token, public_key: publicKey }),
    redirect: 'error',
    signal: globalThis.AbortSignal.timeout(ANSWER_WITHIN_MS),
  }).catch((error) => stop(`not enrolled: ${error.cause?.code ?? error.message}. Try again.`));
  if (answer.status === 401) stop('not enrolled: the link was used, has ended, or was replaced. Ask for another one.');
  if (!answer.ok) stop(`not enrolled: the platform answered ${answer.status}: ${(await answer.text()).slice(0, 300)}`);
  const { data } = await answer.json();
  store(agentFile, JSON.stringify({ key_id: data.key_id, label: data.label, accounts: data.accounts }));
  console.error(`Enrolled as ${data.label}, key ${data.key_id}. It reports on:`);
  for (const { id, name } of data.accounts) console.error(`  ${name}: ACCOUNT_ID=${id}`);
  console.error(`Its private key is in ${keyFile}, and nowhere else: copy it nowhere.`);
}
if (process.argv[2] === 'enrol') {
  await enrol();
  process.exit(0);
}

/** The port where programs of this device post; 0 if nowhere. */
const port = process.env.PORT ? Number(process.env.PORT) : 0;
if (process.env.PORT && !(Number.isInteger(port) && port > 0 && port < 65_536))
  stop('PORT is no port: a number from 1 to 65535');
const gateway = need('GATEWAY').replace(/\/$/, '');
const agent = readJson(agentFile);
const secret = process.env.AGENT_SECRET;
if (secret && (agent || existsSync(keyFile)))
  stop(`${folder} has a key of its own: unset AGENT_SECRET, or use another QUEUE`);
if (!secret && !existsSync(keyFile)) stop('enrol first: node forwarder.mjs enrol; or, in a sandbox, set AGENT_SECRET');
const keyId = process.env.AGENT_KEY || agent?.key_id || need('AGENT_KEY');
const accountId = process.env.ACCOUNT_ID || (agent?.accounts?.length === 1 ? agent.accounts[0].id : need('ACCOUNT_ID'));
const privateKey = secret ? null : createPrivateKey(readFileSync(keyFile, 'utf8'));
const signatureOf = (text) =>
  privateKey
    ? sign(null, Buffer.from(text), privateKey).toString('base64')
    : createHmac('sha256', secret).update(text).digest('hex');
const deviceId = process.env.DEVICE_ID || own('device-id', randomUUID);

/** Signs a request (docs/bank-notifications.md) and sends it. */
async function post(route, body) {
  const text = JSON.stringify(body);
  const timestamp = String(Math.floor(Date.now() / 1000));
  const nonce = randomBytes(16).toString('hex');
  return await fetch(gateway + route, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'x-agent-key': keyId,
      'x-agent-timestamp': timestamp,
      'x-agent-nonce': nonce,
      'x-agent-signature': signatureOf(`${timestamp}.${nonce}.${text}`),
    },
    body: text,
    signal: globalThis.AbortSignal.timeout(ANSWER_WITHIN_MS),
  });
}

const messagesOf = (place) =>
  readdirSync(place)
    .filter((file) => file.endsWith('.json'))
    .sort();
const waiting = () => messagesOf(folder);

let count = 0;
/** Writes a message to disk; from then on it survives a loss of power. */
function keep({ sender, text, sent_at: sentAt, id }) {
  if (typeof sender !== 'string' || typeof text !== 'string' || text.trim() === '')
    throw new TypeError('a message needs a sender and a text');
  const message = {
    ...{ device_id: deviceId, account_id: accountId, sender, text: text.slice(0, 2_000) },
    sent_at: sentAt ?? new Date().toISOString(),
    message_id: String(id ?? randomUUID()),
  };
  const name = `${String(Date.now()).padStart(15, '0')}-${String(count++).padStart(9, '0')}.json`;
  const file = path.join(folder, `${name}.part`);
  const open = openSync(file, 'w', 0o600);
  writeSync(open, JSON.stringify(message));
  fsyncSync(open);
  closeSync(open);
  renameSync(file, path.join(folder, name));
}

let wake = () => undefined;
const pause = async (ms) =>
  await new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    wake = () => {
      clearTimeout(timer);
      resolve();
    };
  });

/**
 * Sets aside a message that the platform will never accept, named by the error: it blocks no other, and is not lost.
 */
const setAside = (file, status) => {
  renameSync(path.join(folder, file), path.join(folder, `${file}.refused-${status}`));
};
/** Only for a wrong message; a wrong clock, key or server can be corrected, and the message is sent then. */
const isFinal = (status) => status === 400 || status === 413 || status === 422;

async function sendAll() {
  let retry = RETRY_MS;
  for (;;) {
    const [file] = waiting();
    if (!file) {
      await pause(BEAT_MS);
      continue;
    }
    try {
      const answer = await post('/agent-texts', JSON.parse(readFileSync(path.join(folder, file), 'utf8')));
      if (answer.ok) {
        renameSync(path.join(folder, file), path.join(sent, file));
        retry = RETRY_MS;
        continue;
      }
      log(`the platform answered ${answer.status}: ${(await answer.text()).slice(0, 300)}`);
      if (isFinal(answer.status)) {
        setAside(file, answer.status);
        continue;
      }
    } catch (error) {
      log(`not sent: ${error.cause?.code ?? error.message}`);
    }
    await pause(retry);
    retry = Math.min(retry * 2, LONGEST_RETRY_MS);
  }
}

/** Removes what was sent long ago: a file's name begins with the time when the message came. */
function forgetOld() {
  for (const file of messagesOf(sent))
    if (parseInt(file, 10) < Date.now() - KEEP_DAYS * DAY_MS) rmSync(path.join(sent, file));
}

/** Sends again the messages that came since then, once for each time that the platform asks. */
function sendAgain(since) {
  const asked = path.join(folder, 'sent-again-since');
  if (since === null || (existsSync(asked) && readFileSync(asked, 'utf8') === since)) return;
  const lost = messagesOf(sent).filter((file) => {
    const { sent_at: sentAt } = JSON.parse(readFileSync(path.join(sent, file), 'utf8'));
    return Date.parse(sentAt) >= Date.parse(since);
  });
  for (const file of lost) renameSync(path.join(sent, file), path.join(folder, file));
  writeFileSync(asked, since);
  log(`the platform asks for the messages since ${since}: sending ${lost.length} again`);
  wake();
}

/** Percent of the battery, if Linux or Android reports it. */
function battery() {
  const supplies = '/sys/class/power_supply';
  try {
    for (const supply of readdirSync(supplies)) {
      const file = path.join(supplies, supply, 'capacity');
      if (existsSync(file)) return Number(readFileSync(file, 'utf8').trim());
    }
  } catch {
    // There is none, or we may not read it.
  }
  return undefined;
}

async function beat() {
  try {
    const answer = await post('/agent-heartbeats', {
      ...{ device_id: deviceId, label: process.env.LABEL, version: VERSION },
      ...{ battery: battery(), waiting: waiting().length },
    });
    if (!answer.ok) {
      log(`no heartbeat: the platform answered ${answer.status}`);
      return;
    }
    const { paired, report_again_since: since } = (await answer.json()).data;
    if (!paired) log(`device ${deviceId} is not paired yet`);
    sendAgain(since ?? null);
    forgetOld();
  } catch (error) {
    log(`no heartbeat: ${error.cause?.code ?? error.message}`);
  }
}

/** @returns whether it was stored */
function take(line) {
  try {
    keep(JSON.parse(line));
    wake();
    return true;
  } catch (error) {
    log(`not accepted: ${error.message}`);
    return false;
  }
}

createInterface({ input: process.stdin }).on('line', (line) => {
  if (line.trim() !== '') take(line);
});

/** Programs on this device that may post have it; pages in a browser and other apps cannot read it. */
const postToken = port ? own('post-token', () => randomBytes(32).toString('base64url')) : '';
const digest = (text) => createHash('sha256').update(text).digest();

/**
 * The status with which a request is refused before its body is read; null if it may hand over a message. A browser names
 * the page that sends in Origin and Sec-Fetch-Site, and the name that it looked up in Host.
 */
function refusalOf({ method, headers, rawHeaders }) {
  // The port that clients leave out is 80.
  const hosts = ['127.0.0.1', 'localhost'].flatMap((name) =>
    port === 80 ? [name, `${name}:80`] : [`${name}:${port}`],
  );
  const named = rawHeaders.filter((name, i) => i % 2 === 0 && name.toLowerCase() === 'host');
  if (named.length !== 1 || !hosts.includes(headers.host?.toLowerCase())) return 403;
  if (headers.origin !== undefined) return 403;
  if ((headers['sec-fetch-site'] ?? 'none') !== 'none') return 403;
  if (method !== 'POST') return 405;
  const token = headers['x-forwarder-token'];
  if (token === undefined || !timingSafeEqual(digest(token), digest(postToken))) return 401;
  const [type] = (headers['content-type'] ?? '').split(';');
  return type.trim().toLowerCase() === 'application/json' ? null : 415;
}

if (port) {
  createServer({ requestTimeout: ANSWER_WITHIN_MS }, (request, response) => {
    const answer = (status) => {
      // What is left of a refused request is not read.
      if (status !== 202) response.setHeader('connection', 'close');
      response.writeHead(status).end();
    };
    const refusal = refusalOf(request);
    if (refusal !== null) {
      answer(refusal);
      return;
    }
    const parts = [];
    let length = 0;
    request.on('data', (part) => {
      length += part.length;
      if (length <= MOST_BYTES) parts.push(part);
      else if (!response.headersSent) answer(413);
    });
    request.on('end', () => {
      if (!response.headersSent) answer(take(Buffer.concat(parts).toString()) ? 202 : 400);
    });
  }).listen(port, '127.0.0.1');
  log(`programs post with the header X-Forwarder-Token, whose value is in ${folder}/post-token`);
}

log(`forwarding as device ${deviceId}`);
await beat();
setInterval(() => void beat(), BEAT_MS);
await sendAll();
