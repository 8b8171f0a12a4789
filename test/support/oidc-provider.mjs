// A certified OpenID provider as a process of its own: node oidc-provider.mjs REDIRECT_URI ACCOUNTS, where ACCOUNTS are
// the claims by account, as JSON. It prints its issuer. A person chooses an account on its page, and enters nothing else.
import { createServer } from 'node:http';
import { argv } from 'node:process';
import Provider from 'oidc-provider';

const [redirectUri, accountsText] = argv.slice(2);
const accounts = JSON.parse(accountsText);
const server = createServer();
server.listen(0, '127.0.0.1', () => {
  const issuer = `http://127.0.0.1:${server.address().port}`;
  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: 'causeway',
        client_secret: 'a secret of tests',
        redirect_uris: [redirectUri],
        application_type: redirectUri.startsWith('http:') ? 'native' : 'web',
      },
    ],
    claims: { openid: ['sub', 'groups'], email: ['email', 'email_verified'] },
    cookies: { keys: ['a key of tests'] },
    features: { devInteractions: { enabled: false } },
    findAccount: (_context, accountId) => ({
      accountId,
      claims: () => ({ sub: accountId, ...accounts[accountId] }),
    }),
    interactions: { url: (_context, { uid }) => `/choose/${uid}` },
    // There is no page of consent: the console may always know the address.
    loadExistingGrant: async ({ oidc }) => {
      const grant = new provider.Grant({
        clientId: oidc.client.clientId,
        accountId: oidc.session.accountId,
      });
      grant.addOIDCScope('openid email');
      await grant.save();
      return grant;
    },
  });
  const answer = provider.callback();
  server.on('request', (request, response) => {
    const url = new URL(request.url, issuer);
    if (!url.pathname.startsWith('/choose/')) {
      answer(request, response);
      return;
    }
    const accountId = url.searchParams.get('account');
    if (accountId !== null) {
      provider.interactionFinished(request, response, { login: { accountId }, consent: {} });
      return;
    }
    const links = Object.keys(accounts).map((name) => `<p><a href="?account=${name}">Go on as ${name}</a></p>`);
    response.setHeader('content-type', 'text/html');
    response.end(`<!doctype html><title>Provider</title>${links.join('')}`);
  });
  console.log(issuer);
});
