// What the listeners of an image make with its files: the cashier's page, the console, and the operations that it asks for.

/** A page that each listener makes with files: that of a link that no payer has, and the console's. */
const PAGES = { gateway: '/cashier/nobody', graph: '/console/' };
/** Operations of the console that are asked for, of some hundred. */
const OPERATIONS = 10;

/** The graph knows the operations that its console asks for by their hashes: production takes no others from it. */
async function judgeOperations(process_, origin, scripts, say) {
  const hashes = [...new Set(scripts.match(/\b[0-9a-f]{64}\b/g))].slice(0, OPERATIONS);
  if (hashes.length === 0) throw new Error(`${process_.name}: its console has no operations`);
  for (const sha256Hash of hashes) {
    const answer = await fetch(new URL('/graphql', origin), {
      ...{ method: 'POST', headers: { 'content-type': 'application/json' } },
      body: JSON.stringify({ extensions: { persistedQuery: { version: 1, sha256Hash } } }),
    });
    const text = await answer.text();
    if (/PERSISTED_QUERY_NOT_FOUND|PersistedQueryNotFound/.test(text))
      throw new Error(`${process_.name}: does not know an operation of its console: ${text}`);
  }
  say(`${process_.name}: knows ${hashes.length} operations that its console asks for`);
}

/** The page of a listener and what it loads: both come from files of the image. */
export async function judgePage(process_, say) {
  const page = PAGES[process_.container.args[0]];
  if (page === undefined) return;
  const origin = `http://127.0.0.1:${process_.portOf('http')}`;
  const text = await (await fetch(new URL(page, origin))).text();
  const files = [...text.matchAll(/(?:src|href)="(\/[^"]+\/assets\/[^"]+)"/g)].map(([, file]) => file);
  if (files.length === 0) throw new Error(`${process_.name}: ${page} is no page: ${text}`);
  let loaded = '';
  for (const file of files) {
    const answer = await fetch(new URL(file, origin));
    if (!answer.ok) throw new Error(`${process_.name}: ${file} answers ${answer.status}`);
    loaded += await answer.text();
  }
  say(`${process_.name}: serves ${page} with ${files.length} files`);
  if (page === PAGES.graph) await judgeOperations(process_, origin, loaded, say);
}
