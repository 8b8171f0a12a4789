import { randomBytes } from 'node:crypto';
import { BODY_CONTENTS, QUERY_CONTENTS } from './contents';
import { bytesOfDraft, type Draft, Drafts } from './draft';
import { type Envelope, envelopeOf } from './envelope';
import { attackGraph } from './graph';
import { readStream, type Stream } from './http';
import { type Effect, Oracle, signatureOver, type Verdict } from './oracle';
import type { Tools } from './mutation';
import { Random } from './random';
import { TAMPERINGS } from './tamperings';
import { WIRINGS } from './wirings';
import { talk, type WireAnswer } from './wire';
import type { World } from './world';

export type { World } from './world';

/** The extent of an attack. */
export interface AttackOptions {
  readonly seed: number;
  /** How many mutants to send. */
  readonly requests: number;
  /** How many at once. */
  readonly concurrency?: number;
  /** Called with each failure as it is found. */
  readonly report?: (line: string) => void;
}

/** The result of an attack. */
export interface AttackResult {
  /** Requests that were sent, each counted, also if one connection carried several. */
  readonly requests: number;
  /** Answered with success although the oracle forbids it, or with another effect than the signed one. */
  readonly acceptedWrongly: number;
  /** Refused although valid in every way. */
  readonly refusedWrongly: number;
  /** Refused with another status or code than the contract has. */
  readonly otherRefusals: number;
  /** Answered 500 or more. */
  readonly errors500: number;
  /** Answers that are no envelope, and complete requests without an answer. */
  readonly outsideEnvelope: number;
  /** Mutants that were valid after all and took effect. */
  readonly accepted: number;
  /** How often each mutation was used. */
  readonly mutations: ReadonlyMap<string, number>;
  /** The first failures, each with the bytes sent. */
  readonly failures: readonly string[];
}

/** Failures of a kind that are kept with the bytes sent. */
const KEPT_FAILURES = 10;

/** Deadline for the answer to a complete request, milliseconds; longer than the listener's own. */
const ANSWERED_MS = 9_000;
/** The same if the listener may wait for more bytes; the mutant's effect is checked afterwards. */
const UNSURE_MS = 2_000;

const KINDS: readonly Draft['kind'][] = [
  ...Array<'create'>(11).fill('create'),
  ...Array<'notify'>(3).fill('notify'),
  'find',
  'find',
  'get',
  'balance',
];

/** Bytes to send, one connection after another, and their allowed effects. */
interface Mutant {
  readonly names: readonly string[];
  readonly talks: readonly {
    readonly parts: readonly Buffer[];
    readonly stream: Stream;
    readonly verdicts: readonly Verdict[];
  }[];
}

type Failure = 'acceptedWrongly' | 'refusedWrongly' | 'otherRefusals' | 'errors500' | 'outsideEnvelope';

/** Bytes as a person can read them in a terminal. */
const readable = (bytes: Buffer): string => JSON.stringify(bytes.toString('latin1').slice(0, 2_000));

class Attack {
  readonly counts: Record<Failure | 'requests' | 'accepted', number> = {
    requests: 0,
    accepted: 0,
    acceptedWrongly: 0,
    refusedWrongly: 0,
    otherRefusals: 0,
    errors500: 0,
    outsideEnvelope: 0,
  };
  readonly mutations = new Map<string, number>();
  readonly failures: string[] = [];
  /** Rows that the accepted requests must have made. */
  readonly made = { deposits: 0, transfers: 0 };
  /** Bank credits that may have been recorded without an answer. */
  unheard = 0;
  /** Distinguishes this run's numbers from those of other runs on the same platform. */
  private readonly run = randomBytes(4).toString('hex');
  private readonly oracle: Oracle;

  constructor(
    private readonly world: World,
    private readonly options: AttackOptions,
  ) {
    this.oracle = new Oracle(world);
  }

