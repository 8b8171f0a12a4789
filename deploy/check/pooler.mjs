// Runs the roles behind a real pgbouncer in transaction mode: the demo's deposit from the first request to the callback,
// then many requests at once. No answer may be a 5xx, and all of it must have gone through the pooler.
import { createHash } from 'node:crypto';
import { chmodSync, existsSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { onPlatform, start } from './platform.mjs';
import { ROLES } from './processes.mjs';

const AT_ONCE = 60;
/** Fewer than the connections of the three processes: they have to share. */
const SERVER_CONNECTIONS = 12;

/** pgbouncer, as PGBOUNCER_PATH or on PATH; undefined if there is none. */
export const findPooler = () =>
  [
    ...(process.env.PGBOUNCER_PATH ? [process.env.PGBOUNCER_PATH] : []),
    ...[...(process.env.PATH ?? '').split(path.delimiter), '/usr/sbin'].map((folder) => path.join(folder, 'pgbouncer')),
  ].find((file) => existsSync(file));

/** pgbouncer in front of a database, as somebody who is not root. It logs in as each role itself. */
function startPooler(pooler, folder, port, urls) {
  const target = new URL(urls.gateway);
  const users = Object.values(urls).map((url) => new URL(url));
  const file = path.join(folder, 'pgbouncer.ini');
  const list = path.join(folder, 'users.txt');
  writeFileSync(list, users.map((url) => `"${url.username}" "${url.password}"\n`).join(''));
  writeFileSync(
    file,
    `[databases]
causeway = host=${target.hostname} port=${target.port} dbname=causeway
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = plain
auth_file = ${list}
pool_mode = transaction
default_pool_size = ${SERVER_CONNECTIONS}
max_client_conn = 500
`,
  );
  for (const readable of [file, list]) chmodSync(readable, 0o644);
  const args = process.getuid?.() === 0 ? ['-u', 'nobody', file] : [file];
  return start('pgbouncer', pooler, args, process.env);
}

/** Creates orders at once and asks for each. @returns how many answers had which status */
async function burst({ merchantApi, merchant, accounts }) {
  const statuses = {};
  const call = async (method, route, fields) => {
    const timestamp = String(Math.floor(Date.now() / 1000));
    const text = Object.entries({ ...fields, timestamp })
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, value]) => `${name}=${value}`)
      .join('&');
    const query = method === 'GET' ? `?${new URLSearchParams(fields)}` : '';
    const answer = await fetch(`${merchantApi}${route}${query}`, {
      method,
      headers: {
        ...{ 'content-type': 'application/json', 'x-api-key': merchant.apiKey },
        'x-timestamp': timestamp,
        'x-signature': createHash('md5')
          .update(text + merchant.apiKey)
          .digest('hex'),
      },
      ...(method === 'POST' && { body: JSON.stringify(fields) }),
    });
    statuses[answer.status] = (statuses[answer.status] ?? 0) + 1;
    await answer.arrayBuffer();
  };
  await Promise.all(
    Array.from({ length: AT_ONCE }, async (_, n) => {
      const merchant_order_no = `pooled-${n}`;
      await call('POST', '/orders/deposit', {
        ...{ merchant_order_no, amount: `${100 + n}.00`, user_id: `payer-${n}` },
        ...{ currency_code: accounts[0].currencyCode, callback_url: 'http://127.0.0.1:9/nobody' },
      });
      await call('GET', '/query/deposit', { merchant_order_no });
    }),
  );
  return statuses;
}

/** @throws with the first fault */
export async function checkPooler(pooler, say) {
  const prepare = async ({ folder, admin, urls, programs, freePort }) => {
    for (const role of ROLES)
      for (const [name, value] of [
        ['lock_timeout', '2s'],
        ['statement_timeout', '15s'],
        ['idle_in_transaction_session_timeout', '4s'],
      ])
        await admin.unsafe(`alter role causeway_${role} set ${name} = '${value}'`);
    const port = await freePort();
    programs.push(startPooler(pooler, folder, port, urls));
    return (role) => {
      const url = new URL(urls[role]);
      url.port = String(port);
      return { DATABASE_URL: url.href, DATABASE_POOLER: 'true' };
    };
  };
  const play = async ({ sandbox, admin, runDemo }) => {
    await runDemo();
    say('pgbouncer: a deposit from its request to its callback');
    const statuses = await burst(sandbox);
    if (JSON.stringify(statuses) !== JSON.stringify({ 200: AT_ONCE, 201: AT_ONCE }))
      throw new Error(`${AT_ONCE} creates and queries at once: ${JSON.stringify(statuses)}`);
    // No more than the pooler may hold for three users: past it they would hold up to 28 each.
    const [{ count }] = await admin`
      select count(*)::int from pg_stat_activity where usename like 'causeway\\_%'`;
    if (count > SERVER_CONNECTIONS * ROLES.length) throw new Error(`${count} connections: some go past the pooler`);
    say(`pgbouncer: ${AT_ONCE} creates and queries at once: ${JSON.stringify(statuses)}`);
  };
  await onPlatform('pooler', { prepare, play }, say);
}
