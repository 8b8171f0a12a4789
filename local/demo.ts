import { type ChildProcess, spawn } from 'node:child_process';
import { createHash, createHmac, randomUUID } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { OperatorClient } from './operator-client';
import type { Sandbox } from './sandbox';
import { readSettings } from './settings';
import { drawTable } from './table';

/*
 * `npm run demo`: one deposit from the merchant's first request to the callback on its server, as a merchant would do it.
 * Of the platform's code it uses only the operators' GraphQL client.
 */

const started = Date.now();
const say = (line: string): void => {
  console.log(`${((Date.now() - started) / 1000).toFixed(2).padStart(6)} s  ${line}`);
};

const START_DEADLINE_MS = 600_000;
const CALLBACK_DEADLINE_MS = 30_000;

/** Contract, "Authentication": MD5 over the sorted parameters plus the key. The demo sends only strings. */
function sign(parameters: Readonly<Record<string, string>>, apiKey: string): string {
  const pairs = Object.entries(parameters).sort(([a], [b]) => (a < b ? -1 : 1));
  const joined = pairs.map(([key, value]) => `${key}=${value}`).join('&');
  return createHash('md5')
    .update(joined + apiKey)
    .digest('hex');
}

interface Envelope<Data> {
  readonly success: boolean;
  readonly code: string;
  readonly message: string;
  readonly data: Data;
}

/** The merchant's side of the signed contract. */
class MerchantClient {
  constructor(private readonly sandbox: Sandbox) {}

  async call<Data>(method: 'GET' | 'POST', route: string, body: Record<string, string> = {}): Promise<Data> {
    const { merchantApi, merchant } = this.sandbox;
    const timestamp = Math.floor(Date.now() / 1000).toString();
    const response = await fetch(merchantApi + route, {
      method,
      headers: {
        'x-api-key': merchant.apiKey,
        'x-timestamp': timestamp,
        'x-signature': sign({ ...body, timestamp }, merchant.apiKey),
        ...(method === 'POST' ? { 'content-type': 'application/json' } : {}),
      },
      body: method === 'POST' ? JSON.stringify(body) : null,
    });
    const { success, code, message, data } = (await response.json()) as Envelope<Data>;
    if (!success) throw new Error(`${method} ${route}: ${response.status} ${code}: ${message}`);
    say(`${method} ${route} → ${response.status} ${code}`);
    return data;
  }
}

interface Callback {
  readonly body: Record<string, string>;
  readonly genuine: boolean;
}

