import type { FastifyReply, FastifyRequest } from 'fastify';
import { invalidField } from '../../domain/errors';
import { LIMITS } from '../../domain/limits';
import type { App } from '../app';
import { jsonBody } from '../body';
import type { GatewayDeps } from '../deps';
import { success, type Success } from '../envelope';
import type { CashierCalls, CashierState, Choice, Claim } from './session';
import { Uploads } from './uploads';

/** The actions of a session, by the last part of the address. */
export type Action = 'submit' | 'claim' | 'simulate';

/** The forms that pages without a script send to the same addresses. */
export interface Forms {
  /** Whether the request is a form. */
  readonly takes: (request: FastifyRequest) => boolean;
  /** @throws AUTHORIZATION_ERROR for a form of another site's page */
  readonly refuseForeign: (request: FastifyRequest) => void;
  /** Answers a form that is refused before it is read. */
  readonly refuse: (
    action: Action,
    request: FastifyRequest<{ Params: { token: string } }>,
    reply: FastifyReply,
    error: unknown,
  ) => Promise<void>;
  /** Answers a form. */
  readonly take: (
    action: Action,
    request: FastifyRequest<{ Params: { token: string } }>,
    reply: FastifyReply,
  ) => Promise<void>;
}

/** A picture in base64, and the rest of the claim. */
const CLAIM_BODY_BYTES = Math.ceil((LIMITS.claimReceiptBytes * 4) / 3) + LIMITS.bodyBytes;

const snakeCase = (name: string): string => name.replace(/[A-Z]/g, (c) => `_${c.toLowerCase()}`);

/** The state as JSON clients see it: names in snake_case, states in lower case as everywhere in REST. */
function shown(value: unknown, name = ''): unknown {
  if (Array.isArray(value)) return value.map((one) => shown(one));
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(Object.entries(value).map(([key, one]) => [snakeCase(key), shown(one, key)]));
  return name === 'status' && typeof value === 'string' ? value.toLowerCase() : value;
}

const answer = (state: CashierState): Success<unknown> => success(shown(state));

const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/;

/** An optional text. @throws INVALID_FIELD */
function textOf(value: unknown, name: string): string | null {
  if (value === undefined || value === null) return null;
  if (typeof value !== 'string') throw invalidField(name, 'must be a string');
  return value;
}

/** An optional count, within what GraphQL takes as Int. @throws INVALID_FIELD */
function indexOf(value: unknown, name: string): number | null {
  if (value === undefined || value === null) return null;
  if (typeof value !== 'number' || !Number.isInteger(value) || value < 0 || value > 2 ** 31 - 1)
    throw invalidField(name, 'must be an integer from 0');
  return value;
}

function choiceOf(request: FastifyRequest): Choice {
  const { fields, texts } = jsonBody(request);
  const card = indexOf(fields.get('card_index'), 'card_index');
  const version = indexOf(fields.get('version'), 'version');
  // The text as written, not a parsed number.
  const amount = fields.get('amount') ?? null;
  return { amount: amount === null ? null : (texts.get('amount') ?? ''), cardIndex: card, version };
}

function claimOf(request: FastifyRequest): Claim {
  const { fields } = jsonBody(request);
  const reference = textOf(fields.get('reference'), 'reference');
  if (reference === null) throw invalidField('reference', 'is required', 'REQUIRED');
  const receipt = textOf(fields.get('receipt'), 'receipt');
  if (receipt !== null && !BASE64.test(receipt)) throw invalidField('receipt', 'must be base64');
  return { reference, receipt: receipt === null ? null : Buffer.from(receipt, 'base64') };
}

const OUTCOMES = { paid: 'PAID', wrong_amount: 'WRONG_AMOUNT', expired: 'EXPIRED' } as const;
const isOutcome = (text: string): text is keyof typeof OUTCOMES => Object.hasOwn(OUTCOMES, text);

function outcomeOf(request: FastifyRequest): (typeof OUTCOMES)[keyof typeof OUTCOMES] {
  const outcome = textOf(jsonBody(request).fields.get('outcome'), 'outcome') ?? '';
  if (!isOutcome(outcome))
    throw invalidField('outcome', `must be one of ${Object.keys(OUTCOMES).join(', ')}`, 'UNKNOWN_VALUE');
  return OUTCOMES[outcome];
}

const ACTIONS = {
  submit: async (calls, request) => await calls.submit(request, choiceOf(request)),
  claim: async (calls, request) => await calls.claim(request, claimOf(request)),
  simulate: async (calls, request) => await calls.simulate(request, outcomeOf(request)),
} satisfies Record<Action, (calls: CashierCalls, request: FastifyRequest) => Promise<CashierState>>;

/**
 * The cashier's own JSON, for the payer whose token is in the path (docs/cashier.md). Merchants do not use it.
 * @param forms null if no page is served that sends any
 */
export function cashierApi(
  app: App,
  { environment }: GatewayDeps,
  calls: CashierCalls,
  forms: Forms | null = null,
): void {
  app.get<{ Params: { token: string } }>(
    '/cashier/:token/state',
    { schema: { hide: true } },
    async (request, reply) => {
      reply.header('referrer-policy', 'no-referrer');
      return answer(await calls.view(request));
    },
  );
  const uploads = new Uploads();
  for (const action of ['submit', 'claim', 'simulate'] as const) {
    // In production this address does not exist.
    if (action === 'simulate' && environment === 'production') continue;
    app.post<{ Params: { token: string } }>(
      `/cashier/:token/${action}`,
      {
        schema: { hide: true },
        ...(action === 'claim' && { bodyLimit: CLAIM_BODY_BYTES }),
        // Before any byte of the body is kept.
        onRequest: async (request, reply) => {
          reply.header('referrer-policy', 'no-referrer');
          const form = forms?.takes(request) ? forms : null;
          form?.refuseForeign(request);
          try {
            await calls.admit(request);
            if (action === 'claim') uploads.take(request.params.token, request, reply);
          } catch (error) {
            if (!form) throw error;
            await form.refuse(action, request, reply, error);
            return;
          }
          if (action === 'claim') request.awaitLargeBody();
        },
      },
      async (request, reply) => {
        if (!forms?.takes(request)) return answer(await ACTIONS[action](calls, request));
        await forms.take(action, request, reply);
        return await reply;
      },
    );
  }
}
