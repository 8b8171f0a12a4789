import { generateSync } from 'otplib';
import { typeInto } from '../support/type-into';
import type { Testbed } from './testbed';

/** Login, invitation and password reset; an operator's own password, authenticator app and tokens. */
export const login = (get: () => Testbed): void => {
  describe('login and security page', () => {
    let testbed: Testbed;
    /** A recovery code of eve's that is not used yet. */
    let spare = '';
    beforeAll(() => {
      testbed = get();
    });

    it('requires a login, reports a wrong one, and opens the requested page', async () => {
      const { page, context } = await testbed.visitor();
      await testbed.go(page, 'deposits?status=PENDING');
      await typeInto(page.locator('[name=username]'), 'admin');
      await typeInto(page.locator('[name=password]'), 'no such password');
      await page.getByRole('button', { name: 'Log in' }).click();
      await page.getByText('Login, password or code is wrong').waitFor();
      await testbed.inspect(page, 'login');
      await testbed.login(page);
      // The requested page.
      expect(page.url()).toBe(new URL('deposits?status=PENDING', testbed.sandbox.console).href);
      await testbed.inspect(page, 'deposits-empty');
      await context.close();
    });

    it('asks for the login again after the session ended, and returns to the same page', async () => {
      const { page: own, context } = await testbed.visitor(0);
      await testbed.go(own, 'deposits?status=COMPLETED');
      await own.getByRole('heading', { name: 'Deposits' }).waitFor();
      await context.clearCookies();
      await own.getByRole('link', { name: 'Unmatched money' }).click();
      await own.getByText('Your session has ended').waitFor();
      await testbed.login(own);
      await own.getByRole('heading', { name: 'Unmatched money' }).waitFor();
      expect(own.url()).toBe(new URL('unmatched', testbed.sandbox.console).href);
      await own.getByRole('button', { name: /log out/ }).click();
      await own.getByRole('menuitem', { name: 'Log out' }).click();
      await own.getByText('You are logged out.').waitFor();
      // The browser stays known, which grants no access.
      const left = (await context.cookies()).map(({ name }) => name);
      expect(left).toEqual(['causeway-device']);
      await context.close();
    });

    it('logs out without an error while live updates are still connecting', async () => {
      const { page, context } = await testbed.visitor(0);
      let close: (() => Promise<void>) | undefined;
      await page.routeWebSocket(/graphql/, (socket) => {
        close = async () => {
          await socket.close({ code: 4403 });
        };
      });
      await testbed.go(page, 'unmatched');
      await page.getByText('Connecting', { exact: false }).first().waitFor();
      await page.getByRole('button', { name: /log out/ }).click();
      await page.getByRole('menuitem', { name: 'Log out' }).click();
      await page.getByText('You are logged out.').waitFor();
      const before = testbed.complaints.length;
      await close?.();
      await page.evaluate('new Promise((resolve) => setTimeout(resolve, 100))');
      expect({ held: close !== undefined, new: testbed.complaints.slice(before) }).toEqual({
        held: true,
        new: [],
      });
      await context.close();
    });

    it('accepts an invitation: login, password, authenticator app, recovery codes', async () => {
      await testbed.operate(
        `mutation { inviteOperator(email: "eve@example.com", roles: ["support"], reason: "new in the team") { change { id } } }`,
      );
      await testbed.approveNewest();
      const { page, context } = await testbed.visitor();
      await testbed.go(page, `invite#${await testbed.mailedToken('eve@example.com')}`);
      await page.getByText('eve@example.com is invited as Support').waitFor();
      await typeInto(page.getByLabel('New password'), 'a few good words');
      await typeInto(page.getByLabel('Repeat the password'), 'a few wrong');
      await page.getByText('The passwords differ').waitFor();
      await testbed.inspect(page, 'invitation');
      await typeInto(page.getByLabel('Repeat the password'), 'a few good words');
      await page.getByRole('button', { name: 'Accept the invitation' }).click();
      await page.getByRole('button', { name: 'Set up the authenticator app' }).click();
      await page.getByRole('img', { name: 'To scan' }).waitFor();
      await testbed.inspect(page, 'invitation-app');
      const secret = await page.locator('.secret .mono').innerText();
      await typeInto(page.locator('[name=code]'), '000000');
      await page.getByRole('button', { name: 'Confirm' }).click();
      await page.getByText('The code is wrong').waitFor();
      await typeInto(page.locator('[name=code]'), generateSync({ secret }));
      await page.getByRole('button', { name: 'Confirm' }).click();
      const codes = page.getByRole('list', { name: 'Recovery codes' }).getByRole('listitem');
      await codes.first().waitFor();
      expect(await codes.count()).toBe(10);
      const [recovery = '', another = ''] = await codes.allInnerTexts();
      spare = another;
      await testbed.inspect(page, 'recovery-codes');
      await page.getByLabel('I have stored them').check();
      await page.getByRole('button', { name: 'Done' }).click();
      await page.getByRole('heading', { name: 'Deposits' }).waitFor();
      // Support may not manage operators.
      expect(await page.getByRole('link', { name: 'Operators' }).count()).toBe(0);

      // The password alone is not enough now; a recovery code replaces the app.
      await context.clearCookies();
      await testbed.go(page, 'security');
      await typeInto(page.getByLabel('Login'), 'eve');
      await typeInto(page.locator('[name=password]'), 'a few good words');
      await page.getByRole('button', { name: 'Log in' }).click();
      await typeInto(page.locator('[name=code]'), recovery);
      await page.getByRole('button', { name: 'Log in' }).click();
      await page.getByText('9 left').waitFor();
      await context.close();
    });

    it('signs in by the identity provider, shows the second factor, and opens the requested page', async () => {
      const { page, context } = await testbed.visitor();
      // The provider's own page is not ours.
      testbed.expectFailedRequests(page);
      await testbed.go(page, 'oidc?code=one&state=another');
      await page.getByText('This sign-in was not begun in this tab').waitFor();
      await testbed.inspect(page, 'oidc-ended');
      await testbed.go(page, 'security');
      await page.getByRole('button', { name: 'Single sign-on' }).click();
      await page.getByRole('link', { name: 'Go on as stranger' }).click();
      await page.getByText('No operator who may log in has your address').waitFor();
      await page.getByRole('link', { name: 'Back to the login' }).click();
      await context.clearCookies();
      await page.getByRole('button', { name: 'Single sign-on' }).click();
      await page.getByRole('link', { name: 'Go on as eve' }).click();
      await page.locator('[name=code]').waitFor();
      await testbed.inspect(page, 'oidc-factor');
      await typeInto(page.locator('[name=code]'), spare);
      await page.getByRole('button', { name: 'Log in' }).click();
      await page.getByText('8 left').waitFor();
      expect(page.url()).toBe(new URL('security', testbed.sandbox.console).href);
      await context.close();
    });

    it('rejects a link that was used before', async () => {
      const { page, context } = await testbed.visitor();
      await testbed.go(page, 'invite#nothing-that-was-ever-mailed-to-anybody');
      await page.getByText('The link was already used').waitFor();
      await testbed.inspect(page, 'invitation-ended');
      await context.close();
    });

    it('mails a reset link; afterwards only the new password works', async () => {
      const { page, context } = await testbed.visitor();
      await testbed.go(page);
      await page.getByRole('link', { name: 'Forgot your password?' }).click();
      await typeInto(page.getByLabel('Login'), 'eve');
      await testbed.inspect(page, 'forgot');
      await page.getByRole('button', { name: 'Email me a link' }).click();
      await page.getByText('we have sent it a link').waitFor();
      await testbed.go(page, `reset#${await testbed.mailedToken('eve@example.com')}`);
      await typeInto(page.getByLabel('New password'), 'other good words');
      await typeInto(page.getByLabel('Repeat the password'), 'other good words');
      await testbed.inspect(page, 'reset');
      await page.getByRole('button', { name: 'Set the password' }).click();
      await page.getByText('Your password has been changed').waitFor();
      await page.getByRole('link', { name: 'Log in' }).click();
      await typeInto(page.getByLabel('Login'), 'eve');
      await typeInto(page.locator('[name=password]'), 'a few good words');
      await page.getByRole('button', { name: 'Log in' }).click();
      await page.getByText('Login, password or code is wrong').waitFor();
      await typeInto(page.locator('[name=password]'), 'other good words');
      await page.getByRole('button', { name: 'Log in' }).click();
      await page.locator('[name=code]').waitFor();
      await context.close();
    });

    it('adds a passkey, which logs in and confirms a step; its recovery codes outlive Escape', async () => {
      const { page, context } = await testbed.visitor();
      // Passkeys belong to a name: 127.0.0.1 has none.
      const security = new URL('security', testbed.sandbox.console);
      security.hostname = 'localhost';
      const devtools = await context.newCDPSession(page);
      await devtools.send('WebAuthn.enable');
      await devtools.send('WebAuthn.addVirtualAuthenticator', {
        options: {
          protocol: 'ctap2',
          transport: 'internal',
          automaticPresenceSimulation: true,
          hasResidentKey: true,
          hasUserVerification: true,
          isUserVerified: true,
        },
      });
      const { login: name, password } = testbed.sandbox.operators[2] ?? { login: '', password: '' };
      await page.goto(security.href);
      await testbed.login(page, 2);
      await page.getByRole('button', { name: 'New passkey' }).click();
      await typeInto(page.getByRole('textbox', { name: 'Name' }), 'the blue key');
      await typeInto(page.getByRole('dialog').locator('[name=password]'), password);
      await testbed.inspect(page, 'passkey-new');
      await page.getByRole('button', { name: 'Add the passkey' }).click();
      const codes = page.getByRole('list', { name: 'Recovery codes' });
      await codes.waitFor();
      await page.keyboard.press('Escape');
      await page.getByLabel('I have stored them').check();
      await page.getByRole('button', { name: 'Done' }).click();
      const row = page.getByRole('table', { name: 'Passkeys' }).getByRole('row', { name: 'the blue key' });
      await row.waitFor();
      await testbed.inspect(page, 'security-passkey');

      // This session was opened without a second factor: the step asks for one, and then succeeds.
      await page.getByRole('button', { name: 'New token' }).click();
      await typeInto(page.getByLabel('Purpose'), 'for a program');
      await page.getByRole('button', { name: 'Create token' }).click();
      const confirm = page.getByRole('dialog', { name: 'Confirm that it is you' });
      await confirm.getByRole('button', { name: 'Use a passkey' }).waitFor();
      await testbed.inspect(page, 'factor');
      await typeInto(confirm.locator('[name=code]'), '000000');
      await confirm.getByRole('button', { name: 'Confirm' }).click();
      await confirm.getByText('The code or the passkey is wrong').waitFor();
      await confirm.getByRole('button', { name: 'Use a passkey' }).click();
      await page.getByRole('dialog', { name: 'The new token' }).waitFor();
      await page.getByLabel('I have stored it').check();
      await page.getByRole('button', { name: 'Close' }).click();

      await row.getByRole('button', { name: 'Rename' }).click();
      await typeInto(page.getByRole('textbox', { name: 'Name' }), 'the red key');
      await page.getByRole('dialog').getByRole('button', { name: 'Rename' }).click();
      const renamed = page.getByRole('row', { name: 'the red key' });
      await renamed.waitFor();

      await context.clearCookies();
      await page.reload();
      await typeInto(page.locator('[name=username]'), name);
      await typeInto(page.locator('[name=password]'), password);
      await page.getByRole('button', { name: 'Log in' }).click();
      await page.getByRole('button', { name: 'Use a passkey' }).waitFor();
      await testbed.inspect(page, 'login-passkey');
      await page.getByRole('button', { name: 'Use a passkey' }).click();
      await renamed.getByRole('button', { name: 'Remove' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
      await page.getByText('No passkeys').waitFor();
      await context.close();
    });

    it('manages one’s own password, app and tokens, and shows each secret once', async () => {
      const { page, context } = await testbed.visitor(2);
      await testbed.go(page, 'security');
      await page.getByRole('table', { name: 'Sessions' }).getByText('This one').waitFor();
      await page.getByRole('button', { name: 'New token' }).click();
      await typeInto(page.getByLabel('Purpose'), 'the nightly books');
      await testbed.inspect(page, 'token-new');
      await page.getByRole('button', { name: 'Create token' }).click();
      const token = await page.getByRole('dialog', { name: 'The new token' }).locator('.secret .mono').innerText();
      expect(token).toMatch(/^cwt_/);
      await page.getByLabel('I have stored it').check();
      await page.getByRole('button', { name: 'Close' }).click();
      const row = page.getByRole('table', { name: 'API tokens' }).getByRole('row', { name: 'the nightly books' });
      await row.getByText('Live').waitFor();
      expect(await page.content()).not.toContain(token);
      const ask = async (): Promise<string> =>
        await (
          await fetch(testbed.sandbox.graphql, {
            method: 'POST',
            headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
            body: JSON.stringify({ query: '{ me { login } }' }),
          })
        ).text();
      expect(await ask()).toContain('"login"');
      await testbed.inspect(page, 'security');
      await row.getByRole('button', { name: 'Revoke' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
      await row.getByText('Revoked').waitFor();
      expect(await ask()).toContain('UNAUTHENTICATED');

      const { password } = testbed.sandbox.operators[2] ?? { password: '' };
      await page.getByRole('button', { name: 'Set up' }).click();
      await typeInto(page.getByRole('dialog').locator('[name=password]'), password);
      await page.getByRole('button', { name: 'Set up the authenticator app' }).click();
      const secret = await page.locator('.secret .mono').innerText();
      await typeInto(page.locator('[name=code]'), generateSync({ secret }));
      await page.getByRole('button', { name: 'Confirm' }).click();
      const recovery = await page
        .getByRole('list', { name: 'Recovery codes' })
        .getByRole('listitem')
        .first()
        .innerText();
      await page.getByLabel('I have stored them').check();
      await page.getByRole('button', { name: 'Done' }).click();
      await page.getByText('10 left').waitFor();
      await page.getByRole('button', { name: 'Remove' }).click();
      await typeInto(page.getByRole('dialog').locator('[name=password]'), password);
      await typeInto(page.locator('[name=code]'), '123456');
      await testbed.inspect(page, 'app-remove');
      await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
      await page.getByText('Login, password or code is wrong').waitFor();
      await typeInto(page.locator('[name=code]'), recovery);
      await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
      await page.getByRole('button', { name: 'Set up' }).waitFor();

      await page.getByRole('button', { name: 'Change password' }).click();
      await typeInto(page.getByRole('dialog').locator('[name=password]'), 'not the password');
      await typeInto(page.getByLabel('New password'), 'short');
      expect(await page.getByRole('button', { name: 'Save password' }).isDisabled()).toBe(true);
      await typeInto(page.getByLabel('New password'), 'something long enough');
      await typeInto(page.getByLabel('Repeat the password'), 'something long enough');
      await testbed.inspect(page, 'password-change');
      await page.getByRole('button', { name: 'Save password' }).click();
      await page.getByText('Login, password or code is wrong').waitFor();
      await context.close();
    });
  });
};