/** The merchant's own server: answers one callback after checking its signature. */
async function receiver(apiKey: string) {
  let arrived: (callback: Callback) => void = () => undefined;
  const first = new Promise<Callback>((resolve) => {
    arrived = resolve;
  });
  const server = createServer((request, response) => {
    let text = '';
    request.setEncoding('utf8');
    request.on('data', (part: string) => {
      text += part;
    });
    request.on('end', () => {
      const body = JSON.parse(text) as Record<string, string>;
      const genuine = request.headers['x-signature'] === sign(body, apiKey);
      response.writeHead(genuine ? 200 : 401).end();
      arrived({ body, genuine });
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/callbacks`,
    first,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** The agent's side: signs what the bank's statement shows (docs/bank-notifications.md). */
async function notifyBank(sandbox: Sandbox, notification: Record<string, string>): Promise<void> {
  const { keyId, secret } = sandbox.agent;
  const body = JSON.stringify(notification);
  const timestamp = Math.floor(Date.now() / 1000).toString();
  const nonce = randomUUID();
  const signature = createHmac('sha256', secret).update(`${timestamp}.${nonce}.${body}`).digest('hex');
  const response = await fetch(new URL('/bank-notifications', sandbox.merchantApi), {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'x-agent-key': keyId,
      'x-agent-timestamp': timestamp,
      'x-agent-nonce': nonce,
      'x-agent-signature': signature,
    },
    body,
  });
  const { code, data } = (await response.json()) as Envelope<{ matched: boolean } | null>;
  if (!data?.matched) throw new Error(`the bank notification was not matched: ${code}`);
  say(`the bank's agent reports the transfer → ${response.status}, matched`);
}

interface Payment {
  readonly order_no: string;
  readonly amount: string;
  readonly account_no: string;
  readonly bank_name: string;
  readonly remark: string;
  readonly expire_at: string;
}

interface Balances {
  readonly items: readonly { currency_code: string; available_balance: string }[];
}

interface DepositDetail {
  readonly status: string;
  readonly actualAmount: string;
  readonly fee: string;
  readonly callbackStatus: string;
  readonly timeline: readonly { at: string; type: string; actor: string }[];
  readonly ledgerEntries: readonly { type: string; account: string; amount: string }[];
  readonly workflow: { readonly id: string; readonly url: string | null };
}

async function waitForCallback(first: Promise<Callback>): Promise<Callback> {
  const callback = await Promise.race([first, sleep(CALLBACK_DEADLINE_MS, undefined, { ref: false })]);
  if (!callback) throw new Error(`no callback came within ${CALLBACK_DEADLINE_MS / 1000} s`);
  if (!callback.genuine) throw new Error('the callback is not signed with our key');
  return callback;
}

/** Waits until the callback's outcome is recorded, so that the summary shows it. */
async function finalDetail(operator: OperatorClient, orderNo: string): Promise<DepositDetail> {
  const deadline = Date.now() + CALLBACK_DEADLINE_MS;
  while (Date.now() < deadline) {
    const detail = await operator.run<DepositDetail>('Deposit', { orderNo });
    if (detail.callbackStatus === 'SUCCESS') return detail;
    await sleep(50);
  }
  throw new Error(`the callback's outcome was not recorded within ${CALLBACK_DEADLINE_MS / 1000} s`);
}

async function play(sandbox: Sandbox): Promise<void> {
  const merchant = new MerchantClient(sandbox);
  const [account] = sandbox.accounts;
  if (!account) throw new Error('the sandbox has no bank account');
  const currency = account.currencyCode;
  const callbacks = await receiver(sandbox.merchant.apiKey);
  say(`the merchant's server listens at ${callbacks.url}`);
  try {
    const before = await merchant.call<Balances>('GET', '/balance');
    const payment = await merchant.call<Payment>('POST', '/orders/deposit', {
      merchant_order_no: `demo-${Date.now()}`,
      amount: '1500.00',
      currency_code: currency,
      callback_url: callbacks.url,
      user_id: 'demo-payer',
    });
    say(
      `the payer must transfer ${payment.amount} ${currency} to ${payment.account_no} (${payment.bank_name}), ` +
        `memo ${payment.remark}, until ${payment.expire_at}`,
    );
    await notifyBank(sandbox, {
      account_id: account.id,
      amount: payment.amount,
      currency_code: currency,
      bank_time: new Date().toISOString(),
      bank_reference: `DEMO${Date.now()}`,
      payer_name: 'Demo Payer',
      memo: `transfer ${payment.remark}`,
    });
    const { body } = await waitForCallback(callbacks.first);
    say(`callback ${body['event'] ?? ''} arrived, its signature is ours: ${JSON.stringify(body)}`);
    await merchant.call('GET', `/query/deposit/${payment.order_no}`);
    const after = await merchant.call<Balances>('GET', '/balance');

    const operator = new OperatorClient(sandbox.graphql);
    await operator.login(sandbox.operator.login, sandbox.operator.password);
    const detail = await finalDetail(operator, payment.order_no);
    summarise(payment.order_no, detail, currency, before, after);
  } finally {
    callbacks.close();
  }
}

function summarise(orderNo: string, detail: DepositDetail, currency: string, before: Balances, after: Balances): void {
  const available = (balances: Balances): string =>
    balances.items.find((item) => item.currency_code === currency)?.available_balance ?? '?';
  console.log(
    `\n${drawTable([
      ['Order', `${orderNo}: ${detail.status}`],
      ['Received', `${detail.actualAmount} ${currency}, fee ${detail.fee}`],
      ['Balance', `${available(before)} → ${available(after)} ${currency}`],
      ...detail.ledgerEntries.map(({ type, account, amount }) => [type, `${amount.padStart(12)}  ${account}`] as const),
      ...detail.timeline.map(({ at, type, actor }) => [type, `${at}  ${actor}`] as const),
      ['Workflow', detail.workflow.url ?? detail.workflow.id],
    ])}\n`,
  );
}

/** The running sandbox, if one answers. */
async function runningSandbox(file: string): Promise<Sandbox | undefined> {
  if (!existsSync(file)) return undefined;
  const sandbox = JSON.parse(readFileSync(file, 'utf8')) as Sandbox;
  try {
    const ready = await fetch(new URL('/health/ready', sandbox.merchantApi));
    return ready.ok ? sandbox : undefined;
  } catch {
    // A killed run left the file; nothing listens there.
    return undefined;
  }
}

/** Starts the platform as `npm start` does, and waits until it is ready. */
async function startPlatform(file: string): Promise<{ sandbox: Sandbox; child: ChildProcess }> {
  say('no platform is running: starting one for the demo');
  const child = spawn(process.execPath, [path.join(__dirname, '..', 'main.js')], {
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  const ended = new Promise<never>((_resolve, reject) => {
    child.once('exit', () => {
      reject(new Error('the platform did not start'));
    });
  });
  ended.catch(() => undefined);
  const deadline = Date.now() + START_DEADLINE_MS;
  while (Date.now() < deadline) {
    const sandbox = await Promise.race([runningSandbox(file), ended]);
    if (sandbox) return { sandbox, child };
    await Promise.race([sleep(250), ended]);
  }
  child.kill('SIGTERM');
  throw new Error('the platform did not become ready');
}

async function stop(child: ChildProcess): Promise<void> {
  say('stopping the platform of the demo');
  if (child.exitCode !== null) return;
  const exited = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGTERM');
  await exited;
}

async function main(): Promise<void> {
  const file = path.join(readSettings(process.env).dataDir, 'sandbox.json');
  const running = await runningSandbox(file);
  if (running) {
    await play(running);
    return;
  }
  const { sandbox, child } = await startPlatform(file);
  try {
    await play(sandbox);
  } finally {
    await stop(child);
  }
}

main().catch((error: unknown) => {
  console.error(`\nThe demo failed: ${error instanceof Error ? error.message : String(error)}`);
  process.exitCode = 1;
});
