import { randomBytes } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { CatalogueError, notFound } from '../../domain/errors';
import type { App } from '../app';
import { ASSETS_PATH, type BuiltAssets, readBuiltAssets } from './assets';
import { languageFor } from './language';
import { sendAsset, sendPage } from './packing';
import { cashierPage, noticePage } from './page';
import { cashierPolicy, GUARDS } from './policy';
import type { CashierCalls } from './session';
import { PROBLEMS, type Problem } from './texts/texts';

/** The page's own path. The token is letters, digits, `-`, `_` and `.`; anything else is no token and is encoded. */
export const pathOf = (token: string): string => `/cashier/${encodeURIComponent(token)}`;

/** Whether a retry may help; otherwise the link is dead. */
const isTemporary = ({ status }: CatalogueError): boolean => status === 429 || status >= 500;

const problemOf = (query: URLSearchParams): Problem | null =>
  PROBLEMS.find((problem) => problem === query.get('problem')) ?? null;

/** Routes of the payer's page and its assets. */
export function pageRoutes(app: App, calls: CashierCalls): void {
  let built: BuiltAssets | undefined;
  const assets = (): BuiltAssets => (built ??= readBuiltAssets());

  async function showPage(
    request: FastifyRequest<{ Params: { token: string } }>,
    reply: FastifyReply,
  ): Promise<FastifyReply> {
    const query = new URL(request.url, 'http://page').searchParams;
    const nonce = randomBytes(16).toString('base64');
    const shell = {
      language: languageFor(request, reply, query),
      path: pathOf(request.params.token),
      nonce,
      assets: assets().page,
    };
    reply.headers(GUARDS);
    try {
      const view = await calls.view(request);
      reply.header('content-security-policy', cashierPolicy(nonce, view.merchant.logoUrl));
      const page = { ...shell, view, problem: problemOf(query), claiming: query.has('paid') };
      return await sendPage(request, reply, cashierPage(page));
    } catch (error) {
      const refusal = error instanceof CatalogueError ? error : new CatalogueError('INTERNAL_ERROR', 'internal error');
      if (refusal !== error) request.log.error({ err: error }, 'the page failed');
      request.logFields.code = refusal.code;
      reply.code(refusal.status).header('content-security-policy', cashierPolicy(nonce, null));
      if (isTemporary(refusal)) reply.header('retry-after', '5');
      return await sendPage(request, reply, noticePage(shell, isTemporary(refusal) ? 'unavailable' : 'invalid'));
    }
  }

  app.get<{ Params: { token: string } }>('/cashier/:token', { schema: { hide: true } }, showPage);

  app.get<{ Params: { file: string } }>(`${ASSETS_PATH}:file`, { schema: { hide: true } }, async (request, reply) => {
    const asset = assets().files.get(request.params.file);
    if (!asset) throw notFound('file');
    return await sendAsset(request, reply.headers(GUARDS), asset);
  });
}
