import { until } from '../until';
import { newAgent } from './agents';
import type { Allowance, House } from './house';

/** The operators, and their roles. */
export const INSIDERS: Readonly<Record<string, readonly string[]>> = {
  owner: ['view', 'configure', 'treasurer', 'admin'],
  honest: ['approve'],
  approver: ['approve'],
  limited: ['small'],
  rita: ['reconcile'],
  ron: ['reconcile'],
  both: ['reconcile', 'approve'],
  tess: ['treasurer'],
  tom: ['treasurer', 'approve'],
  ada: ['admin'],
  carl: ['configure'],
  una: ['approve'],
  uli: ['approve'],
  uwe: ['approve'],
};

/** A theft of the review, and the row of the authority table that it attacks. */
export interface Theft {
  readonly name: string;
  readonly row: string;
  /** What one person may do alone before a second person is required; by default nothing. */
  readonly allows?: Allowance;
  readonly play: (house: House) => Promise<unknown>;
  /** Whether an honest payer's money was still credited. */
  readonly rightly?: (house: House) => Promise<boolean>;
  /** Whether what the play returned is itself the prize, such as a key. */
  readonly takes?: (got: unknown) => boolean;
}

export const REASON = 'the payer called';
export const evidence = { text: 'seen' };
type Answered = Promise<{ change: { id: string } | null }>;

const match = async ({ as }: House, who: string, transferId: string, orderNo: string): Answered =>
  await as(who).run('MatchTransfer', { transferId, orderNo, reason: REASON });
export const approve = async ({ as }: House, who: string, id: string | undefined): Promise<unknown> =>
  await as(who).run('ApproveChange', { id, reason: 'looked' });
const deposit = async (
  { create, evil }: House,
  fields: Record<string, string> = {},
): Promise<{ orderNo: string; remark: string }> => {
  const made = await create('deposit', evil.apiKey, { amount: '20.00', ...fields });
  return { orderNo: made.order_no, remark: made.remark ?? '' };
};
export const withdraw = async (
  { create, evil }: House,
  amount: string,
  beneficiary_account = '9191919192',
): Promise<string> =>
  (
    await create('withdrawal', evil.apiKey, {
      amount,
      beneficiary_name: 'Mallory',
      beneficiary_account,
      beneficiary_bank_code: 'KBANK',
    })
  ).order_no;
export const enter = async ({ as, accountId }: House, who: string, amount: string): Promise<string> => {
  const bankTime = new Date().toISOString();
  const { transfer } = await as(who).run<{ transfer: { id: string } }>('RecordBankNotification', {
    input: {
      accountId,
      amount,
      currencyCode: 'THB',
      memo: '',
      bankTime,
      bankReference: `E${bankTime}`,
    },
  });
  return transfer.id;
};

