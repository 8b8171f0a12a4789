import { randomBytes, randomUUID } from 'node:crypto';
import type { Sql } from 'postgres';
import { OperatorClient } from '../../local/operator-client';
import { loadSecrets } from '../../local/secrets';
import type { Platform } from '../platform';
import { merchantSignature, unixSeconds } from '../signing';
import { type AgentLogin, newAgent, signedBy } from './agents';
import type { House } from './house';
import { enrolAgent, fetchSecret, mailedToken } from './owner';
import { INSIDERS } from './thefts';

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

async function post(url: string, headers: Record<string, string>, body: string): Promise<Record<string, unknown>> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body,
  });
  const answer = (await response.json()) as { data?: Record<string, unknown> | null };
  if (!response.ok) throw new Error(`${response.status} ${JSON.stringify(answer)}`);
  return answer.data ?? answer;
}

/**
 * Provisions the platform as in production: people with passkeys, two merchants, accounts and their agents.
 * @throws if an honest credit is not matched
 */
export async function furnish(platform: Platform, sql: Sql, folder: string, mails: string): Promise<House> {
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
  const byTwo = async <Result>(name: string, variables: Record<string, unknown>): Promise<Result> => {
    const proposed = await as('owner').run<{ change: { id: string } }>(name, {
      reason: 'house',
      ...variables,
    });
    await as('honest').run('ApproveChange', { id: proposed.change.id, reason: 'house' });
    return proposed as Result;
  };
  const [gateway = ''] = platform.gatewayUrls;
  const create: House['create'] = async (kind, apiKey, fields) => {
    const body = {
      merchant_order_no: randomUUID(),
      currency_code: 'THB',
      callback_url: 'https://merchant.example/callback',
      ...fields,
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
      account_id: accountId,
      currency_code: 'THB',
      bank_reference: randomUUID(),
      memo: '',
      bank_time: new Date().toISOString(),
      ...fields,
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
        merchantCode: code,
        name: code,
        settings: { canWithdraw: true },
        currencies: [
          { currencyCode: 'THB', cashierAmounts: { denominations: ['37'] } },
          { currencyCode: 'INR' },
          { currencyCode: 'BDT' },
        ],
      },
    });
    const [row] = await sql<{ id: string }[]>`select id from merchants where merchant_code = ${code}`;
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
      name: 'Ours',
      bankCode: 'KBANK',
      bankName: 'Kasikornbank',
      accountNo: '900000001',
      accountHolder: 'Causeway',
      currencyCode: 'THB',
    },
  });
  await byTwo('PutBanks', {
    currencyCode: 'THB',
    banks: [{ bankCode: 'KBANK', name: 'Kasikornbank' }],
  });
  await byTwo('CreateBankAccount', {
    input: {
      name: 'Shared',
      bankCode: 'SBI',
      bankName: 'State Bank',
      accountNo: '900000002',
      accountHolder: 'Causeway',
      currencyCode: 'INR',
      mode: 'FLOAT',
      float: { step: '0.01', up: '0.01', down: '0' },
    },
  });
  const accounts = await sql<{ id: string; currency: string }[]>`
    select id, currency_code as currency from bank_accounts`;
  const accountIn = (currency: string): string => accounts.find((one) => one.currency === currency)?.id ?? '';
  const accountId = accountIn('THB');
  const linkOf: House['linkOf'] = async (to) => await mailedToken(mails, to, 'agents');
  const enrol: House['enrol'] = async (to, publicKey) => {
    await enrolAgent(gateway, await linkOf(to), publicKey);
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
    merchantId: evil.id,
    currencyCode: 'THB',
    amount: '1900',
    evidence: { text: 'of its own' },
  });
  // Honest business must continue: otherwise nothing below would prove anything.
  const honest = await create('deposit', victim.apiKey, { amount: '20.00' });
  await credit(agent, { amount: '20.00', memo: honest.remark });
  const [paid] = await sql<{ status: string }[]>`
    select status from deposit_orders where order_no = ${honest.order_no}`;
  if (paid?.status === 'PENDING') throw new Error('an honest credit was not matched');
  return {
    sql,
    as,
    byTwo,
    enrol,
    linkOf,
    gateway,
    accountId,
    float,
    evil,
    victim,
    create,
    credit,
    agent,
  };
}