  /** Sends the n-th mutant, the same in every run with this seed, and judges the answer. */
  async step(n: number): Promise<void> {
    const random = new Random(`${this.options.seed} ${n}`);
    if (random.chance(0.1)) {
      await this.graphStep(random);
      return;
    }
    const { names, talks } = this.mutant(n, random);
    for (const name of names) this.note(name);
    for (const { parts, stream, verdicts } of talks) {
      const { requests, end, next } = stream;
      const isHead = (n: number): boolean => (n < requests.length ? requests[n]?.method : next) === 'HEAD';
      this.counts.requests += Math.max(1, requests.length);
      const sure = end === 'clean' && !requests.some(({ doubtful }) => doubtful);
      const heard = await talk(this.world.gateway, parts, {
        answers: requests.length,
        end: end === 'invalid' || (sure && requests.at(-1)?.keepsAlive === false),
        patienceMs: sure ? ANSWERED_MS : UNSURE_MS,
        isHead,
      });
      const about = `[${names.join(', ')}] ${readable(Buffer.concat(parts))}`;
      // The listener answers a HEAD that is no valid request like any other request.
      if (heard.rest.length > 0 && !(end !== 'clean' && next === 'HEAD'))
        this.fail('outsideEnvelope', `${about}\n  answered in part ${readable(heard.rest)}`);
      for (const [n, answer] of heard.answers.entries()) await this.judge(answer, verdicts[n], isHead(n), about);
      const unanswered = verdicts.slice(heard.answers.length);
      if (sure && unanswered.length > 0) this.fail('outsideEnvelope', `${about}\n  not answered`);
      // A request followed by garbage may take effect without an answer.
      if (!sure) await this.lookFor(unanswered);
    }
  }

  private note(name: string): void {
    this.mutations.set(name, (this.mutations.get(name) ?? 0) + 1);
  }

  private mutant(n: number, random: Random): Mutant {
    const { world } = this;
    const drafts = new Drafts(world, random, `${this.run}-${n}`);
    const tools: Tools = { random, drafts, world };
    const names: string[] = [];
    const choose = <Mutation>(from: Readonly<Record<string, Mutation>>): Mutation => {
      const [name, mutation] = random.pick(Object.entries(from));
      names.push(name);
      return mutation;
    };
    const kind = random.pick(KINDS);
    const content = drafts.content(kind);
    const contents = kind === 'create' || kind === 'notify' ? BODY_CONTENTS : QUERY_CONTENTS;
    for (let n = random.pick([0, 0, 1, 1, 1, 2]); n > 0; n--) choose(contents)(content, tools);
    const draft = drafts.draft(kind, content);
    for (let n = random.pick([0, 0, 1, 1, 1, 2]); n > 0; n--) choose(TAMPERINGS)(draft, tools);
    const parts = random.chance(0.3) ? choose(WIRINGS)(draft, tools) : [bytesOfDraft(draft)];
    const times = random.chance(0.04) ? 2 : 1;
    if (times > 1) names.push('sent again');
    return { names, talks: Array.from({ length: times }, () => this.judged(parts)) };
  }

  private judged(parts: readonly Buffer[]): Mutant['talks'][number] {
    const stream = readStream(Buffer.concat(parts));
    return { parts, stream, verdicts: stream.requests.map((one) => this.oracle.judge(one)) };
  }

  private fail(kind: Failure, about: string): void {
    const line = `${kind}: ${about}`;
    if (++this.counts[kind] <= KEPT_FAILURES) this.failures.push(line);
    this.options.report?.(line);
  }

  private async judge(answer: WireAnswer, verdict: Verdict | undefined, isHead: boolean, sent: string): Promise<void> {
    const { status, body } = answer;
    const about = `${sent}\n  answered ${status} ${readable(body)}`;
    if (status >= 500) this.fail('errors500', about);
    if (isHead) return;
    const envelope = envelopeOf(answer);
    if (!envelope) {
      this.fail('outsideEnvelope', about);
      return;
    }
    const expected = `${about}\n  expected ${JSON.stringify(verdict)}`;
    // Bytes that are not a request must be refused.
    if (!verdict || verdict.accept === 'never') {
      if (envelope.success) this.fail('acceptedWrongly', expected);
      else if (verdict && !isAsExpected(verdict, answer, envelope)) this.fail('otherRefusals', expected);
      return;
    }
    if (!envelope.success) {
      if (verdict.accept === 'must') this.fail('refusedWrongly', expected);
      return;
    }
    this.counts.accepted++;
    await this.checkEffect(verdict.effect, envelope, status, expected);
  }

  /** Checks with another request that an accepted request had the signed effect. */
  private async checkEffect(effect: Effect | null, { data }: Envelope, status: number, about: string): Promise<void> {
    switch (effect?.kind) {
      case undefined:
        return;
      case 'transfer':
        if (status === 201) this.made.transfers++;
        return;
      case 'shown':
        if (!holds(data, effect.data)) this.fail('acceptedWrongly', about);
        return;
      case 'deposit': {
        this.made.deposits++;
        const found = await this.find(effect.number);
        if (status !== 201 || !found || !holds(found, effect.order) || found['order_no'] !== data?.['order_no'])
          this.fail('acceptedWrongly', `${about}\n  found ${JSON.stringify(found)}`);
      }
    }
  }

