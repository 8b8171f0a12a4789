import { fetchSecret } from './owner';
import type { House } from './house';
import { approve, enter, evidence, REASON, type Theft, withdraw } from './thefts';

type Proposed = { change: { id: string } };

/** An insider who configures proposes something, and another one approves it. */
async function together(
  house: House,
  [name, variables]: readonly [string, Record<string, unknown>],
  by: string,
): Promise<Record<string, unknown>> {
  const proposed = await house.as('carl').run<Proposed & Record<string, unknown>>(name, {
    reason: REASON,
    ...variables,
  });
  await approve(house, by, proposed.change.id);
  return proposed;
}

/** A person who has just opened a way for money approves the withdrawal that uses it. */
const opensAndApproves =
  (by: string, account: string, step: (house: House) => readonly [string, Record<string, unknown>]) =>
  async (house: House): Promise<unknown> => {
    const orderNo = await withdraw(house, '100.00', account);
    await together(house, step(house), by);
    return await house.as(by).run('ApproveWithdrawal', { orderNo });
  };

const topUp = async ({ as, evil }: House, amount: string): Promise<string> =>
  (
    await as('tess').run<Proposed>('TopUpBalance', {
      merchantId: evil.id,
      currencyCode: 'THB',
      amount,
      reason: 'wire',
      evidence,
    })
  ).change.id;

/** Attempts beyond those of the review. */
export const MORE: readonly Theft[] = [
  {
    name: 'keys: who proposes and who approves a key see it',
    row: 'issueApiKey',
    play: async (house) => {
      const { apiKey } = await together(...([house, ['IssueApiKey', { merchantId: house.victim.id }], 'una'] as const));
      if (apiKey !== null) return apiKey;
      const links = await house.sql<{ id: string; token_hash: string | null }[]>`
        select id, token_hash from secret_links where merchant_id = ${house.victim.id}`;
      for (const { id, token_hash: hash } of links)
        for (const token of [id, hash ?? '', hash?.split('.')[1] ?? '']) {
          const got = await fetchSecret(house.gateway, token).catch(() => null);
          if (got !== null) return got;
        }
      throw new Error('the answer has no key, and no row has a link');
    },
    takes: (key) => typeof key === 'string',
  },
  {
    name: 'keys: the owner’s mail is read after its link was used',
    row: 'issueApiKey',
    play: async (house) => await fetchSecret(house.gateway, house.evil.usedToken),
    takes: (key) => typeof key === 'string',
  },
  {
    name: 'keys: two turn the owner’s address to their own, and have the keys replaced',
    row: 'putEventAddresses',
    play: async (house) => {
      const input = {
        event: 'tenant_owner_invite',
        merchantId: house.victim.id,
        mails: ['mallory@elsewhere.example'],
      };
      await together(house, ['PutEventAddresses', { input }], 'una');
      await together(house, ['RotateApiKey', { merchantId: house.victim.id }], 'una');
      return 'a link was sent';
    },
    takes: (sent) => sent !== undefined,
  },
  {
    name: 'ways: who let a beneficiary onto the allowlist approves the withdrawal to it',
    row: 'listBeneficiary',
    play: opensAndApproves('una', '7000000001', ({ evil }) => [
      'ListBeneficiary',
      { bankCode: 'KBANK', accountNo: '7000000001', list: 'ALLOW', merchantId: evil.id },
    ]),
  },
  {
    name: 'ways: who changed where callbacks go approves a withdrawal',
    row: 'updateMerchant',
    play: opensAndApproves('uli', '7000000002', ({ evil }) => [
      'UpdateMerchant',
      { id: evil.id, settings: { defaultCallbackUrl: 'https://mallory.example/callback' } },
    ]),
  },
  {
    name: 'ways: who added a bank approves a withdrawal',
    row: 'putBanks',
    play: opensAndApproves('uwe', '7000000003', () => [
      'PutBanks',
      {
        currencyCode: 'THB',
        banks: ['KBANK', 'MALLORY'].map((bankCode) => ({ bankCode, name: bankCode })),
      },
    ]),
  },
  {
    name: 'sums: five spellings of an account whose day is over',
    row: 'decideWithdrawals',
    play: async (house) => {
      const orderNos: string[] = [];
      for (const account of ['9191919192', '91919-19192', '9191 919 192', ' 9191919192', '919191-9192'])
        orderNos.push(await withdraw(house, '40.00', account));
      await house.as('tom').run('DecideWithdrawals', { orderNos, verdict: 'APPROVE' });
    },
  },
  {
    name: 'money: a correction approved by who proposed it',
    row: 'adjustBalance',
    play: async (house) => {
      const { change } = await house.as('tom').run<Proposed>('AdjustBalance', {
        merchantId: house.evil.id,
        currencyCode: 'THB',
        amount: '90',
        reason: 'rounding',
        evidence,
      });
      await approve(house, 'tom', change.id);
    },
  },
  {
    name: 'money: an approver of up to 1,000 approves 1,001',
    row: 'approveChange',
    play: async (house) => {
      await approve(house, 'limited', await topUp(house, '1001'));
    },
  },
  {
    name: 'money: who entered a credit approves that it becomes a top-up',
    row: 'creditTopUp',
    play: async (house) => {
      const transferId = await enter(house, 'both', '55.00');
      const { change } = await house.as('tess').run<Proposed>('CreditTopUp', {
        transferId,
        merchantId: house.evil.id,
        reason: 'prepaid',
        evidence,
      });
      await approve(house, 'both', change.id);
    },
  },
  {
    name: 'people: an approver has the limits of his own role lifted',
    row: 'updateRole',
    play: async (house) => {
      const { change } = await house.as('ada').run<Proposed>('UpdateRole', {
        reason: 'needed',
        input: { name: 'small', permissions: ['VIEW', 'APPROVE'] },
      });
      await approve(house, 'limited', change.id);
      await approve(house, 'limited', await topUp(house, '1100'));
    },
  },
  // The last one: an honest person may be shut out by it.
  {
    name: 'people: one shuts out those who would refuse',
    row: 'setOperatorDisabled',
    play: async (house) => {
      const deciders = await house.sql<{ id: string }[]>`
        select id from operators where login in ('approver', 'una', 'uli', 'uwe')`;
      for (const { id: operatorId } of deciders)
        await house
          .as('ada')
          .run('SetOperatorDisabled', { operatorId, disabled: true, reason: REASON })
          .catch(() => null);
      const [row] = await house.sql<{ count: number }[]>`
        select count(*)::int as count from operators where disabled_at is not null`;
      return row?.count ?? 0;
    },
    takes: (disabled) => Number(disabled) > 1,
  },
];
