import { parseUrl } from '../../domain/url';
import type { FastifyRequest } from 'fastify';
import { CatalogueError } from '../../domain/errors';
import { LIMITS } from '../../domain/limits';
import { singleHeader } from '../headers';
import { readAmount } from './amounts';
import type { Choice, Claim } from './session';
import type { Outcome, Problem } from './texts/texts';
import type { CashierView } from './view';

const FORM = /^(application\/x-www-form-urlencoded|multipart\/form-data)\s*(;|$)/i;

/** The body is a browser's form. */
export const isForm = ({ raw }: FastifyRequest): boolean => FORM.test(singleHeader(raw, 'content-type') ?? '');

const hostOf = (origin: string): string | undefined => parseUrl(origin)?.host;

/**
 * Refuses a form of another site's page. The address holds the token, which such a page would have to know; this is a
 * second protection. `Origin` alone is not enough: our own pages send `null`, because of their referrer policy.
 * @throws AUTHORIZATION_ERROR
 */
export function refuseForeignForms({ headers }: FastifyRequest): void {
  const site = headers['sec-fetch-site'];
  const { origin, host } = headers;
  const foreign =
    site === undefined
      ? origin !== undefined && origin !== 'null' && hostOf(origin) !== host
      : site !== 'same-origin' && site !== 'none';
  if (foreign) throw new CatalogueError('AUTHORIZATION_ERROR', 'the form was not sent from this page');
}

/** Reads a form within the route's body limit. @throws MALFORMED_REQUEST */
export async function formOf(request: FastifyRequest): Promise<FormData> {
  const type = singleHeader(request.raw, 'content-type') ?? '';
  const body = request.body instanceof Buffer ? new Uint8Array(request.body) : new Uint8Array();
  try {
    // Deprecated for servers that read bodies without a limit: this one is in memory and within its limit.
    // eslint-disable-next-line @typescript-eslint/no-deprecated
    return await new Response(body, { headers: { 'content-type': type } }).formData();
  } catch {
    throw new CatalogueError('MALFORMED_REQUEST', 'the body must be a form');
  }
}

const textOf = (form: FormData, name: string): string => {
  const value = form.get(name);
  return typeof value === 'string' ? value.trim() : '';
};

/** Reads the choice; the graph validates it. */
export function choiceOf(form: FormData, view: CashierView): Choice | Problem {
  const chosen = textOf(form, 'amount');
  const typed = chosen === '' || chosen === 'other' ? textOf(form, 'own') : chosen;
  const amount = view.order ? null : readAmount(typed, view.decimals);
  if (amount === undefined) return 'amount';
  const shown = textOf(form, 'version');
  const version = /^\d{1,9}$/.test(shown) ? Number(shown) : null;
  if (view.cards.length === 0) return { amount, cardIndex: null, version };
  const card = textOf(form, 'card');
  return /^\d$/.test(card) ? { amount, cardIndex: Number(card), version } : 'card';
}

/** @returns the problem, if it can be found without the graph */
export async function claimOf(form: FormData): Promise<Claim | Problem> {
  const reference = textOf(form, 'reference');
  if (reference === '' || reference.length > LIMITS.claimReference) return 'reference';
  const file = form.get('receipt');
  if (file === null || typeof file === 'string' || file.size === 0) return { reference, receipt: null };
  if (file.size > LIMITS.claimReceiptBytes) return 'receipt';
  return { reference, receipt: Buffer.from(await file.arrayBuffer()) };
}

const OUTCOMES: ReadonlySet<string> = new Set<Outcome>(['PAID', 'WRONG_AMOUNT', 'EXPIRED']);

/** The outcome that the sandbox simulates. @throws MALFORMED_REQUEST */
export function outcomeOf(form: FormData): Outcome {
  const outcome = textOf(form, 'outcome');
  if (!OUTCOMES.has(outcome)) throw new CatalogueError('MALFORMED_REQUEST', 'no such outcome');
  return outcome as Outcome;
}
