import type { BrowserContext, Locator, Page } from 'playwright-core';
import { typeInto } from '../support/type-into';
import type { Testbed } from './testbed';

/** What the operator types before the session ends. */
const TYPED = { amount: '4321', evidence: 'letter 17', reason: 'promised on the telephone' };

/** Forms that are being filled when the session ends. */
export const sessionEnd = (get: () => Testbed): void => {
  describe('a session that ends', () => {
    let testbed: Testbed;
    let page: Page;
    let context: BrowserContext;
    let dialog: Locator;
    beforeAll(() => {
      testbed = get();
    });
    beforeEach(async () => {
      const { nodes } = await testbed.operate<{ nodes: { id: string }[] }>('{ merchants(first: 1) { nodes { id } } }');
      ({ page, context } = await testbed.visitor(0));
      await testbed.go(page, `merchants/${nodes[0]?.id ?? ''}?tab=balances`);
      dialog = page.getByRole('dialog', { name: 'Top up' });
      await page.getByRole('button', { name: 'Top up' }).click();
      await page.getByText('Live', { exact: true }).waitFor();
      await typeInto(page.getByLabel('Amount'), TYPED.amount);
      await typeInto(page.getByLabel('Evidence'), TYPED.evidence);
      await typeInto(page.getByLabel('Reason'), TYPED.reason);
    });
    afterEach(async () => {
      await context.close();
    });

    /** All that the page's fields hold, visible or not. */
    const held = async (): Promise<string> =>
      String(
        await page.evaluate(`[...document.querySelectorAll('input, textarea')].map(({ value }) => value).join('\\n')`),
      );

    const ended = async (): Promise<void> => {
      await page.getByText('Your session has ended').waitFor();
    };

    const isKept = async (): Promise<void> => {
      await dialog.waitFor();
      expect(await page.getByLabel('Amount').inputValue()).toBe(TYPED.amount);
      expect(await page.getByLabel('Evidence').inputValue()).toBe(TYPED.evidence);
      expect(await page.getByLabel('Reason').inputValue()).toBe(TYPED.reason);
    };

    it('keeps a half-filled dialog, hidden behind the login, and its operator sends it then', async () => {
      const title = await page.title();
      await context.clearCookies();
      // A poll of the page may be faster, and hide the button.
      await page.locator('[role=dialog] button[type=submit]').dispatchEvent('click');
      await ended();
      expect(await page.locator('[name=username]').inputValue()).toBe('admin');
      expect(await page.title()).toBe('Log in · Causeway');
      expect(await page.getByRole('dialog').count()).toBe(0);
      expect(await page.getByRole('navigation').count()).toBe(0);
      const read = await page.locator('body').innerText();
      expect(read).not.toContain('Top up');
      expect(read).not.toContain('Balances');
      // No key reaches the page: Escape would close the dialog, and Tab would enter it.
      await page.keyboard.press('Escape');
      for (let n = 0; n < 12; n += 1) {
        await page.keyboard.press('Tab');
        expect(await page.evaluate(`document.activeElement.closest('.shell, [role=dialog]')`)).toBe(null);
      }
      await testbed.inspect(page, 'login-again');
      await testbed.login(page);
      await isKept();
      expect(await page.title()).toBe(title);
      await dialog.getByText('Your session had ended').waitFor();
      await testbed.inspect(page, 'login-again-back');
      await dialog.getByRole('button', { name: 'Propose' }).click();
      await page.getByText('Another person decides').first().waitFor();
      const { nodes } = await testbed.operate<{ nodes: { id: string; reason: string }[] }>(
        '{ changeRequests(first: 1, filter: { status: [PROPOSED] }) { nodes { id reason } } }',
      );
      expect(nodes[0]?.reason).toBe(TYPED.reason);
      await testbed.operate('mutation ($id: ID!) { withdrawChange(id: $id, reason: "only a test") { id } }', {
        id: nodes[0]?.id,
      });
    });

    it('is noticed without a click, and over once the operator logs in in another tab', async () => {
      await testbed.signOut(context);
      await ended();
      await testbed.signIn(context, 0);
      await page.evaluate(`window.dispatchEvent(new Event('focus'))`);
      await isKept();
      await page.getByText('Live', { exact: true }).waitFor();
    });

    it('shows another operator nothing of the page', async () => {
      await testbed.signOut(context);
      await ended();
      expect(await held()).toContain(TYPED.reason);
      await testbed.login(page, 1);
      await page.getByRole('heading', { name: 'Deposits' }).waitFor();
      await page.getByRole('button', { name: 'approver-1' }).waitFor();
      expect(await page.getByRole('dialog').count()).toBe(0);
      expect(await held()).not.toContain(TYPED.reason);
      expect(page.url()).toBe(new URL('deposits', testbed.sandbox.console).href);
    });
  });
};
