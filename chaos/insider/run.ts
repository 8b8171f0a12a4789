import { randomBytes, randomUUID } from 'node:crypto';
import path from 'node:path';
import postgres, { type Sql } from 'postgres';
import { catchMails, type MailCatcher } from '../../local/mail-catcher';
import { OperatorClient } from '../../local/operator-client';
import { loadSecrets } from '../../local/secrets';
import { takeFreshFolder } from '../fresh-folder';
import { Platform } from '../platform';
import { until } from '../until';
import { merchantSignature, unixSeconds } from '../signing';
import { type AgentLogin, newAgent, signedBy } from './agents';
import { CLAIMS } from './claims';
import type { Allowance, House } from './house';
import { MORE } from './more';
import { enrolAgent, fetchSecret, mailedToken } from './owner';
import { REPORTS } from './reports';
import { INSIDERS, THEFTS } from './thefts';

/** Its entry in the list of `npm run chaos`. */
export const INSIDER = {
  name: 'insider',
  about: 'one or two operators try to steal money, on a platform with the settings of production',
} as const;

/** The settings of production, with one hour of cooling and small daily amounts. */
const PRODUCTION = {
  ...{ CAUSEWAY_ENV: 'production', COOLING_HOURS: '1' },
  ...{
    TRUSTED_PROXIES: '127.0.0.1',
    CONSOLE_URL: 'https://console.example/',
  },
  ...{ CASHIER_URL: 'https://pay.example/cashier', DAY_AMOUNTS: 'THB=1000:2000:9999999:160' },
};

/** Adds the insiders with the first operator's password: in production only invitations create people. */
async function addPeople(sql: Sql, owner: string): Promise<void> {
  for (const [login, roles] of Object.entries(INSIDERS)) {
    await sql`
      with made as (
        insert into operators (id, login, password_hash, created_at)
        select ${randomUUID()}, ${login}, password_hash, created_at from operators where login = ${owner}
        returning id)
      insert into operator_roles (operator_id, role) select made.id, unnest(${roles as string[]}::text[]) from made`;
  }
}

async function post(
  url: string,
  headers: Record<string, string>,
  body: string,
): Promise<Record<string, unknown>> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body,
  });
  const answer = (await response.json()) as { data?: Record<string, unknown> | null };
  if (!response.ok) throw new Error(`${response.status} ${JSON.stringify(answer)}`);
  return answer.data ?? answer;
}

