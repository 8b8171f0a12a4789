import { OidcProvider } from '../support/oidc';
import { login } from './login';
import { operators } from './operators';
import { sessionEnd } from './session-end';
import { consoleSuite } from './suite';

let provider: OidcProvider;
beforeAll(async () => {
  // A program's redirection to this machine may have any port.
  provider = await OidcProvider.start('http://127.0.0.1/console/oidc', {
    eve: { email: 'eve@example.com', email_verified: true },
    stranger: { email: 'mallory@example.com', email_verified: true },
  });
});
afterAll(async () => {
  await provider.stop();
});

consoleSuite('login and operators', [login, sessionEnd, operators], () => provider.settings);
