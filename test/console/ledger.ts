import type { Page } from 'playwright-core';
import { typeInto } from '../support/type-into';
import type { Testbed } from './testbed';

/** The ledger: balances, the trial balance and entries. */
export const ledger = (get: () => Testbed): void => {
  describe('the ledger', () => {
    let testbed: Testbed;
    let page: Page;
    beforeAll(async () => {
      testbed = get();
      ({ page } = await testbed.visitor(0));
    });
    afterAll(async () => {
      await page.context().close();
    });

    it('shows balances, the trial balance and the entries of an order', async () => {
      await testbed.fund('1234.00');
      await testbed.go(page, 'ledger');
      const balances = page.getByRole('table', { name: 'Merchant balances' });
      await balances.getByRole('row').filter({ hasText: 'THB' }).waitFor();
      await testbed.inspect(page, 'ledger-balances');
      await page.getByRole('tab', { name: 'Trial balance' }).click();
      await page.getByText('Sums to zero').first().waitFor();
      await testbed.inspect(page, 'ledger-trial');
      await page.getByRole('tab', { name: 'Platform' }).click();
      await page.getByRole('link', { name: 'Bank · Demo THB' }).waitFor();
      await testbed.inspect(page, 'ledger-accounts');
      await page.getByRole('tab', { name: 'Lines' }).click();
      const lines = page.getByRole('table', { name: 'Ledger entries' });
      const credit = lines.getByRole('row').filter({ hasText: 'Deposit credit' });
      await credit.filter({ hasText: '+1,215.49' }).first().waitFor();
      await testbed.inspect(page, 'ledger-lines');
      const orderNo = await credit.first().getByRole('link', { name: /^D/ }).innerText();
      await typeInto(page.getByLabel('Order'), orderNo);
      await page.keyboard.press('Enter');
      await lines.getByRole('row').filter({ hasText: 'Bank credit' }).first().waitFor({ state: 'detached' });
      await credit.filter({ hasText: 'DEMO · available' }).waitFor();
      expect(page.url()).toContain(`order=${orderNo}`);
    });

    it('recalls a completed deposit by two people, and shows the accounts', async () => {
      const orderNo = await testbed.fund('321.00');
      await testbed.go(page, `deposits/${orderNo}`);
      await page.getByRole('button', { name: 'Recall' }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByText('cannot withdraw in THB until it is paid').waitFor();
      await typeInto(dialog.getByRole('textbox', { name: 'Reason' }), 'the payer was deceived');
      await typeInto(dialog.getByLabel('Evidence'), 'letter of the bank');
      await testbed.inspect(page, 'recall-propose');
      await dialog.getByRole('button', { name: 'Propose' }).click();
      await dialog.waitFor({ state: 'detached' });
      await testbed.approveNewest();
      const recalled = page.getByRole('region', { name: 'Recalled' });
      await recalled.getByText('the payer was deceived').waitFor();
      expect(await page.getByRole('button', { name: 'Recall' }).count()).toBe(0);
      await testbed.inspect(page, 'deposit-recalled');
    });
  });
};
