import { setTimeout as sleep } from 'node:timers/promises';
import type { Channel, PayoutRequest, StoredChannel } from '../../channels';
import { money } from '../../domain/money';
import { Simulator } from '../../simulator/server';
import { testChannels } from '../support/channels';

const KEY = { keyId: 'test', secret: 'a secret of the tests' };

const HTTP = {
  id: 'test',
  mockOutcome: null,
  timeoutSeconds: 60,
  keyId: KEY.keyId,
  sealedSecret: KEY.secret,
};

let next = 0;
const request = (): PayoutRequest => ({
  reference: `W20260102ABCDEFGHJKMN-${++next}`,
  amount: money('100.50'),
  currencyCode: 'THB',
  bankCode: 'KBANK',
  bankBranch: null,
  beneficiaryName: 'Somchai',
  beneficiaryAccount: '1234567890',
});

/** A channel of any kind, with control over its behaviour. */
interface Subject {
  readonly settings: () => StoredChannel;
  /** Sets the outcome of payouts from now on. */
  readonly outcome: (outcome: 'PENDING' | 'COMPLETED' | 'FAILED') => void;
}

const channels = testChannels();
const simulator = new Simulator(KEY);
let baseUrl = '';

beforeAll(async () => {
  baseUrl = await simulator.listen();
});
afterAll(async () => {
  channels.close();
  await simulator.close();
});

let mockOutcome: 'PENDING' | 'COMPLETED' | 'FAILED' = 'PENDING';
const mock: Subject = {
  settings: () => ({ ...HTTP, baseUrl: null, keyId: null, sealedSecret: null, mockOutcome }),
  outcome: (outcome) => {
    mockOutcome = outcome;
  },
};
const http: Subject = {
  settings: () => ({ ...HTTP, baseUrl }),
  outcome: (outcome) => {
    simulator.configure({
      faults: {
        settleMs: outcome === 'PENDING' ? 60_000 : 0,
        failRate: outcome === 'FAILED' ? 1 : 0,
      },
    });
  },
};

/** Queries until the answer has this kind. */
async function answered(channel: Channel, asked: PayoutRequest, kind: string) {
  for (;;) {
    const answer = await channel.queryPayout(asked);
    if (answer.kind === kind) return answer;
    await sleep(20);
  }
}

describe.each([
  ['mock', mock],
  ['http', http],
])('a channel of kind %s', (_kind, { settings, outcome }) => {
  const open = (): Channel => channels.open(settings());

  it('accepts a payout', async () => {
    outcome('PENDING');
    const payout = request();
    expect(await open().sendPayout(payout)).toMatchObject({ kind: 'ACCEPTED' });
    expect(await open().queryPayout(payout)).toMatchObject({ kind: 'ACCEPTED' });
  });

  it('reports a paid payout by query, with the same number', async () => {
    outcome('COMPLETED');
    const payout = request();
    const sent = await open().sendPayout(payout);
    const answer = await answered(open(), payout, 'COMPLETED');
    expect(answer).toMatchObject({ kind: 'COMPLETED' });
    expect((answer as { channelOrderNo: string }).channelOrderNo).toBe(
      (sent as { channelOrderNo: string }).channelOrderNo,
    );
  });

  it('reports a failed payout by query, with the reason', async () => {
    outcome('FAILED');
    const payout = request();
    await open().sendPayout(payout);
    const answer = await answered(open(), payout, 'FAILED');
    expect(answer.kind === 'FAILED' && answer.reason).toMatch(/\w+/);
  });

  it('reports that it is up', async () => {
    expect(await open().health()).toEqual({ health: 'UP', reason: null });
  });

  it('rejects messages that it did not send', () => {
    const webhook = { headers: {}, body: Buffer.from('{}') };
    expect(open().readWebhook(webhook, new Date()).kind).toBe('forged');
  });
});