async function furnish(
  platform: Platform,
  sql: Sql,
  folder: string,
  mails: string,
): Promise<House> {
  const { OPERATOR_LOGIN: first, OPERATOR_PASSWORD: password } = loadSecrets(folder, {});
  await sql`insert into roles (name, permissions, approve_limits, built_in)
    values ('small', ${['VIEW', 'APPROVE']}, ${sql.json({ THB: '1000' })}, false)`;
  await addPeople(sql, first);
  const clients = new Map<string, OperatorClient>();
  for (const login of Object.keys(INSIDERS)) {
    const client = new OperatorClient(platform.graphqlUrl);
    await client.login(login, password);
    clients.set(login, client);
  }
  // Each has a passkey, as production demands of approvers, and has just shown it: their sessions stay valid.
  await sql`
    insert into operator_passkeys (id, operator_id, credential_id, public_key, counter, transports, label, created_at)
    select gen_random_uuid(), id, id, 'added elsewhere', 0, '{}', 'added elsewhere', created_at from operators`;
  await sql`
    update operator_sessions set factor_at = expires_at, passkey_at = expires_at`;
  const as = (who: string): OperatorClient => {
    const client = clients.get(who);
    if (!client) throw new Error(`there is no operator ${who}`);
    return client;
  };
  const byTwo = async <Result>(
    name: string,
    variables: Record<string, unknown>,
  ): Promise<Result> => {
    const proposed = await as('owner').run<{ change: { id: string } }>(name, {
      ...{ reason: 'house', ...variables },
    });
    await as('honest').run('ApproveChange', { id: proposed.change.id, reason: 'house' });
    return proposed as Result;
  };
  const [gateway = ''] = platform.gatewayUrls;
  const create: House['create'] = async (kind, apiKey, fields) => {
    const body = {
      ...{ merchant_order_no: randomUUID(), currency_code: 'THB' },
      ...{ callback_url: 'https://merchant.example/callback', ...fields },
    };
    const timestamp = unixSeconds();
    const signature = merchantSignature({ ...body, timestamp }, apiKey);
    return (await post(
      `${gateway}/api/v1/merchant/orders/${kind}`,
      { 'x-api-key': apiKey, 'x-timestamp': timestamp, 'x-signature': signature },
      JSON.stringify(body),
    )) as { order_no: string };
  };
  const credit: House['credit'] = async (key, fields) => {
    const body = JSON.stringify({
      ...{ account_id: accountId, currency_code: 'THB', bank_reference: randomUUID(), memo: '' },
      ...{ bank_time: new Date().toISOString(), ...fields },
    });
    const [timestamp, nonce] = [unixSeconds(), randomBytes(16).toString('hex')];
    await post(`${gateway}/bank-notifications`, signedBy(key, timestamp, nonce, body), body);
    const [row] = await sql<{ id: string }[]>`
      select id from bank_transfers order by received_at desc, id desc limit 1`;
    return row?.id ?? '';
  };
  const merchant = async (code: string): Promise<House['evil']> => {
    await byTwo('CreateMerchant', {
      input: {
        ...{ merchantCode: code, name: code, settings: { canWithdraw: true } },
        currencies: [
          { currencyCode: 'THB', cashierAmounts: { denominations: ['37'] } },
          { currencyCode: 'INR' },
        ],
      },
    });
    const [row] = await sql<
      { id: string }[]
    >`select id from merchants where merchant_code = ${code}`;
    // In production the owner alone gets the key, by a link.
    const merchantId = row?.id ?? '';
    const owner = `owner@${code.toLowerCase()}.example`;
    await byTwo('PutEventAddresses', {
      input: { event: 'tenant_owner_invite', merchantId, mails: [owner] },
    });
    await byTwo('IssueApiKey', { merchantId });
    const usedToken = await mailedToken(mails, owner);
    return { id: merchantId, apiKey: await fetchSecret(gateway, usedToken), usedToken };
  };
  await byTwo('CreateBankAccount', {
    input: {
      ...{ name: 'Ours', bankCode: 'KBANK', bankName: 'Kasikornbank', accountNo: '900000001' },
      ...{ accountHolder: 'Causeway', currencyCode: 'THB' },
    },
  });
  await byTwo('PutBanks', {
    ...{ currencyCode: 'THB', banks: [{ bankCode: 'KBANK', name: 'Kasikornbank' }] },
  });
  await byTwo('CreateBankAccount', {
    input: {
      ...{ name: 'Shared', bankCode: 'SBI', bankName: 'State Bank', accountNo: '900000002' },
      ...{ accountHolder: 'Causeway', currencyCode: 'INR', mode: 'FLOAT' },
      float: { step: '0.01', up: '0.01', down: '0' },
    },
  });
  const accounts = await sql<{ id: string; currency: string }[]>`
    select id, currency_code as currency from bank_accounts`;
  const accountIn = (currency: string): string =>
    accounts.find((one) => one.currency === currency)?.id ?? '';
  const accountId = accountIn('THB');
  const enrol: House['enrol'] = async (to, publicKey) => {
    await enrolAgent(gateway, await mailedToken(mails, to, 'agents'), publicKey);
  };
  const agentOf = async (label: string, watched: string): Promise<AgentLogin> => {
    const { input, publicKey, privateKey } = newAgent(label, watched);
    const { keyId } = await byTwo<{ keyId: string }>('CreateAgentKey', { input });
    await enrol(input.ownerEmail, publicKey);
    return { keyId, privateKey };
  };
  const agent = await agentOf('ours', accountId);
  const shared = accountIn('INR');
  const agents = [await agentOf('messages', shared), await agentOf('statements', shared)] as const;
  const float = { accountId: shared, agents };
  const [evil, victim] = [await merchant('EVIL'), await merchant('VICTIM')];
  // EVIL gets money of its own, so that it may request withdrawals; less than an approver's daily amount.
  await byTwo('TopUpBalance', {
    ...{ merchantId: evil.id, currencyCode: 'THB', amount: '1900' },
    evidence: { text: 'of its own' },
  });
  // Honest business must continue: otherwise nothing below would prove anything.
  const honest = await create('deposit', victim.apiKey, { amount: '20.00' });
  await credit(agent, { amount: '20.00', memo: honest.remark });
  const [paid] = await sql<{ status: string }[]>`
    select status from deposit_orders where order_no = ${honest.order_no}`;
  if (paid?.status === 'PENDING') throw new Error('an honest credit was not matched');
  return { sql, as, byTwo, enrol, gateway, accountId, float, evil, victim, create, credit, agent };
}