  /** Counts the effects of unanswered requests. */
  private async lookFor(verdicts: readonly Verdict[]): Promise<void> {
    for (const verdict of verdicts) {
      if (verdict.accept === 'never') continue;
      if (verdict.effect?.kind === 'transfer') this.unheard++;
      if (verdict.effect?.kind !== 'deposit') continue;
      if (await this.find(verdict.effect.number)) this.made.deposits++;
    }
  }

  private async find(number: string): Promise<Record<string, unknown> | undefined> {
    const { merchant, stranger, gateway } = this.world;
    const timestamp = String(Math.floor(this.world.now().getTime() / 1000));
    const fields = new Map([['merchant_order_no', number]]);
    for (const { apiKey } of [merchant, stranger]) {
      const head = [
        `GET /api/v1/merchant/query/deposit?merchant_order_no=${encodeURIComponent(number)} HTTP/1.1`,
        'Host: gateway.test',
        `X-API-Key: ${apiKey}`,
        `X-Timestamp: ${timestamp}`,
        `X-Signature: ${signatureOver(fields, timestamp, apiKey)}`,
        'Connection: close',
      ];
      const bytes = Buffer.from(`${head.join('\r\n')}\r\n\r\n`);
      const { answers } = await talk(gateway, [bytes], {
        answers: 1,
        end: true,
        patienceMs: ANSWERED_MS,
        isHead: () => false,
      });
      const found = answers[0] && envelopeOf(answers[0])?.data;
      if (found) return found;
    }
    return undefined;
  }

  private async graphStep(random: Random): Promise<void> {
    this.note('without a login');
    this.counts.requests++;
    const { sent, answer, accepted, isJson } = await attackGraph(this.world.graph, random);
    const about = `[without a login] ${readable(sent)}\n  answered ${answer?.status ?? 'nothing'} ${readable(answer?.body ?? Buffer.alloc(0))}`;
    if (accepted) this.fail('acceptedWrongly', about);
    if (!isJson) this.fail('outsideEnvelope', about);
    if ((answer?.status ?? 500) >= 500) this.fail('errors500', about);
  }
}

/** Whether a refusal is the one in the contract, if the oracle knows which. */
function isAsExpected(verdict: Verdict, { status }: WireAnswer, { code }: Envelope): boolean {
  if (verdict.accept !== 'never') return true;
  return (verdict.status === null || verdict.status === status) && (verdict.code === null || verdict.code === code);
}

/** Whether an object has all these values. */
const holds = (found: Record<string, unknown> | null, values: Readonly<Record<string, unknown>>): boolean =>
  Object.entries(values).every(([key, value]) => found?.[key] === value);

/**
 * Sends mutated signed requests to a platform and compares each answer with an independent oracle, then the accepted
 * requests with the stored rows.
 */
export async function attack(world: World, options: AttackOptions): Promise<AttackResult> {
  const before = await world.count();
  const run = new Attack(world, options);
  let next = 0;
  await Promise.all(
    Array.from({ length: options.concurrency ?? 16 }, async () => {
      while (next < options.requests) await run.step(next++);
    }),
  );
  const after = await world.count();
  for (const kind of ['deposits', 'transfers'] as const) {
    const rows = after[kind] - before[kind];
    const most = run.made[kind] + (kind === 'transfers' ? run.unheard : 0);
    if (rows >= run.made[kind] && rows <= most) continue;
    run.counts.acceptedWrongly++;
    run.failures.push(`${rows} ${kind} were made, ${run.made[kind]} of them answered with success`);
  }
  return { ...run.counts, mutations: run.mutations, failures: run.failures };
}

/** The line that reports the result. */
export const summary = (result: AttackResult): string =>
  [
    `requests=${result.requests}`,
    `accepted-wrongly=${result.acceptedWrongly}`,
    `errors-500=${result.errors500}`,
    `outside-envelope=${result.outsideEnvelope}`,
    `refused-wrongly=${result.refusedWrongly}`,
    `other-refusals=${result.otherRefusals}`,
    `accepted=${result.accepted}`,
  ].join(' ');

/** Whether no failure was found. */
export const held = (result: AttackResult): boolean => result.failures.length === 0;
