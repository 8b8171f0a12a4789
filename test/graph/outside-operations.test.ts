import { readFileSync } from 'node:fs';
import path from 'node:path';
import { buildSchema, parse, validate } from 'graphql';

const schema = buildSchema(readFileSync(path.join(__dirname, '..', '..', 'docs', 'schema.graphql'), 'utf8'));

/** The fields that tools select of every proposed change. */
const CHANGE = 'change { id kind status summary reason expiresAt refusal }';
const ORDER = 'id orderNo status amount fee currencyCode merchantOrderNo createdAt updatedAt';
const CALLBACKS = `callbacks {
  id status notificationType targetUrl requestBody responseStatus responseBody lastError
  attemptCount totalAttempts nextAttemptAt createdAt
  attempts { attempt generation startedAt endedAt responseStatus responseBody error }
}`;
const TIMELINE = 'timeline { id seq type at actor detail }';
const TASK = `transferTask {
  id number status method reference accountId bankReference proof claimedAt sentAt finishedAt
  holder { id login }
}`;
const TRANSFER = `id accountId amount currencyCode memo bankReference bankTime receivedAt source
  depositId orderNo unmatchedReason`;
const DECIDED = 'applied note withdrawal { orderNo status approvedBy approvedAt approvalRemarks }';

/**
 * Documents of outside tools that provision and drive a sandbox, with variables declared in their own way. The platform
 * does not know these tools, so names, arguments, types of variables and selected fields must stay.
 */
