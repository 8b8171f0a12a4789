import type { Sandbox } from '../../local/sandbox';
import { pngOf } from './pictures';
import { until } from './until';

/** Flows of people's money other than plain deposits. `canary` makes each personal value. */
export interface PersonalWorld {
  readonly sandbox: Sandbox;
  /** A value that occurs nowhere else, recorded under its kind. */
  readonly canary: (kind: string, value?: string) => string;
  /** An operation as an operator who may do everything. */
  readonly graph: (document: string, variables: Readonly<Record<string, unknown>>) => Promise<unknown>;
  /** A signed request of the merchant. @returns its data */
  readonly merchant: (path: string, fields: Readonly<Record<string, unknown>>) => Promise<Record<string, string>>;
  /** A signed message of an agent, to a path of the gateway. @returns its data */
  readonly agent: (path: string, fields: Readonly<Record<string, unknown>>) => Promise<Record<string, string>>;
  /** An action of a payer on its page. */
  readonly payer: (token: string, action: string, body: unknown) => Promise<void>;
  /** Whether the callback of an order was sent. */
  readonly attempted: (orderNo: string) => Promise<boolean>;
  readonly callbackUrl: string;
}

const number = (): string => `n${Date.now()}${Math.random().toString(36).slice(2)}`;
const EVIDENCE = { text: 'as the bank says' };

/** A withdrawal that a person approves, until its first callback. */
async function withdraw({ sandbox, ...world }: PersonalWorld): Promise<void> {
  const { order_no: orderNo = '' } = await world.merchant('/orders/withdrawal', {
    merchant_order_no: number(),
    amount: '50.00',
    currency_code: 'THB',
    callback_url: world.callbackUrl,
    beneficiary_name: world.canary('beneficiary name'),
    beneficiary_account: world.canary('beneficiary account'),
    beneficiary_bank_code: sandbox.banks['THB']?.[0],
    beneficiary_bank_branch: world.canary('beneficiary branch'),
    extra_data: world.canary('extra data of a withdrawal'),
  });
  const approve = 'mutation($orderNo: String!) { approveWithdrawal(orderNo: $orderNo) { note } }';
  await world.graph(approve, { orderNo });
  await until('the callback', async () => await world.attempted(orderNo));
}

/** A session of the hosted page: the payer chooses a card, and claims to have paid. */
async function useCashier({ canary, merchant, payer, callbackUrl }: PersonalWorld): Promise<void> {
  const { cashier_token: token = '' } = await merchant('/orders/deposit/cashier', {
    merchant_order_no: number(),
    amount: '100.00',
    currency_code: 'THB',
    callback_url: callbackUrl,
    extra_data: canary('extra data of a session'),
    payer_bank_cards: [{ bank_code: 'KBANK', account_no: canary('card'), account_holder: canary('card holder') }],
  });
  canary('cashier token', token);
  await payer(token, 'submit', { card_index: 0 });
  const picture = pngOf(Buffer.from(canary('receipt'))).toString('base64');
  await payer(token, 'claim', { reference: canary('claimed reference'), receipt: picture });
}

/** Banks' reports of unexpected money: a debit, a message, a file, a credit that is returned. */
async function hearBank({ sandbox, canary, agent, graph }: PersonalWorld): Promise<void> {
  const accountId = sandbox.accounts[0]?.id ?? '';
  const shown = {
    account_id: accountId,
    currency_code: 'THB',
    bank_time: new Date().toISOString(),
  };
  await agent('/bank-notifications', {
    ...shown,
    direction: 'debit',
    amount: '7.00',
    memo: canary('memo of a debit'),
    payee_name: canary('bank payee name'),
    payee_account: canary('bank payee account'),
  });
  await agent('/agent-texts', {
    device_id: 'telephone',
    account_id: accountId,
    sender: 'BANK',
    text: `received from ${canary('text of a bank')}`,
    sent_at: new Date().toISOString(),
  });
  const { transfer_id: transferId } = await agent('/bank-notifications', {
    ...shown,
    amount: '33.33',
    memo: 'no order',
  });
  await graph(
    `mutation($transferId: ID!, $payee: PayeeInput!, $evidence: EvidenceInput!) {
      returnMoney(transferId: $transferId, payee: $payee, evidence: $evidence, reason: "nobody's") { change { id } } }`,
    {
      transferId,
      evidence: EVIDENCE,
      payee: { name: canary('payee name'), account: canary('payee account'), bank: 'KBANK' },
    },
  );
  await importFile({ canary, graph }, accountId);
}

