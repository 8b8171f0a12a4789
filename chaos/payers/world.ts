import { randomUUID } from 'node:crypto';
import { OperatorClient } from '../../local/operator-client';
import { loadSecrets } from '../../local/secrets';
import type { AgentKey } from '../bank';
import { MerchantHands, Person } from '../books/hands';
import { STATEMENT_COLUMNS } from '../books/judge';
import { Gateways } from '../gateways';
import { Patience } from '../patience';
import type { Platform } from '../platform';
import { agentSignature, unixSeconds } from '../signing';
import { MODES, type Mode } from './modes';

/** An account, its mode and the device or agent that watches it. */
export interface Watched {
  readonly mode: Mode;
  readonly id: string;
  readonly accountNo: string;
  /** Posts as the account's agent until it is answered below 500. */
  readonly tell: (path: string, body: Readonly<Record<string, unknown>>) => Promise<number>;
}

/** Everything that the campaign uses. */
export interface World {
  readonly merchant: MerchantHands;
  readonly person: Person;
  readonly accounts: readonly Watched[];
  /** The mapping of the CSV statement. */
  readonly mappingId: string;
  readonly close: () => Promise<void>;
}

const MANY = 1_000_000;
const ANSWERED_WITHIN_MS = 60_000;

/** Signs as an agent, and repeats a request until it is answered. */
const teller =
  (gateways: Gateways, agent: AgentKey): Watched['tell'] =>
  async (path, fields) => {
    const body = JSON.stringify(fields);
    const patience = new Patience(ANSWERED_WITHIN_MS);
    for (;;) {
      const [timestamp, nonce] = [unixSeconds(), randomUUID()];
      const { status } = await gateways.ask(
        ...(['POST', path] as const),
        {
          'x-agent-key': agent.keyId,
          'x-agent-timestamp': timestamp,
          'x-agent-nonce': nonce,
          'x-agent-signature': agentSignature(agent.secret, timestamp, nonce, body),
        },
        body,
      );
      if ((status !== 0 && status < 500) || patience.isOver) return status;
      await patience.pause();
    }
  };

async function makeMerchant(person: Person, gateways: Gateways): Promise<MerchantHands> {
  const { merchant } = await person.decides<{ merchant: { id: string } }>('CreateMerchant', {
    input: {
      merchantCode: 'PAYERS',
      name: 'PAYERS',
      currencies: MODES.map(({ currency }) => ({ currencyCode: currency })),
      settings: {
        allowInsecureCallbacks: true,
        maxOpenDeposits: MANY,
        depositExpireMinutes: 60,
      },
    },
  });
  const { apiKey } = await person.decides<{ apiKey: string }>('IssueApiKey', {
    merchantId: merchant.id,
  });
  return new MerchantHands(gateways, apiKey);
}

async function makeAccount(person: Person, gateways: Gateways, mode: Mode, n: number) {
  const accountNo = `80000000${n}`;
  const { account } = await person.decides<{ account: { id: string } }>('CreateBankAccount', {
    input: {
      name: mode.name,
      bankCode: mode.bankCode,
      bankName: 'Bank',
      accountNo,
      accountHolder: 'Causeway',
      currencyCode: mode.currency,
      mode: mode.mode,
      limits: { maxOpenDeposits: MANY },
      ...(mode.mode === 'FLOAT' && {
        float: {
          step: mode.decimals === 0 ? '1' : '0.01',
          up: mode.decimals === 0 ? '99' : '0.99',
          down: '0',
        },
      }),
    },
  });
  const agent = await person.decides<AgentKey>('CreateAgentKey', {
    input: { label: mode.name, accountIds: [account.id] },
  });
  return { mode, accountNo, id: account.id, tell: teller(gateways, agent) };
}

/** Puts the bank's published pattern in force, and pairs the account's device. */
async function readMessages(person: Person, { mode, tell }: Watched): Promise<void> {
  const patterns = await person.does<readonly { readonly name: string }[]>('PublishedTextPatterns');
  const input = patterns.find(({ name }) => name === mode.pattern);
  if (!input) throw new Error(`no pattern ${mode.pattern ?? ''} is published`);
  await person.decides('PutTextPattern', { input });
  await tell('/agent-heartbeats', { device_id: mode.bankCode });
  const devices = await person.does<readonly { id: string; deviceId: string }[]>('AgentDevices');
  const device = devices.find(({ deviceId }) => deviceId === mode.bankCode);
  await person.takes('PairDevice', { id: device?.id, reason: 'ours' });
}

const MAPPING = {
  name: 'payers',
  bankCode: 'CSVB',
  dateFormat: 'YYYY-MM-DD',
  columns: STATEMENT_COLUMNS,
};

/** A merchant, an account of each mode with its agent, and an operator, through the operators' GraphQL. */
export async function makeWorld(platform: Platform, folder: string): Promise<World> {
  const { OPERATOR_LOGIN: login, OPERATOR_PASSWORD: password } = loadSecrets(folder, {});
  const client = new OperatorClient(platform.graphqlUrl);
  await client.login(login, password);
  const person = new Person(client, () => undefined);
  const gateways = new Gateways(platform.gatewayUrls);
  const merchant = await makeMerchant(person, gateways);
  const accounts: Watched[] = [];
  for (const [n, mode] of MODES.entries()) accounts.push(await makeAccount(person, gateways, mode, n));
  for (const account of accounts) if (account.mode.witness === 'message') await readMessages(person, account);
  const { id: mappingId } = await person.decides<{ id: string }>('PutStatementMapping', {
    input: MAPPING,
  });
  const close = async (): Promise<void> => {
    await gateways.close();
  };
  return { merchant, person, accounts, mappingId, close };
}
