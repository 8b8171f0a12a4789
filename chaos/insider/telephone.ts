import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { until } from '../until';
import { newAgent } from './agents';
import { Forwarder } from './forwarder';
import type { House } from './house';

/** A telephone that forwards its bank's messages about an account in BDT. */
export interface Telephone {
  readonly accountId: string;
  readonly forwarder: Forwarder;
}

/** A new device shows itself within this, milliseconds. */
const SEEN_MS = 30_000;

/** Sets up the account, its published pattern, and the paired telephone with the forwarder on it. */
export async function telephoneOf(house: House): Promise<Telephone> {
  const { as, byTwo, linkOf, gateway, sql } = house;
  await byTwo('CreateBankAccount', {
    input: {
      name: 'Wallet',
      bankCode: 'BKASH',
      bankName: 'bKash',
      accountNo: '900000003',
      accountHolder: 'Causeway',
      currencyCode: 'BDT',
    },
  });
  const [row] = await sql<{ id: string }[]>`
    select id from bank_accounts where currency_code = 'BDT'`;
  const accountId = row?.id ?? '';
  const patterns = await as('owner').run<readonly { name: string }[]>('PublishedTextPatterns');
  const input = patterns.find(({ name }) => name === 'bKash received');
  await byTwo('PutTextPattern', { input });
  const { input: asked } = newAgent('telephone', accountId);
  await byTwo('CreateAgentKey', { input: asked });
  const link = `${gateway}/cashier/agents#${await linkOf(asked.ownerEmail)}`;
  const folder = mkdtempSync(path.join(tmpdir(), 'causeway-telephone-'));
  const forwarder = await Forwarder.start(folder, gateway, link);
  const { deviceId } = forwarder;
  const find = async (): Promise<{ id: string } | undefined> => {
    const devices = await as('owner').run<readonly { id: string; deviceId: string }[]>('AgentDevices');
    return devices.find((device) => device.deviceId === deviceId);
  };
  await until(async () => (await find()) !== undefined, SEEN_MS);
  await as('owner').run('PairDevice', { id: (await find())?.id, reason: 'ours' });
  return { accountId, forwarder };
}