describe('an HTTP channel', () => {
  const open = (over: Partial<StoredChannel> = {}): Channel => channels.open({ ...HTTP, baseUrl, ...over });

  beforeEach(() => {
    http.outcome('COMPLETED');
  });
  afterEach(() => {
    simulator.configure({
      faults: { lostAnswerRate: 0, errorRate: 0, refuseRate: 0, delayMs: 0, failRate: 0 },
    });
  });

  it('returns a definite refusal where nothing was or will be paid', async () => {
    simulator.configure({ faults: { refuseRate: 1 } });
    const payout = request();
    expect(await open().sendPayout(payout)).toEqual({ kind: 'REFUSED', reason: 'refused by rule' });
    expect(await open().queryPayout(payout)).toMatchObject({ kind: 'REFUSED' });
    expect(simulator.payments.find(payout.reference)?.paid).toBe(0);
  });

  it('returns unknown after a lost answer, and the query finds the payout', async () => {
    simulator.configure({ faults: { lostAnswerRate: 1 } });
    const payout = request();
    expect(await open().sendPayout(payout)).toMatchObject({ kind: 'UNKNOWN' });
    expect(await answered(open(), payout, 'COMPLETED')).toMatchObject({ kind: 'COMPLETED' });
  });

  it.each([
    ['a fault of its own', { errorRate: 1 }],
    ['an answer that takes too long', { delayMs: 1_500 }],
  ])('returns unknown after %s', async (_what, faults) => {
    simulator.configure({ faults });
    const hurried = open({ timeoutSeconds: 1 });
    expect(await hurried.sendPayout(request())).toMatchObject({ kind: 'UNKNOWN' });
  });

  it('returns unknown where our signature is rejected', async () => {
    expect(await open({ sealedSecret: 'another' }).sendPayout(request())).toMatchObject({
      kind: 'UNKNOWN',
    });
    expect((await open({ sealedSecret: 'another' }).health()).health).toBe('DOWN');
  });

  it('reports not paid where no connection was made', async () => {
    const closed = open({ baseUrl: 'http://127.0.0.1:9' });
    expect(await closed.sendPayout(request())).toMatchObject({ kind: 'REFUSED' });
    expect(await closed.queryPayout(request())).toMatchObject({ kind: 'UNKNOWN' });
  });

  it('does not connect to private addresses in production', async () => {
    const production = testChannels('production');
    const channel = production.open({ ...HTTP, baseUrl });
    expect(await channel.sendPayout(request())).toEqual({
      kind: 'REFUSED',
      reason: 'address refused: url_scheme',
    });
    production.close();
  });

  it('rejects answers about another amount or currency', async () => {
    const payout = request();
    await open().sendPayout(payout);
    await answered(open(), payout, 'COMPLETED');
    const other = { ...payout, amount: money('100.51') };
    expect(await open().queryPayout(other)).toEqual({
      kind: 'UNKNOWN',
      reason: 'the answer has another amount or currency',
    });
  });

  it('reports its balances', async () => {
    simulator.configure({ balances: { THB: '1000' } });
    expect((await open().balance('THB'))?.toFixed(4)).toBe('1000.0000');
    const payout = request();
    await open().sendPayout(payout);
    await answered(open(), payout, 'COMPLETED');
    expect((await open().balance('THB'))?.toFixed(4)).toBe('899.5000');
    expect(await open().balance('USD')).toBeNull();
  });
});

it('a mock channel is refused in production', () => {
  const production = testChannels('production');
  expect(() => production.open(mock.settings())).toThrow(/mock/);
  production.close();
});

describe('in production', () => {
  const { open, close } = testChannels('production');
  afterAll(close);

  it('a mock channel is not opened, for payouts or deposits, however it is set', () => {
    for (const outcome of ['PENDING', 'COMPLETED', 'FAILED'] as const) {
      const stored = { ...mock.settings(), mockOutcome: outcome, mockOpening: 'OPEN' as const };
      expect(() => open(stored)).toThrow('mock channels are not allowed in production');
    }
    expect(() => open(http.settings())).not.toThrow();
  });
});
