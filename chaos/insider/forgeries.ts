import { readFileSync } from 'node:fs';
import path from 'node:path';
import { until } from '../until';
import { newAgent } from './agents';
import type { House } from './house';
import { approve, evidence, REASON, type Theft } from './thefts';

type Proposed = { change: { id: string } };

/** The point of order one: under it, one signature is valid for every text. */
const LOW_ORDER = Buffer.concat([Buffer.from([1]), Buffer.alloc(31)]);
/** What comes before the 32 bytes of an Ed25519 key in SPKI. */
const SPKI = Buffer.from('302a300506032b6570032100', 'hex');

/** A provider's mapping in which a text that a merchant chooses is written as a number. */
function mappingWithNumber(): object {
  const file = path.join(__dirname, '../../../docs/mappings/hmac-json.json');
  const mapping = JSON.parse(readFileSync(file, 'utf8')) as {
    operations: { sendPayout: { fields: object[] } };
  };
  mapping.operations.sendPayout.fields.push({
    to: '/receiver_account_no',
    value: '{beneficiary_account}',
    as: 'number',
  });
  return mapping;
}

async function mappedChannel(house: House): Promise<string> {
  await house.byTwo('CreateChannel', {
    input: {
      channelCode: 'provider',
      kind: 'HTTP',
      mapped: true,
      settings: {
        name: 'provider',
        currencies: ['THB'],
        address: {
          baseUrl: 'https://provider.example',
          keyId: 'ours',
          secret: 'of the provider alone',
        },
      },
    },
  });
  const [row] = await house.sql<{ id: string }[]>`
    select id from channels where channel_code = 'provider'`;
  if (!row) throw new Error('a channel is required');
  return row.id;
}

/** Requests, keys and money that are not what they seem. */
export const FORGERIES: readonly Theft[] = [
  {
    name: 'channels: a mapping writes a merchant’s text as a number',
    row: 'putChannelMapping',
    play: async (house) => {
      const channelId = await mappedChannel(house);
      const { version } = await house.as('carl').run<{ version: number }>('SaveChannelMapping', {
        channelId,
        mapping: mappingWithNumber(),
        note: 'the provider wants a number',
      });
      const tried = await house
        .as('carl')
        .run<{ trial: { passed: boolean } | null }>('TryChannelMapping', { channelId, version });
      if (tried.trial?.passed === false) throw new Error('the kit does not pass');
      return version;
    },
    takes: (version) => version !== undefined,
  },
  {
    name: 'agents: a key of low order, for which everybody can sign',
    row: 'createAgentKey',
    play: async (house) => {
      const { input } = newAgent('low', house.accountId);
      const { keyId } = await house.byTwo<{ keyId: string }>('CreateAgentKey', { input });
      const publicKey = Buffer.concat([SPKI, LOW_ORDER]).toString('base64');
      await house.enrol(input.ownerEmail, publicKey);
      return keyId;
    },
    takes: (enrolled) => enrolled !== undefined,
  },
  {
    name: 'late money: of an order that was paid, to another merchant',
    row: 'creditLateMoney',
    play: async (house) => {
      const asked = await house.create('deposit', house.victim.apiKey, { amount: '33.00' });
      const said = { amount: '33.00', memo: asked.remark };
      await house.credit(house.agent, { ...said, bank_reference: 'PAID-33' });
      const isPaid = async (): Promise<boolean> => {
        const [row] = await house.sql<{ status: string }[]>`
          select status from deposit_orders where order_no = ${asked.order_no}`;
        return row?.status === 'COMPLETED';
      };
      if (!(await until(isPaid, 30_000))) throw new Error('a paid order is required');
      const transferId = await house.credit(house.agent, { ...said, bank_reference: 'AGAIN-33' });
      const { change } = await house.as('tess').run<Proposed>('CreditLateMoney', {
        transferId,
        merchantId: house.evil.id,
        reason: REASON,
        evidence,
      });
      return await approve(house, 'approver', change.id);
    },
  },
];
