import { setTimeout as sleep } from 'node:timers/promises';
import { type Channel, type PayoutRequest, tryMapping } from '../../channels';
import type { DepositRequest } from '../../channels/channel';
import { readMapping } from '../../domain/mapping/check';
import type { Mapping } from '../../domain/mapping/schema';
import { money } from '../../domain/money';
import type { Faults } from '../../simulator/faults';
import { NO_FAULTS } from '../../simulator/faults';
import { Simulator } from '../../simulator/server';
import type { Report } from '../../simulator/style';
import { type Provider, PROVIDERS } from '../support/providers';
import { testChannels } from '../support/channels';

const channels = testChannels();
afterAll(() => {
  channels.close();
});

let next = 0;

describe.each(PROVIDERS.map((provider) => [provider.name, provider] as const))(
  'a provider mapped by %s',
  (_name, provider: Provider) => {
    const simulator = new Simulator({ keyId: 'unused', secret: 'unused' }, provider.style);
    let channel: Channel;
    let baseUrl = '';

    beforeAll(async () => {
      baseUrl = await simulator.listen();
      channel = channels.open({
        id: 'test',
        mockOutcome: null,
        timeoutSeconds: 5,
        baseUrl,
        keyId: provider.keyId,
        sealedSecret: provider.secret,
        mapped: true,
        mapping: provider.mapping,
      });
    });
    afterAll(async () => {
      await simulator.close();
    });
    const faults = (some: Partial<Faults>): void => {
      simulator.configure({ faults: { ...NO_FAULTS, settleMs: 0, ...some } });
    };
    beforeEach(() => {
      faults({});
    });

    const payout = (): PayoutRequest => ({
      reference: `W20260102ABCDEFGHJKMN-${++next}-0-mapped`,
      amount: money('100.5'),
      currencyCode: provider.currency,
      bankCode: '004',
      bankBranch: null,
      beneficiaryName: 'สมชาย & <Co>',
      beneficiaryAccount: '1234567890',
    });
    const deposit = (): DepositRequest => ({
      reference: `D20260102ABCDEFGHJKMN-${++next}-0-mapped`,
      amount: money('250'),
      currencyCode: provider.currency,
      contact: { mobile: null, email: null },
      account: null,
      expireAt: new Date(Date.now() + 600_000),
    });
    /** Asks until the answer has this kind. */
    async function until<Answer extends { kind: string }>(ask: () => Promise<Answer>, kind: string): Promise<Answer> {
      for (;;) {
        const answer = await ask();
        if (answer.kind === kind) return answer;
        await sleep(10);
      }
    }

    it('pays out once, and reports it to a query, with its cost', async () => {
      faults({ cost: '2.5' });
      const asked = payout();
      const sent = await channel.sendPayout(asked);
      expect(sent).toMatchObject({ kind: 'ACCEPTED' });
      const paid = await until(() => channel.queryPayout(asked), 'COMPLETED');
      expect(paid).toMatchObject({ kind: 'COMPLETED', cost: money('2.5') });
      expect(simulator.payments.find(asked.reference)).toMatchObject({ asked: 1, paid: 1 });
    });

    it('takes a deposit, with details for the payer', async () => {
      faults({ settleMs: 200 });
      const asked = deposit();
      const opened = await channel.openDeposit(asked);
      expect(opened.kind === 'OPENED' && opened.paymentUrl).toMatch(/^https:/);
      expect(await until(() => channel.queryDeposit(asked), 'COMPLETED')).toMatchObject({
        kind: 'COMPLETED',
      });
      expect(simulator.deposits.find(asked.reference)).toMatchObject({ opened: 1 });
    });

    it('is refused only where the provider says so', async () => {
      faults({ refuseRate: 1 });
      expect(await channel.sendPayout(payout())).toMatchObject({ kind: 'REFUSED' });
      expect(await channel.openDeposit(deposit())).toMatchObject({ kind: 'REFUSED' });
    });

    it.each([['lostAnswerRate'], ['errorRate']] as const)('leaves the outcome open after %s', async (fault) => {
      faults({ [fault]: 1 });
      const [out, into] = [payout(), deposit()];
      expect(await channel.sendPayout(out)).toMatchObject({ kind: 'UNKNOWN' });
      expect(await channel.openDeposit(into)).toMatchObject({ kind: 'UNKNOWN' });
      if (fault === 'errorRate') {
        expect(await channel.findPayout(out)).toEqual({ kind: 'NOT_FOUND' });
        expect(await channel.queryDeposit(into)).toEqual({ kind: 'NOT_FOUND' });
        return;
      }
      await until(() => channel.queryPayout(out), 'COMPLETED');
      await until(() => channel.queryDeposit(into), 'COMPLETED');
    });

    it('never had a payout that it cannot be requested to make', async () => {
      const whole = provider.mapping as { operations: Record<string, unknown> };
      const { sendPayout: _send, queryPayout: _query, ...operations } = whole.operations;
      for (const mapping of [
        { ...whole, operations },
        { ...whole, currency: provider.currency === 'KES' ? 'THB' : 'KES' },
      ]) {
        const other = channels.open({
          id: 'other',
          mockOutcome: null,
          timeoutSeconds: 5,
          baseUrl,
          keyId: provider.keyId,
          sealedSecret: provider.secret,
          mapped: true,
          mapping,
        });
        expect(await other.findPayout(payout())).toBeNull();
        if (mapping.operations === operations) expect(await other.listPayouts(new Date())).toBeNull();
      }
    });

    it('finds a late success after a failure', async () => {
      faults({ lateSuccessRate: 1, lateMs: 100 });
      const [out, into] = [payout(), deposit()];
      await channel.sendPayout(out);
      await channel.openDeposit(into);
      expect((await until(() => channel.queryPayout(out), 'FAILED')).kind).toBe('FAILED');
      await until(() => channel.queryPayout(out), 'COMPLETED');
      await until(() => channel.queryDeposit(into), 'COMPLETED');
    });

    it('accepts no answer about another amount', async () => {
      const [out, into] = [payout(), deposit()];
      await channel.sendPayout(out);
      await channel.openDeposit(into);
      await until(() => channel.queryPayout(out), 'COMPLETED');
      faults({ wrongAmountRate: 1 });
      const unknown = { kind: 'UNKNOWN', reason: 'the answer has another amount' };
      expect(await channel.queryPayout(out)).toEqual(unknown);
      expect(await channel.queryDeposit(into)).toEqual(unknown);
    });

    it('reports a cost beyond its bound, and does not use it', async () => {
      faults({ cost: '99' });
      const asked = payout();
      await channel.sendPayout(asked);
      expect(await until(() => channel.queryPayout(asked), 'COMPLETED')).toMatchObject({
        cost: null,
        excessiveCost: money('99'),
      });
    });

    it('sends no value that it cannot write exactly', async () => {
      const asked = { ...payout(), amount: money('1.005') };
      expect(await channel.sendPayout(asked)).toEqual({
        kind: 'REFUSED',
        reason: 'it cannot write this amount exactly',
      });
      expect(simulator.payments.find(asked.reference)).toBeUndefined();
    });

    it('is refused with another secret', async () => {
      const stranger = channels.open({
        id: 'test',
        mockOutcome: null,
        timeoutSeconds: 5,
        baseUrl,
        keyId: provider.keyId,
        sealedSecret: provider.anotherSecret,
        mapped: true,
        mapping: provider.mapping,
      });
      const asked = payout();
      expect(await stranger.sendPayout(asked)).toMatchObject({ kind: 'UNKNOWN' });
      expect(simulator.payments.find(asked.reference)).toBeUndefined();
    });

    it('passes the conformance kit, and not with another status map, signature or key', async () => {
      const mapping = readMapping(provider.mapping);
      if ('problems' in mapping) throw new Error(JSON.stringify(mapping.problems));
      const tried = async (other: Mapping) =>
        (await tryMapping(other, 'sandbox', provider.secret)).filter(({ passed }) => !passed).map(({ name }) => name);
      expect(await tried(mapping)).toEqual([]);
      const { queryPayout } = mapping.operations;
      if (!queryPayout) throw new Error('it maps payouts');
      const statuses = Object.fromEntries(
        Object.keys(queryPayout.answer.statuses).map((one) => [one, 'completed' as const]),
      );
      const answer = { ...queryPayout.answer, statuses };
      const operations = { ...mapping.operations, queryPayout: { ...queryPayout, answer } };
      expect((await tried({ ...mapping, operations })).join()).toMatch(/late success/);
      const signature = { ...mapping.signature, text: `${mapping.signature.text}.` };
      expect((await tried({ ...mapping, signature })).join()).toMatch(/^signature/);
      const { webhook, samples } = mapping;
      if (!webhook) throw new Error('it maps webhooks');
      const careless = { ...webhook, signature: { ...webhook.signature, text: '{secret}' } };
      expect((await tried({ ...mapping, webhook: careless })).join()).toMatch(/webhook/);
      expect((await tried({ ...mapping, samples: { ...samples, webhooks: [] } })).join()).toMatch(
        /sample of a webhook/,
      );
    });

    it('reports by messages that nobody else can sign', () => {
      const report: Report = {
        kind: 'payout',
        reference: 'W1',
        amount: '100.5',
        currency: provider.currency,
        channelOrderNo: 'S1',
        state: 'completed',
        reason: null,
      };
      const read = (forged: boolean, change = (body: string) => body) => {
        const { headers, body } = provider.style.report(report, 'm1', forged);
        return channel.readWebhook({ headers: headers(), body: Buffer.from(change(body)) }, new Date());
      };
      const first = read(false);
      expect(first).toMatchObject({
        kind: 'message',
        message: { reference: 'W1', reported: 'COMPLETED' },
      });
      expect(read(true)).toMatchObject({ kind: 'forged' });
      expect(read(false, (body) => body.replace('W1', 'W2'))).toMatchObject({ kind: 'forged' });
    });
  },
);
