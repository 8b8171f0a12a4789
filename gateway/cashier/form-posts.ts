import type { FastifyReply, FastifyRequest } from 'fastify';
import { CatalogueError } from '../../domain/errors';
import type { Action, Forms } from './api';
import { choiceOf, formOf, isForm, outcomeOf, refuseForeignForms, claimOf } from './forms';
import { pathOf } from './page-routes';
import { GUARDS } from './policy';
import type { CashierCalls } from './session';
import type { Problem } from './texts/texts';

/** The answer to a refused form: what the payer can correct, or the session's current state. */
function problemOf({ kind, status }: CatalogueError, field: Problem): Problem {
  if (status === 429 || status >= 500) return 'busy';
  return kind === 'BUSINESS_ERROR' || kind === 'INVALID_FIELD' ? field : 'refused';
}

/** A parsed form, or the problem with it. */
type Handler = (calls: CashierCalls, request: FastifyRequest, form: FormData) => Promise<Problem | undefined>;

const submit: Handler = async (calls, request, form) => {
  const choice = choiceOf(form, await calls.view(request));
  if (typeof choice === 'string') return choice;
  await calls.submit(request, choice);
  return undefined;
};

const claim: Handler = async (calls, request, form) => {
  const claim = await claimOf(form);
  if (typeof claim === 'string') return claim;
  await calls.claim(request, claim);
  return undefined;
};

const simulate: Handler = async (calls, request, form) => {
  await calls.simulate(request, outcomeOf(form));
  return undefined;
};

/** The forms of the page, with the usual problem of each. */
const HANDLERS: Readonly<Record<Action, { readonly take: Handler; readonly field: Problem }>> = {
  submit: { take: submit, field: 'amount' },
  claim: { take: claim, field: 'reference' },
  simulate: { take: simulate, field: 'refused' },
};

/** Sends the browser back to the page. */
async function goBack(
  action: Action,
  request: FastifyRequest<{ Params: { token: string } }>,
  reply: FastifyReply,
  problem: Problem | undefined,
): Promise<void> {
  const query = new URLSearchParams();
  if (problem !== undefined) {
    if (action === 'claim') query.set('paid', '');
    query.set('problem', problem);
  }
  const suffix = query.size > 0 ? `?${query.toString()}` : '';
  await reply
    .headers(GUARDS)
    .code(303)
    .header('location', pathOf(request.params.token) + suffix)
    .send();
}

/** The problem to show the payer for a refusal. @throws an error that is not a refusal */
function problemBehind(error: unknown, action: Action, request: FastifyRequest): Problem {
  if (!(error instanceof CatalogueError)) throw error;
  request.logFields.code = error.code;
  return problemOf(error, HANDLERS[action].field);
}

/**
 * Does what a form asks for and redirects the browser to the page, which shows the result: so a reload repeats nothing.
 * Refusals redirect there too.
 */
export const pageForms = (calls: CashierCalls): Forms => ({
  takes: isForm,
  refuseForeign: refuseForeignForms,
  refuse: async (action, request, reply, error) => {
    await goBack(action, request, reply, problemBehind(error, action, request));
  },
  take: async (action, request, reply) => {
    let problem: Problem | undefined;
    try {
      problem = await HANDLERS[action].take(calls, request, await formOf(request));
    } catch (error) {
      problem = problemBehind(error, action, request);
    }
    await goBack(action, request, reply, problem);
  },
});
