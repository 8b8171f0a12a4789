import type { Page } from 'playwright-core';
import { typeInto } from '../support/type-into';
import type { Testbed } from './testbed';

/** Lists of payers, and payer rules. */
export const payers = (get: () => Testbed): void => {
  describe('payers', () => {
    let testbed: Testbed;
    let page: Page;
    beforeAll(async () => {
      testbed = get();
      ({ page } = await testbed.visitor(0));
    });
    afterAll(async () => {
      await page.context().close();
    });

    it('are listed: restrictions take effect at once, trust needs two people', async () => {
      const dialog = page.getByRole('dialog');
      const row = (payer: string) => page.getByRole('row').filter({ hasText: payer });
      await testbed.go(page, 'payers');
      await page.getByText('The lists are empty: no payer is looked up.').waitFor();
      await page.getByRole('button', { name: 'List a payer' }).click();
      await typeInto(dialog.getByRole('textbox', { name: 'Name' }), 'Mallory Low');
      await testbed.inspect(page, 'payer-new');
      await typeInto(dialog.getByRole('textbox', { name: 'Reason' }), 'paid from a stolen account');
      await dialog.getByRole('button', { name: 'List', exact: true }).click();
      await dialog.waitFor({ state: 'detached' });
      await row('Mallory Low').getByText('Denylist').waitFor();

      await page.getByRole('button', { name: 'List a payer' }).click();
      await dialog.getByRole('radio', { name: 'Allowlist' }).check();
      await dialog.getByRole('combobox', { name: 'Known by' }).click();
      await page.getByRole('option', { name: 'Account number' }).click();
      await typeInto(dialog.getByRole('textbox', { name: 'Account number' }), '100-2-00300-4');
      await typeInto(dialog.getByLabel('At the bank'), 'SCB');
      await dialog.getByRole('combobox', { name: 'For' }).click();
      await page.getByRole('option', { name: 'DEMO' }).click();
      await typeInto(dialog.getByRole('textbox', { name: 'Reason' }), 'their own company');
      await dialog.getByRole('button', { name: 'Propose' }).click();
      await dialog.waitFor({ state: 'detached' });
      // No effect before another person's approval.
      expect(await row('100-2-00300-4').count()).toBe(0);
      await testbed.approveNewest();
      await page.reload();
      await row('100-2-00300-4').getByText('at SCB').waitFor();
      await row('100-2-00300-4').getByText('DEMO').waitFor();
      await testbed.inspect(page, 'payers');

      await page.getByRole('button', { name: 'Remove 100-2-00300-4' }).click();
      await typeInto(dialog.getByRole('textbox', { name: 'Reason' }), 'sold');
      await dialog.getByRole('button', { name: 'Remove' }).click();
      await row('100-2-00300-4').waitFor({ state: 'detached' });
      await page.getByRole('button', { name: 'Remove Mallory Low' }).click();
      await dialog.getByText('Another operator must approve.').waitFor();
      await typeInto(dialog.getByRole('textbox', { name: 'Reason' }), 'it was somebody else');
      await dialog.getByRole('button', { name: 'Propose' }).click();
      await dialog.waitFor({ state: 'detached' });
      await row('Mallory Low').waitFor();
      await testbed.approveNewest();
      await page.reload();
      await page.getByText('The lists are empty: no payer is looked up.').waitFor();
    });

    it('have rules, which two people agree on and the page shows as text', async () => {
      const dialog = page.getByRole('dialog');
      await testbed.go(page, 'payer-rules');
      await page.getByText('Payers are not compared').waitFor();
      await page.getByRole('button', { name: 'New rules' }).click();
      await dialog.getByRole('combobox', { name: 'Currency' }).click();
      await page.getByRole('option', { name: 'THB' }).click();
      await dialog.getByRole('combobox', { name: /another payer/ }).click();
      await page.getByRole('option', { name: /wait/i }).click();
      await dialog.getByRole('button', { name: 'Add a count' }).click();
      await typeInto(dialog.getByLabel('More than'), 'many');
      await dialog.getByText('No number').waitFor();
      await typeInto(dialog.getByLabel('More than'), '20');
      await testbed.inspect(page, 'payer-rules-new');
      await typeInto(dialog.getByRole('textbox', { name: 'Reason' }), 'since the fraud of May');
      await dialog.getByRole('button', { name: 'Propose' }).click();
      await dialog.waitFor({ state: 'detached' });
      await testbed.approveNewest();
      await page.reload();
      const rules = page.getByRole('table', { name: 'Payer rules' }).getByRole('row').nth(1);
      await rules.getByText('All merchants').waitFor();
      await rules.getByText(/more than 20 orders/).waitFor();
      await page.getByRole('button', { name: 'Change version 1 in THB' }).click();
      await dialog.getByRole('button', { name: 'Remove count 1' }).click();
      await typeInto(dialog.getByRole('textbox', { name: 'Reason' }), 'too many waited');
      await dialog.getByRole('button', { name: 'Propose' }).click();
      await dialog.waitFor({ state: 'detached' });
      await testbed.approveNewest();
      await page.reload();
      await rules.getByText('none', { exact: true }).waitFor();
    });
  });
};
