import type { DepositAnswer } from '../../domain/channel-deposit';
import type { Mapping } from '../../domain/mapping/schema';
import type { Variables } from '../../domain/mapping/template';
import { valuesOfJson } from '../../domain/mapping/document';
import { writeTime } from '../../domain/mapping/times';
import { NOT_SENT, type PayoutAnswer } from '../../domain/payout';
import type { Channel, PayoutQuery } from '../channel';
import { type HttpChannelDeps, isNeverSent, problemOf } from '../http-answer';
import type { Ask, Exchange } from './exchange';
import { secretsOf } from './keys';
import { listPayouts } from './list-payouts';
import { depositVariables, namedOrder, type OrderVariables, payoutVariables } from './order-variables';
import { AnswerReader } from './read-answer';
import { headersRead, readMappedWebhook } from './read-webhook';
import { type Signing, signedRequest } from './signed-request';

/** A channel with a mapping. The secret is in clear text, only in memory. */
export interface MappedChannelSettings {
  readonly mapping: Mapping;
  readonly environment: 'sandbox' | 'production';
  readonly baseUrl: string;
  readonly keyId: string;
  readonly secret: string;
  readonly timeoutSeconds: number;
  /** Why it must not send new orders; null if it may. */
  readonly stopped: string | null;
}

const isProblem = (order: OrderVariables): order is { readonly problem: string } =>
  typeof order['problem'] === 'string';

const NOT_MAPPED = 'the mapping has no such operation';
const unknown = (reason: string) => ({ kind: 'UNKNOWN', reason }) as const;
const refused = (reason: string) => ({ kind: 'REFUSED', reason }) as const;
const notBuilt = (reason: string) => ({ kind: 'REFUSED', reason: `${NOT_SENT}${reason}`, unsent: true }) as const;
/** The answer to an order that the provider did not answer. */
const unanswered = ({ kind, reason, ...came }: Exclude<Exchange, { readonly kind: 'answered' }>) =>
  kind !== 'unsent' ? unknown(reason) : 'built' in came ? notBuilt(reason) : refused(reason);

/** A channel that follows a declared mapping (docs/channels.md): one interpreter for all providers. */
export function mappedChannel(settings: MappedChannelSettings, { post, clock }: HttpChannelDeps): Channel {
  const { mapping, environment, timeoutSeconds, stopped } = settings;
  const { operations, webhook: rule } = mapping;
  const { baseUrl = settings.baseUrl, values: set } = mapping.settings[environment];
  const values: Variables = Object.fromEntries(Object.entries(set).map(([name, value]) => [`set.${name}`, value]));
  const secrets = secretsOf(settings.secret);
  const signing: Signing = { mapping, baseUrl, keyId: settings.keyId, secrets, values };
  const reader = new AnswerReader(mapping, environment === 'sandbox');

  const ask: Ask = async (request, order, signal) => {
    if (isProblem(order)) return { kind: 'unsent', reason: order.problem };
    const outgoing = signedRequest(signing, request, order, clock());
    if ('problem' in outgoing) return { kind: 'unsent', built: false, reason: outgoing.problem };
    const answer = await post({ ...outgoing, timeoutMs: timeoutSeconds * 1000 }, signal);
    const reason = problemOf(answer);
    if (answer.kind !== 'answered' || reason !== null)
      return { kind: isNeverSent(answer) ? 'unsent' : 'silent', reason: reason ?? 'no answer' };
    const found = valuesOfJson(answer.body);
    return found === undefined
      ? { kind: 'silent', reason: `HTTP ${answer.status} without JSON` }
      : { kind: 'answered', answered: { http: answer.status, values: found } };
  };

  async function queryPayout(query: PayoutQuery, signal: AbortSignal | undefined) {
    const operation = operations.queryPayout;
    if (!operation) return unknown(NOT_MAPPED);
    const came = await ask(operation, namedOrder(mapping, operation, query), signal);
    return came.kind === 'answered' ? reader.payout(operation, query, came.answered) : unknown(came.reason);
  }

  return {
    stopped,

    async sendPayout(request, signal): Promise<PayoutAnswer> {
      const operation = operations.sendPayout;
      if (!operation) return refused(NOT_MAPPED);
      if (stopped !== null) return notBuilt(stopped);
      const named = namedOrder(mapping, operation, request);
      const order = isProblem(named) ? named : { ...named, ...payoutVariables(request) };
      const came = await ask(operation, order, signal);
      if (came.kind === 'answered') return reader.sent(operation, request, came.answered);
      return unanswered(came);
    },

    async queryPayout(query, signal) {
      const answer = await queryPayout(query, signal);
      return answer.kind === 'NOT_FOUND' ? unknown('the channel does not know it') : answer;
    },

    async findPayout(query, signal) {
      const operation = operations.sendPayout;
      // What it cannot be requested to pay, it never got.
      if (!operation || isProblem(namedOrder(mapping, operation, query))) return null;
      return await queryPayout(query, signal);
    },

    async listPayouts(since, signal) {
      if (!operations.sendPayout) return null;
      const operation = operations.listPayouts;
      if (!operation) return { kind: 'NO_LIST' };
      return await listPayouts(
        mapping,
        operation,
        reader,
        writeTime(since, mapping.time),
        async (page) => await ask(operation, page, signal),
      );
    },

    async openDeposit(request, signal): Promise<DepositAnswer> {
      const operation = operations.openDeposit;
      if (!operation) return refused(NOT_MAPPED);
      if (stopped !== null) return notBuilt(stopped);
      const named = namedOrder(mapping, operation, request);
      const order = isProblem(named) ? named : { ...named, ...depositVariables(mapping, request) };
      const came = await ask(operation, order, signal);
      if (came.kind === 'answered') return reader.opened(operation, request, came.answered);
      return unanswered(came);
    },

    async queryDeposit(query, signal): Promise<DepositAnswer> {
      const operation = operations.queryDeposit;
      if (!operation) return unknown(NOT_MAPPED);
      const came = await ask(operation, namedOrder(mapping, operation, query), signal);
      return came.kind === 'answered' ? reader.deposit(operation, query, came.answered) : unknown(came.reason);
    },

    webhookHeaders: rule ? headersRead(rule) : [],
    readWebhook: (webhook) =>
      rule ? readMappedWebhook(rule, signing, webhook) : { kind: 'forged', problem: 'the mapping has no webhook' },

    async balance(currencyCode, signal) {
      const operation = operations.balance;
      if (!operation || (mapping.currency ?? currencyCode) !== currencyCode) return null;
      const came = await ask(operation, { currency: currencyCode }, signal);
      if (came.kind !== 'answered' || !reader.all(operation.answer.found, came.answered)) return null;
      return reader.balance(operation, currencyCode, came.answered);
    },

    async health(signal) {
      if (stopped !== null) return { health: 'DOWN', reason: stopped };
      const operation = operations.health;
      // A channel without a health check counts as up: its payouts and deposits show how it works.
      if (!operation) return { health: 'UP', reason: null };
      const came = await ask(operation, {}, signal);
      if (came.kind !== 'answered') return { health: 'DOWN', reason: came.reason };
      return reader.all(operation.answer.up, came.answered)
        ? { health: 'UP', reason: null }
        : { health: 'DOWN', reason: 'the channel does not report that it is up' };
    },
  };
}