/** M1 to M7 of the review, by one and two insiders. */
export const THEFTS: readonly Theft[] = [
  {
    name: 'M1: one who reconciles gives 900,000 to an order of 20',
    row: 'matchTransfer',
    play: async (house) => {
      const transfer = await house.credit(house.agent, {
        accountId: house.accountId,
        amount: '900000.00',
      });
      await match(house, 'rita', transfer, (await deposit(house)).orderNo);
    },
  },
  {
    name: 'M1: and approves it, with both permissions',
    row: 'approveChange',
    play: async (house) => {
      const transfer = await house.credit(house.agent, {
        accountId: house.accountId,
        amount: '90000.00',
      });
      const { change } = await match(house, 'both', transfer, (await deposit(house)).orderNo);
      await approve(house, 'both', change?.id);
    },
  },
  {
    name: 'M1: of the same amount, and another remark',
    row: 'matchTransfer',
    play: async (house) => {
      await house.create('deposit', house.victim.apiKey, { amount: '500.00' });
      const transfer = await house.credit(house.agent, {
        accountId: house.accountId,
        amount: '500.00',
      });
      const { orderNo } = await deposit(house, { amount: '500.00' });
      await match(house, 'rita', transfer, orderNo);
    },
  },
  {
    name: 'M1: two who reconcile, one after the other',
    row: 'matchTransfer',
    play: async (house) => {
      const transfer = await house.credit(house.agent, {
        accountId: house.accountId,
        amount: '7000.00',
      });
      const { orderNo } = await deposit(house);
      const { change } = await match(house, 'rita', transfer, orderNo);
      await match(house, 'ron', transfer, orderNo).catch(() => null);
      await approve(house, 'ron', change?.id);
    },
  },
  {
    name: 'M2: two who reconcile enter money and match it',
    row: 'recordBankNotification',
    play: async (house) => {
      const { orderNo } = await deposit(house, { amount: '99999.00' });
      const transfer = await enter(house, 'rita', '99999.00');
      await match(house, 'ron', transfer, orderNo);
    },
  },
  {
    name: 'M2: who enters it has it proposed, and approves',
    row: 'matchTransfer',
    play: async (house) => {
      const { orderNo } = await deposit(house, { amount: '77777.00' });
      const { change } = await match(house, 'rita', await enter(house, 'both', '77777.00'), orderNo);
      await approve(house, 'both', change?.id);
    },
  },
  {
    name: 'M3: a limited approver makes one without limits',
    row: 'setOperatorAccess',
    play: async (house) => {
      const [ron] = await house.sql<{ id: string }[]>`select id from operators where login = 'ron'`;
      const { change } = await house.as('ada').run<{ change: { id: string } }>('SetOperatorAccess', {
        operatorId: ron?.id,
        roles: ['reconcile', 'approve'],
        reason: 'promoted',
      });
      await approve(house, 'limited', change.id);
    },
  },
  {
    name: 'M3: one mailbox, two operators',
    row: 'inviteOperator',
    play: async (house) => {
      await house.sql`update operators set email = 'ada@house.example' where login = 'ada'`;
      await house.as('ada').run('InviteOperator', {
        email: 'Ada+2@House.example',
        roles: ['approve'],
        reason: 'new',
      });
    },
  },
  {
    name: 'M4: who proposed an agent key credits 9,999,999 with it',
    row: 'createAgentKey',
    play: async (house) => {
      const { remark } = await deposit(house, { amount: '9999999.00' });
      const { input, publicKey, privateKey } = newAgent('reader', house.accountId);
      const proposed = await house.as('carl').run<{ change: { id: string }; keyId: string }>('CreateAgentKey', {
        reason: 'a second reader',
        input,
      });
      await approve(house, 'approver', proposed.change.id);
      // The address is the proposer's own.
      await house.enrol(input.ownerEmail, publicKey);
      await house.credit(
        { keyId: proposed.keyId, privateKey },
        {
          amount: '9999999.00',
          memo: remark,
        },
      );
    },
  },
  {
    name: 'M5: who has just approved the rules lets them approve, then approves',
    row: 'putReviewRules',
    play: async (house) => {
      const { change } = await house.as('carl').run<{ change: { id: string } }>('PutReviewRules', {
        merchantId: house.evil.id,
        currencyCode: 'THB',
        reason: 'faster',
        rules: { autoApproveUpTo: '99999999', newBeneficiary: false, decideWithinMinutes: 30 },
      });
      await approve(house, 'approver', change.id);
      const orderNo = await withdraw(house, '100.00');
      await house.as('approver').run('ApproveWithdrawal', { orderNo });
    },
  },
  {
    name: 'M6: a top-up in pieces by one approver, past the sum of a day',
    row: 'topUpBalance',
    allows: { amount: 1800, approvals: 0 },
    play: async (house) => {
      // Two of 900 fit into the 2,000 of the day: the third does not.
      for (let n = 0; n < 3; n++) {
        const { change } = await house.as('tess').run<{ change: { id: string } }>('TopUpBalance', {
          merchantId: house.evil.id,
          currencyCode: 'THB',
          amount: '900',
          reason: 'wire',
          evidence,
        });
        await approve(house, 'limited', change.id);
      }
    },
  },
  {
    name: 'M6: 40 withdrawals in one decision by one approver',
    row: 'decideWithdrawals',
    allows: { amount: 0, approvals: 4 },
    play: async (house) => {
      const orderNos: string[] = [];
      for (let n = 0; n < 40; n++) orderNos.push(await withdraw(house, '40.00'));
      await house.as('tom').run('DecideWithdrawals', { orderNos, verdict: 'APPROVE' });
    },
  },
  {
    name: 'M7: the approver pays by hand',
    row: 'claimTransfer',
    play: async (house) => {
      const find = async (): Promise<{ orderNo: string } | undefined> => {
        const [found] = await house.sql<{ orderNo: string }[]>`
          select w.order_no as "orderNo" from withdrawal_orders w
          join payout_attempts a on a.withdrawal_id = w.id and a.status = 'OPEN' limit 1`;
        return found;
      };
      await until(async () => (await find()) !== undefined, 60_000);
      const task = await find();
      await house.as('tom').run('ClaimTransfer', { ...task, accountId: house.accountId });
    },
  },
  {
    name: 'P7: a token that reconciles',
    row: 'createApiToken',
    play: async ({ as }) =>
      await as('rita').run('CreateApiToken', {
        label: 'mine',
        scopes: ['RECONCILE'],
        expiresAt: new Date(Date.now() + 86_400_000).toISOString(),
      }),
  },
];
