import type { Mapping } from '../../domain/mapping/schema';
import type { Webhook, WebhookReading } from '../channel';
import { readMappedWebhook } from '../mapped/read-webhook';
import type { KitCheck } from './kit-check';

type Sample = Mapping['samples']['webhooks'][number];
type Rule = NonNullable<Mapping['webhook']>;

/** The text with one character changed. */
const altered = (text: string, at: number): string => {
  const other = text[at] === '0' ? '1' : '0';
  return `${text.slice(0, at)}${other}${text.slice(at + 1)}`;
};

/** Verified with the sample's own key, not the channel's. */
function readerOf({ settings }: Mapping, rule: Rule, environment: 'sandbox' | 'production', sample: Sample) {
  const values = Object.fromEntries(
    Object.entries(settings[environment].values).map(([name, value]) => [`set.${name}`, value]),
  );
  const isPublic = rule.signature.verifyKey !== undefined;
  const ofSample: Rule = isPublic ? { ...rule, signature: { ...rule.signature, verifyKey: sample.key } } : rule;
  return (webhook: Webhook): WebhookReading =>
    readMappedWebhook(ofSample, { keyId: 'kit', secrets: { sign: sample.key }, values }, webhook);
}

const webhookOf = ({ headers, body, query }: Sample): Webhook => ({
  headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value])),
  body: Buffer.from(body),
  ...(query !== undefined && { query }),
});

/** Tries a mapping with recorded reports: unchanged, twice, in another order, and forged. */
export function tryWebhooks(mapping: Mapping, environment: 'sandbox' | 'production'): KitCheck[] {
  const { webhook: rule, samples } = mapping;
  if (!rule) return [];
  const checks: KitCheck[] = [];
  const note = (name: string, problem: string | null): void => {
    checks.push({ name, passed: problem === null, detail: problem ?? '' });
  };
  const tell = (reading: WebhookReading): string =>
    reading.kind === 'message'
      ? `${reading.message.reference} ${reading.message.reported.toLowerCase()}`
      : `${reading.kind}: ${reading.problem}`;
  for (const sample of samples.webhooks) {
    const read = readerOf(mapping, rule, environment, sample);
    const webhook = webhookOf(sample);
    const first = read(webhook);
    const meant = `${sample.reference} ${sample.reports}`;
    note(`webhook "${sample.name}"`, tell(first) === meant ? null : `${tell(first)} instead of ${meant}`);
    const again = read(webhook);
    const same =
      first.kind === 'message' && again.kind === 'message' && first.message.messageId === again.message.messageId;
    note(`webhook "${sample.name}": duplicate`, same ? null : 'a repetition has another id');
    // The signature must cover each byte that identifies the order.
    const at = sample.body.indexOf(sample.reference);
    const forged = at === -1 ? webhook : { ...webhook, body: Buffer.from(altered(sample.body, at)) };
    const query = webhook.query ?? '';
    const inQuery = query.indexOf(sample.reference);
    const changed = at === -1 && inQuery !== -1 ? { ...webhook, query: altered(query, inQuery) } : forged;
    const forgery = read(changed).kind;
    note(`webhook "${sample.name}": forged`, forgery === 'forged' ? null : `it is accepted (${forgery})`);
    const stranger = readerOf(mapping, rule, environment, {
      ...sample,
      key: altered(sample.key, Math.floor(sample.key.length / 2)),
    })(webhook).kind;
    note(`webhook "${sample.name}": another key`, stranger === 'forged' ? null : `it is accepted (${stranger})`);
  }
  const inOrder = samples.webhooks.map((one) => tell(readerOf(mapping, rule, environment, one)(webhookOf(one))));
  const reversed = [...samples.webhooks]
    .reverse()
    .map((one) => tell(readerOf(mapping, rule, environment, one)(webhookOf(one))))
    .reverse();
  note('webhooks: reordered', inOrder.join() === reversed.join() ? null : 'the result depends on their order');
  return checks;
}