const DOCUMENTS: Readonly<Record<string, string>> = {
  login:
    'mutation($l: String!, $p: String!) { login(login: $l, password: $p) { token expiresAt operator { id login } } }',
  loginWithCode:
    'mutation($l: String!, $p: String!, $c: String) { login(login: $l, password: $p, code: $c) { token } }',
  approveChange:
    'mutation($id: ID!, $reason: String!) { approveChange(id: $id, reason: $reason) { id status alone decidedAt decidedBy { login } } }',
  createMerchant: `mutation($input: CreateMerchantInput!, $reason: String!) {
    createMerchant(input: $input, reason: $reason) { merchant { id merchantCode name enabled } ${CHANGE} } }`,
  createMerchantInline: `mutation($code: String!, $url: String) {
    createMerchant(reason: "set up", input: {
      merchantCode: $code, name: "Shop"
      currencies: [{ currencyCode: "THB", depositFee: { percent: "1.5", fixed: "0" },
        withdrawalFee: { percent: "1" }, withdrawalLimits: { min: "1", max: "50000" },
        cashierAmounts: { denominations: ["100"], customMin: "20", customMax: "1000" } }]
      settings: { defaultCallbackUrl: $url, canDeposit: true, canWithdraw: true, depositExpireMinutes: 15,
        allowInsecureCallbacks: true, callbackTimeoutSeconds: 5, notifyDepositExpired: true,
        notifyDepositCancelled: true, maxOpenDeposits: 10000, maxOpenDepositsPerUser: 1000, holdDays: 0 }
    }) { merchant { id } change { id status } } }`,
  updateMerchant: `mutation($id: ID!, $settings: MerchantSettingsInput, $currencies: [MerchantCurrencyInput!]) {
    updateMerchant(id: $id, settings: $settings, currencies: $currencies, reason: "set up") {
      merchant { id holdDays currencies { currencyCode enabled depositFee { percent fixed } } } ${CHANGE} } }`,
  merchants: `query($c: String!) { merchants(filter: { merchantCode: $c }) {
    nodes { id merchantCode name balances { currencyCode available frozen total version } } } }`,
  issueApiKey:
    'mutation($m: ID!) { issueApiKey(merchantId: $m, reason: "set up") { apiKey key { id hint } change { id status } } }',
  rotateApiKey: `mutation($m: ID!, $s: Int!) { rotateApiKey(merchantId: $m, overlapSeconds: $s, reason: "rotation") {
    apiKey key { id } retiring { id hint retiresAt } ${CHANGE} } }`,
  revokeApiKey:
    'mutation($id: ID!, $r: String!) { revokeApiKey(id: $id, reason: $r) { key { id revokedAt } change { id status } } }',
  createBankAccount: `mutation($input: CreateBankAccountInput!, $reason: String!) {
    createBankAccount(input: $input, reason: $reason) {
      account { id accountNo accountHolder bankCode bankName currencyCode mode status } ${CHANGE} } }`,
  bankAccounts:
    '{ bankAccounts(first: 200) { nodes { id accountNo bankCode currencyCode status mode use { openDeposits openAmount } } } }',
  createAgentKey: `mutation($input: CreateAgentKeyInput!) { createAgentKey(input: $input, reason: "set up") {
    keyId secret key { id label accountIds } ${CHANGE} } }`,
  createChannel: `mutation($input: CreateChannelInput!) { createChannel(input: $input, reason: "set up") {
    channel { id channelCode name kind enabled mockOutcome } ${CHANGE} } }`,
  channels:
    'query($c: String!) { channels(filter: { currencyCode: $c }) { nodes { id channelCode name enabled health currencies } } }',
  setMockOutcome:
    'mutation($id: ID!, $o: MockOutcome!) { setMockOutcome(id: $id, outcome: $o, reason: "test") { id mockOutcome } }',
  banks: 'query($c: String) { banks(currencyCode: $c) { bankCode name currencyCode enabled } }',
  topUpBalance: `mutation($m: ID!, $a: Decimal!, $c: String!, $e: EvidenceInput!) {
    topUpBalance(merchantId: $m, amount: $a, currencyCode: $c, reason: "float", evidence: $e) {
      balance { available } ${CHANGE} } }`,
  putReviewRules: `mutation($m: ID, $c: String!, $rules: ReviewRulesInput!) {
    putReviewRules(merchantId: $m, currencyCode: $c, rules: $rules, reason: "set up") { ${CHANGE} } }`,
  recordBankNotification: `mutation($input: BankNotificationInput!) {
    recordBankNotification(input: $input) { duplicate transfer { ${TRANSFER} } } }`,
  recordBankNotificationInline: `mutation($a: ID!, $memo: String!) {
    recordBankNotification(input: { accountId: $a, amount: "100.00", currencyCode: "THB", memo: $memo,
      bankTime: "2026-01-02T03:04:05.678Z" }) { duplicate transfer { id orderNo } } }`,
  matchTransfer: `mutation($id: ID!, $o: String!, $r: String!) {
    matchTransfer(transferId: $id, orderNo: $o, reason: $r) { id orderNo depositId unmatchedReason } }`,
  bankTransfers: `query($f: BankTransferFilter) { bankTransfers(filter: $f, first: 50) {
    nodes { ${TRANSFER} } pageInfo { hasNextPage endCursor } } }`,
  unmatchedTransfers: `query($a: [ID!]) { unmatchedTransfers(filter: { accountId: $a }, first: 50) {
    nodes { ${TRANSFER} candidates { score reasons deposit { orderNo } } } } }`,
  cancelDeposit: 'mutation($o: String!, $r: String!) { cancelDeposit(orderNo: $o, reason: $r) { orderNo status } }',
  deposit: `query($o: String!) { deposit(orderNo: $o) {
    ${ORDER} requestedAmount actualAmount expireAt matchedAt completedAt expectedRemark userId callbackUrl
    callbackStatus callbackCount accountId merchant { id merchantCode } account { id accountNo }
    ledgerEntries { account amount type } bankTransfers { id amount }
    workflow { id url waitsFor } ${CALLBACKS} ${TIMELINE} } }`,
  withdrawal: `query($o: String!) { withdrawal(orderNo: $o) {
    ${ORDER} actualAmount payoutMethod isAutoApproved approvedAt approvedBy approvalRemarks processedAt completedAt
    bankReference beneficiaryName beneficiaryAccount beneficiaryBankCode needsManualIntervention manualReason
    channelId channelName channelOrderNo endReason reviewReasons peopleNeeded decideBy merchant { id }
    payoutAttempts { id number status method } decisions { verdict at remarks operator { login } }
    workflow { id } ${TASK} ${CALLBACKS} ${TIMELINE} } }`,
  resendCallback:
    'mutation($id: ID!, $r: String!) { resendCallback(id: $id, reason: $r) { id status attemptCount totalAttempts } }',
  approveWithdrawal: `mutation($o: String!, $r: String) { approveWithdrawal(orderNo: $o, remarks: $r) { ${DECIDED} } }`,
  rejectWithdrawal: `mutation($o: String!, $r: String!) { rejectWithdrawal(orderNo: $o, remarks: $r) { ${DECIDED} } }`,
  decideWithdrawals: `mutation($o: [String!]!, $v: WithdrawalVerdict!, $r: String) {
    decideWithdrawals(orderNos: $o, verdict: $v, remarks: $r) { orderNo code message decided { ${DECIDED} } } }`,
  claimTransfer: `mutation($o: String!, $a: ID!) { claimTransfer(orderNo: $o, accountId: $a) { orderNo status ${TASK} } }`,
  beginTransfer: `mutation($o: String!) { beginTransfer(orderNo: $o) { orderNo status ${TASK} } }`,
  completeTransfer: `mutation($o: String!, $b: String!, $p: String) {
    completeTransfer(orderNo: $o, bankReference: $b, proof: $p) { orderNo status ${TASK} } }`,
  cancelTransfer: `mutation($o: String!, $r: String!) { cancelTransfer(orderNo: $o, reason: $r) { orderNo status ${TASK} } }`,
  cashierSession: `query($id: ID!) { cashierSession(id: $id) {
    id status version merchantOrderNo currencyCode expireAt submittedAt revokedAt userId depositOrderId
    deposit { orderNo status } merchant { id } ${TIMELINE} } }`,
  cashierSessions: `query($m: [ID!], $o: String) { cashierSessions(filter: { merchantId: $m, merchantOrderNo: $o }) {
    nodes { id status deposit { orderNo } } } }`,
  revokeCashierSession:
    'mutation($id: ID!, $r: String!) { revokeCashierSession(id: $id, reason: $r) { id status revokedAt } }',
};

describe('the documents of outside tools', () => {
  it.each(Object.entries(DOCUMENTS))('%s fits the schema', (_name, text) => {
    expect(validate(schema, parse(text)).map(({ message }) => message)).toEqual([]);
  });
});