/** A statement with one line that can be read, and one that cannot. */
async function importFile(
  { canary, graph }: Pick<PersonalWorld, 'canary' | 'graph'>,
  accountId: string,
): Promise<void> {
  const holding = ['date', 'amount', 'memo', 'partyName', 'partyAccount'];
  const columns = holding.map((holds) => ({ holds, headings: [holds] }));
  const { putStatementMapping: mapping } = (await graph(
    `mutation($input: StatementMappingInput!) { putStatementMapping(input: $input, reason: "canaries") { id } }`,
    { input: { name: 'canaries', dateFormat: 'YYYY-MM-DD HH:mm:ss', columns } },
  )) as { putStatementMapping: { id: string } };
  const input = { accountId, format: 'CSV', fileName: 'canaries.csv', mappingId: mapping.id };
  const { beginStatement: begun } = (await graph(
    'mutation($input: StatementInput!) { beginStatement(input: $input) { id } }',
    { input },
  )) as { beginStatement: { id: string } };
  const at = new Date(Date.now() - 3_600_000).toISOString().slice(0, 19).replace('T', ' ');
  const party = `${canary('party name')},${canary('party account')}`;
  const file = `${holding.join(',')}\n${at},5.00,${canary('memo of a line')},${party}\n${canary('unread line')},x,,,\n`;
  const { id } = begun;
  await graph(
    'mutation($id: ID!, $content: String!) { addStatementPart(id: $id, part: 0, content: $content) { id } }',
    { id, content: Buffer.from(file).toString('base64') },
  );
  await until('the file to be read', async () => {
    const { readStatement: read } = (await graph('mutation($id: ID!) { readStatement(id: $id) { status } }', {
      id,
    })) as { readStatement: { status: string } };
    return read.status === 'READ';
  });
}

/** People on lists, who occur nowhere else in this run. */
async function list({ sandbox, canary, graph }: PersonalWorld): Promise<void> {
  await graph(
    'mutation($input: ListPayerInput!) { listPayer(input: $input, reason: "fraud in May") { change { id } } }',
    { input: { list: 'DENY', trait: 'NAME', value: canary('listed payer') } },
  );
  await graph(
    `mutation($bankCode: String!, $accountNo: String!) {
      listBeneficiary(bankCode: $bankCode, accountNo: $accountNo, list: DENY, reason: "fraud in May") { change { id } } }`,
    { bankCode: sandbox.banks['THB']?.[0], accountNo: canary('listed beneficiary') },
  );
}

/** Sends each personal value that people and banks provide, except those of a plain deposit. */
export async function drivePersonal(world: PersonalWorld): Promise<void> {
  await withdraw(world);
  await useCashier(world);
  await hearBank(world);
  await list(world);
}

/** Money whose payer is not the one that the merchant announced; from then on such money waits for a person. */
export async function drivePayerRules({ sandbox, ...world }: PersonalWorld): Promise<void> {
  await world.graph(
    `mutation($rules: PayerRulesInput!) {
      putPayerRules(currencyCode: "THB", rules: $rules, reason: "others pay") { change { id } } }`,
    { rules: { comparison: 'WAIT' } },
  );
  const { remark = '' } = await world.merchant('/orders/deposit', {
    merchant_order_no: number(),
    amount: '100.00',
    currency_code: 'THB',
    callback_url: world.callbackUrl,
    account_holder: world.canary('doubted payer'),
  });
  await world.agent('/bank-notifications', {
    account_id: sandbox.accounts[0]?.id,
    amount: '100.00',
    currency_code: 'THB',
    bank_time: new Date().toISOString(),
    memo: remark,
    payer_name: world.canary('doubted bank payer'),
  });
}
