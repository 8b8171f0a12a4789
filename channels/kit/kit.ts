import type { CallbackAnswer } from '../../domain/callback-verdict';
import type { Mapping } from '../../domain/mapping/schema';
import { stringToSign } from '../../domain/mapping/string-to-sign';
import type { Variables } from '../../domain/mapping/template';
import { money } from '../../domain/money';
import type { Channel, PayoutQuery } from '../channel';
import { mappedChannel } from '../mapped/mapped-channel';
import { messageVariables } from '../mapped/signed-request';
import { sign } from '../mapped/signer';
import type { KitCheck } from './kit-check';
import { tryHostileValues } from './hostile';
import { tryWebhooks } from './webhooks';

type AnswerSample = Mapping['samples']['answers'][number];

/** A provider with recorded answers and faults: the answer to the channel's next request. */
class RecordedProvider {
  next: CallbackAnswer = { kind: 'unreachable', reason: 'timeout', detail: '' };

  constructor(
    readonly mapping: Mapping,
    private readonly environment: 'sandbox' | 'production',
    private readonly secret: string,
  ) {}

  readonly channel = (): Channel =>
    mappedChannel(
      {
        mapping: this.mapping,
        environment: this.environment,
        secret: this.secret,
        baseUrl: 'https://provider.invalid',
        keyId: 'kit',
        timeoutSeconds: 1,
        stopped: null,
      },
      { post: async () => await Promise.resolve(this.next), clock: () => new Date(0) },
    );

  answers(status: number, body: string): void {
    this.next = { kind: 'answered', status, body, durationMs: 0 };
  }
}

const OTHER_STATUS = 'a status that no document has';

/** Makes the sample's request, or a changed one. @returns the kind of answer that was read */
async function read(
  provider: RecordedProvider,
  { operation, asked }: AnswerSample,
  over: Partial<PayoutQuery> = {},
): Promise<string> {
  const query: PayoutQuery = {
    reference: asked.reference,
    amount: money(asked.amount),
    currencyCode: asked.currency,
    ...over,
  };
  const channel = provider.channel();
  switch (operation) {
    case 'openDeposit':
      return (
        await channel.openDeposit({
          ...query,
          contact: { mobile: null, email: null },
          account: null,
          expireAt: new Date(600_000),
        })
      ).kind;
    case 'queryDeposit':
      return (await channel.queryDeposit(query)).kind;
    case 'sendPayout':
      return (
        await channel.sendPayout({
          ...query,
          bankCode: '1',
          bankBranch: null,
          beneficiaryName: 'A',
          beneficiaryAccount: '1',
        })
      ).kind;
    case 'queryPayout':
      return (await channel.findPayout(query))?.kind ?? 'UNKNOWN';
  }
}

/** Tries a mapping by its recorded samples, and by faults. Sends nothing. */
class Kit {
  readonly checks: KitCheck[] = [];
  private readonly provider: RecordedProvider;

  constructor(
    private readonly mapping: Mapping,
    environment: 'sandbox' | 'production',
    secret: string,
  ) {
    this.provider = new RecordedProvider(mapping, environment, secret);
  }

  note(name: string, problem: string | null): void {
    this.checks.push({ name, passed: problem === null, detail: problem ?? '' });
  }

  async expects(name: string, means: string, got: () => Promise<string>): Promise<void> {
    try {
      const kind = await got();
      this.note(name, kind === means ? null : `${kind} instead of ${means}`);
    } catch (error) {
      this.note(name, error instanceof Error ? error.message : 'it throws');
    }
  }

  /** There must be a sample of everything that moves money. */
  samples(): void {
    const { operations, samples, webhook } = this.mapping;
    const has = (operation: AnswerSample['operation'], means: AnswerSample['means']): void => {
      const there = samples.answers.some((one) => one.operation === operation && one.means === means);
      this.note(`sample of ${operation}: ${means}`, there ? null : 'there is none');
    };
    if (operations.openDeposit) {
      has('openDeposit', 'OPENED');
      has('queryDeposit', 'COMPLETED');
      has('queryDeposit', 'FAILED');
    }
    if (operations.sendPayout) {
      has('sendPayout', 'ACCEPTED');
      has('queryPayout', 'COMPLETED');
      has('queryPayout', 'FAILED');
    }
    this.note('sample of a signature', samples.signing.length > 0 ? null : 'there is none');
    if (webhook) this.note('sample of a webhook', samples.webhooks.length > 0 ? null : 'there is none');
  }

