// Forwards messages of banks (SMS, notifications of apps) to Causeway. One file without packages: copy it to anything that
// runs Node.js 20.19 or newer, such as a telephone (docs/agent-texts.md).
//
// A program on the device hands each message over: one JSON a line on standard input, or POST to 127.0.0.1:PORT, with
// `sender`, `text` and, if it knows them, `sent_at` and `id`. Each is written to disk before it is acknowledged, and sent
// until the platform has it, in the order in which they came. What was sent is kept for days: a platform that has lost it
// asks for it again.
import { createHmac, randomBytes, randomUUID } from 'node:crypto';
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

const VERSION = '1.0.0';
const BEAT_MS = Number(process.env.BEAT_MS ?? 60_000);
/** The first pause before a retry; it doubles each time, up to a minute. */
const RETRY_MS = Number(process.env.RETRY_MS ?? 1_000);
const LONGEST_RETRY_MS = 60_000;
/** How long sent messages are kept, for a platform that asks for them again. */
const KEEP_DAYS = Number(process.env.KEEP_DAYS ?? 7);
const DAY_MS = 86_400_000;
const ANSWER_WITHIN_MS = 15_000;
const MOST_BYTES = 16 * 1024;

const need = (name) => {
  const value = process.env[name];
  if (!value) {
    console.error(`set ${name}: see docs/agent-texts.md`);
    process.exit(2);
  }
  return value;
};
const gateway = need('GATEWAY').replace(/\/$/, '');
const keyId = need('AGENT_KEY');
const secret = need('AGENT_SECRET');
const accountId = need('ACCOUNT_ID');
const folder = process.env.QUEUE ?? path.join(process.cwd(), 'forwarder-queue');
const sent = path.join(folder, 'sent');
mkdirSync(sent, { recursive: true, mode: 0o700 });

/** The device's own identifier: generated once, and kept beside its queue. */
function ownName() {
  if (process.env.DEVICE_ID) return process.env.DEVICE_ID;
  const file = path.join(folder, 'device-id');
  if (!existsSync(file)) writeFileSync(file, randomUUID(), { mode: 0o600 });
  return readFileSync(file, 'utf8').trim();
}
const deviceId = ownName();
const log = (line) => console.error(`${new Date().toISOString()} ${line}`);

/** Signs a request (docs/bank-notifications.md) and sends it. */
async function post(route, body) {
  const text = JSON.stringify(body);
  const timestamp = String(Math.floor(Date.now() / 1000));
  const nonce = randomBytes(16).toString('hex');
  const signature = createHmac('sha256', secret)
    .update(`${timestamp}.${nonce}.${text}`)
    .digest('hex');
  return await fetch(gateway + route, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'x-agent-key': keyId,
      'x-agent-timestamp': timestamp,
      'x-agent-nonce': nonce,
      'x-agent-signature': signature,
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
      const answer = await post(
        '/agent-texts',
        JSON.parse(readFileSync(path.join(folder, file), 'utf8')),
      );
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
if (process.env.PORT)
  createServer((request, response) => {
    let body = '';
    request.on('data', (part) => {
      if (body.length < MOST_BYTES) body += part;
    });
    request.on('end', () => {
      response.writeHead(request.method === 'POST' && take(body) ? 202 : 400).end();
    });
  }).listen(Number(process.env.PORT), '127.0.0.1');

log(`forwarding as device ${deviceId}`);
await beat();
setInterval(() => void beat(), BEAT_MS);
await sendAll();