/** What the insiders have got until now, and what operators may do. */
const takings = async (sql: Sql, evil: string): Promise<string> => {
  const [row] = await sql<{ all: string }[]>`
    select concat_ws(' ',
      (select sum(available + frozen) from merchant_balances where merchant_id = ${evil}),
      (select count(*) from deposit_orders where merchant_id = ${evil} and status in ('MATCHED', 'COMPLETED')),
      (select count(*) from withdrawal_orders where merchant_id = ${evil} and status in ('APPROVED', 'COMPLETED')),
      (select count(*) from operators), (select count(*) from operator_roles),
      (select count(*) from operator_links), (select count(*) from api_tokens where 'RECONCILE' = any(scopes))) as all`;
  return row?.all ?? '';
};

/** An honest payer's money is credited within this. */
const CREDITED_MS = 30_000;
/** Decisions that are carried out later would count for another theft. */
async function rests(sql: Sql): Promise<void> {
  await until(async () => {
    const [row] = await sql<{ open: boolean }[]>`
      select exists (select from withdrawal_decisions d join withdrawal_orders w on w.id = d.withdrawal_id
        where d.applied_at is null and w.status = 'PENDING' and w.people_needed <= (
          select count(*) from withdrawal_decisions o where o.withdrawal_id = w.id)) as open`;
    return row?.open === false;
  }, CREDITED_MS);
}

/** Refusals that say nothing of a rule: the platform failed, or the play is wrong. */
const NOT_PLAYED = /INTERNAL_ERROR|internal error|UNAVAILABLE|is required|fetch failed/;

const NOTHING: Allowance = { amount: 0, approvals: 0 };

/** Plays each theft and prints its result. @returns whether nothing was stolen */
export async function runInsider({
  folder,
  env,
  say,
  signal,
}: {
  readonly folder: string;
  readonly env: NodeJS.ProcessEnv;
  readonly say: (line: string) => void;
  readonly signal: AbortSignal;
}): Promise<boolean> {
  const release = await takeFreshFolder(folder);
  let platform: Platform | undefined;
  let sql: Sql | undefined;
  let catcher: MailCatcher | undefined;
  try {
    const mails = path.join(folder, 'mails');
    catcher = await catchMails(mails);
    const settings = { ...env, ...PRODUCTION, SMTP_URL: catcher.url };
    platform = await Platform.start(
      ...([folder, settings, { gateways: 1, workers: 1 }, signal] as const),
    );
    sql = postgres(platform.databaseUrl, { max: 1 });
    const house = await furnish(platform, sql, folder, mails);
    say('set up: two honest operators, and insiders');
    let stolen = 0;
    const all = [...THEFTS, ...REPORTS, ...CLAIMS, ...MORE];
    for (const { name, row, allows = NOTHING, play, rightly, takes } of all) {
      await rests(sql);
      const before = await takings(sql, house.evil.id);
      let got: unknown;
      const refused = await play(house).then(
        (result) => {
          got = result;
          return 'it was not refused';
        },
        (error: unknown) => (error as Error).message,
      );
      await rests(sql);
      const after = await takings(sql, house.evil.id);
      const credited = !rightly || (await until(async () => await rightly(house), CREDITED_MS));
      const fell = NOT_PLAYED.test(refused);
      const held = isWithin(before, after, allows) && credited && takes?.(got) !== true && !fell;
      if (!held) stolen++;
      say(`${held ? 'held  ' : 'STOLEN'} ${name} [${row}]: ${refused.slice(0, 120)}`);
      if (!credited) say('       an honest payment was not credited');
      if (fell) say('       it was not refused by a rule: it could not be played');
      else if (!held) say(`       ${before} became ${after}`);
    }
    process.stdout.write(`thefts=${all.length} stolen=${stolen}\n`);
    return stolen === 0;
  } finally {
    await sql?.end({ timeout: 1 });
    await platform?.stop();
    await catcher?.close();
    release();
  }
}

/** Whether nothing was stolen beyond it. */
function isWithin(before: string, after: string, { amount, approvals }: Allowance): boolean {
  const [was = [], is = []] = [before, after].map((text) => text.split(' ').map(Number));
  const most = [amount, 0, approvals, 0, 0, 0, 0];
  return most.every((limit, n) => (is[n] ?? 0) - (was[n] ?? 0) <= limit);
}