  /** Published signatures must be reproduced, and no other text must be accepted. */
  signatures(): void {
    const { samples, signature, webhook } = this.mapping;
    for (const sample of samples.signing) {
      const rule = sample.of === 'webhook' ? webhook?.signature : signature;
      const name = `signature "${sample.name}"`;
      if (!rule) {
        this.note(name, 'the mapping has no webhook');
        continue;
      }
      const values: Variables = { ...sample.values, secret: sample.key };
      const message = messageVariables(
        values['method'] ?? 'POST',
        values['path'] ?? '',
        values['url'] ?? '',
        values['query'] ?? '',
        values['body'] ?? '',
      );
      const text = stringToSign(rule, sample.fields ?? [], { ...message, ...values });
      if (text === null) {
        this.note(name, 'its text names a value that the sample does not have');
        continue;
      }
      try {
        const got = sign(rule, text, sample.key);
        this.note(name, got === sample.signature ? null : `${got} over ${text}`);
      } catch {
        this.note(name, 'its key cannot be used');
      }
    }
  }

  async answers(): Promise<void> {
    for (const sample of this.mapping.samples.answers) {
      const { name, http, body, means } = sample;
      this.provider.answers(http, body);
      await this.expects(`answer "${name}"`, means, async () => await read(this.provider, sample));
      await this.faults(sample);
    }
  }

  /** Faults on the way, and answers of a careless or dishonest provider. */
  private async faults(sample: AnswerSample): Promise<void> {
    const { name, operation, asked, http, body, means } = sample;
    const { provider } = this;
    const fault = async (what: string, expected: string, over: Partial<PayoutQuery> = {}) => {
      await this.expects(`answer "${name}": ${what}`, expected, async () => await read(provider, sample, over));
    };
    const isRequest = operation === 'openDeposit' || operation === 'sendPayout';
    provider.next = { kind: 'unreachable', reason: 'timeout', detail: '' };
    await fault('lost answer', 'UNKNOWN');
    provider.next = { kind: 'unreachable', reason: 'refused', detail: '' };
    await fault('never sent', isRequest ? 'REFUSED' : 'UNKNOWN');
    provider.answers(500, body);
    await fault('fault of the provider', 'UNKNOWN');
    provider.answers(http, body.slice(0, -1));
    await fault('cut off', 'UNKNOWN');
    if (isRequest || means === 'NOT_FOUND' || means === 'UNKNOWN') return;
    provider.answers(http, body);
    await fault('wrong amount', 'UNKNOWN', { amount: money(asked.amount).plus(1) });
    await fault('another order', 'UNKNOWN', { reference: `${asked.reference}-other` });
    const { status } = this.mapping.operations[operation]?.answer ?? { status: '' };
    const changed = withValueAt(body, status, OTHER_STATUS);
    provider.answers(http, changed);
    await fault('unknown status', 'UNKNOWN');
  }

  /** A provider may correct itself: each answer counts by itself, whatever came before. */
  async lateSuccess(): Promise<void> {
    for (const operation of ['queryDeposit', 'queryPayout'] as const) {
      const of = (means: string) =>
        this.mapping.samples.answers.find((one) => one.operation === operation && one.means === means);
      const [failed, paid] = [of('FAILED'), of('COMPLETED')];
      if (!failed || !paid) continue;
      const kinds: string[] = [];
      for (const { http, body, ...sample } of [failed, paid, failed]) {
        this.provider.answers(http, body);
        kinds.push(await read(this.provider, { http, body, ...sample }));
      }
      const got = kinds.join(', ');
      this.note(`${operation}: late success`, got === 'FAILED, COMPLETED, FAILED' ? null : got);
    }
  }
}

/** The JSON text with another value at a pointer. */
function withValueAt(body: string, pointer: string, value: string): string {
  const parsed = JSON.parse(body) as Record<string, unknown>;
  const segments = pointer.split('/').slice(1);
  const last = segments.pop() ?? '';
  let at: Record<string, unknown> | undefined = parsed;
  for (const segment of segments) at = at?.[segment] as Record<string, unknown> | undefined;
  if (at) at[last] = value;
  return JSON.stringify(parsed);
}

/**
 * Tries a mapping: it must reproduce published signatures and read recorded answers and reports as they are meant, no
 * fault may move money, and no hostile text may change what is asked. Pure: nothing is sent.
 * @param secret the channel's own, for requests that no sample signs
 */
export async function tryMapping(
  mapping: Mapping,
  environment: 'sandbox' | 'production',
  secret: string,
): Promise<readonly KitCheck[]> {
  const kit = new Kit(mapping, environment, secret);
  kit.samples();
  kit.signatures();
  await kit.answers();
  await kit.lateSuccess();
  return [...kit.checks, ...(await tryHostileValues(mapping, environment)), ...tryWebhooks(mapping, environment)];
}
