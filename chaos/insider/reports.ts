import { until } from '../until';
import { type AgentLogin, newAgent } from './agents';
import type { House } from './house';
import type { Theft } from './thefts';

const SHARED = '821.00';
const CREDITED_MS = 30_000;

/** Credits an honest payer of the victim through the first agent, then lets three hours pass. */
async function creditVictim({ create, credit, float, sql, victim }: House): Promise<void> {
  const asked = { amount: SHARED, currency_code: 'INR' };
  const { order_no: orderNo, amount } = await create('deposit', victim.apiKey, asked);
  const [first] = float.agents;
  const said = { account_id: float.accountId, currency_code: 'INR', amount };
  await credit(first, { ...said, bank_reference: 'UTR-0001-A' });
  const isCredited = async (): Promise<boolean> => {
    const [row] = await sql<{ status: string }[]>`
      select status from deposit_orders where order_no = ${orderNo}`;
    return row?.status === 'COMPLETED';
  };
  // A credit whose report is under way would look hours late.
  if (!(await until(isCredited, CREDITED_MS))) throw new Error('an honest payer was not credited');
  await sql`
    update bank_transfers set bank_time = bank_time - interval '3 hours',
      received_at = received_at - interval '3 hours' where account_id = ${float.accountId}`;
  await sql`
    update deposit_orders set created_at = created_at - interval '3 hours', expire_at = expire_at - interval '3 hours',
      matched_at = matched_at - interval '3 hours', completed_at = completed_at - interval '3 hours'
    where order_no = ${orderNo}`;
}

/** The thief requests the same amount, and the victim's money is reported again. */
async function reportAgain(
  { create, credit, evil, float }: House,
  agent: AgentLogin,
  bank_reference: string | null,
): Promise<void> {
  for (let n = 0; n < 3; n++) {
    const asked = { amount: SHARED, currency_code: 'INR' };
    // One of the orders gets the amount again if no other is free.
    await create('deposit', evil.apiKey, asked).catch(() => null);
  }
  const said = { account_id: float.accountId, currency_code: 'INR', amount: SHARED };
  await credit(agent, { ...said, bank_reference });
}

let orderOfVictim = '';
/** An honest payer's order, and the report of its bank. */
async function pays({ create, victim }: House, reference: string) {
  const made = await create('deposit', victim.apiKey, { amount: '31.00' });
  orderOfVictim = made.order_no;
  return { amount: '31.00', memo: made.remark, bank_reference: reference };
}
const isCredited = async ({ sql }: House): Promise<boolean> => {
  const [row] = await sql<{ status: string }[]>`
    select status from deposit_orders where order_no = ${orderOfVictim}`;
  return row?.status === 'COMPLETED';
};
const enters = async (
  { as, accountId }: House,
  memo: string,
  { amount, bank_reference: bankReference }: { amount: string; bank_reference: string },
): Promise<unknown> =>
  await as('rita').run('RecordBankNotification', {
    input: {
      accountId,
      amount,
      currencyCode: 'THB',
      memo,
      bankReference,
      bankTime: new Date().toISOString(),
    },
  });

/** M8 and M9 of the review: one credit reported twice, and poor reports that come first. */
export const REPORTS: readonly Theft[] = [
  {
    name: 'M8: the other agent reports a credit of hours ago under another reference',
    row: 'createAgentKey',
    play: async (house) => {
      await creditVictim(house);
      await reportAgain(house, house.float.agents[1], 'STMT 77');
    },
  },
  {
    name: 'M8: and without a reference',
    row: 'createAgentKey',
    play: async (house) => {
      await reportAgain(house, house.float.agents[1], null);
    },
  },
  {
    name: 'M8: the same agent writes the reference in another way',
    row: 'createAgentKey',
    play: async (house) => {
      await reportAgain(house, house.float.agents[0], 'utr 0001a');
    },
  },
  {
    name: 'M9: a person enters the payer’s money first, without its memo',
    row: 'recordBankNotification',
    play: async (house) => {
      const report = await pays(house, 'FT-9-1');
      await enters(house, '', report);
      await house.credit(house.agent, report);
    },
    rightly: isCredited,
  },
  {
    name: 'M9: a person enters it first, with the remark of another order',
    row: 'recordBankNotification',
    play: async (house) => {
      const report = await pays(house, 'FT-9-2');
      const own = await house.create('deposit', house.evil.apiKey, { amount: '31.00' });
      await enters(house, own.remark ?? '', report);
      await house.credit(house.agent, report);
    },
    rightly: isCredited,
  },
  {
    name: 'M9: a key with a ceiling of 1.00 reports it first',
    row: 'createAgentKey',
    play: async (house) => {
      const { input, publicKey, privateKey } = newAgent('weak', house.accountId, '1.00');
      const weak = await house.byTwo<{ keyId: string }>('CreateAgentKey', { input });
      await house.enrol(input.ownerEmail, publicKey);
      const report = await pays(house, 'FT-9-3');
      await house.credit({ ...weak, privateKey }, report);
      await house.credit(house.agent, report);
    },
    rightly: isCredited,
  },
];
