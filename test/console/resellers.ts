import type { Page } from 'playwright-core';
import { answering } from '../support/receiver';
import { typeInto } from '../support/type-into';
import type { Testbed } from './testbed';

/** A reseller: its rate, what it earns of a deposit's fee, and what it is paid. */
export const resellers = (get: () => Testbed): void => {
  describe('resellers', () => {
    let testbed: Testbed;
    let page: Page;
    beforeAll(async () => {
      testbed = get();
      testbed.answerWith(answering(200));
      ({ page } = await testbed.visitor(0));
    });
    afterAll(async () => {
      await page.context().close();
    });

    it('earn a share of fees once two people agree on a rate, and are paid by two people', async () => {
      const dialog = page.getByRole('dialog');
      const send = async (act: string): Promise<void> => {
        await dialog.getByRole('button', { name: act, exact: true }).click();
        await dialog.waitFor({ state: 'detached' });
      };
      const reason = dialog.getByRole('textbox', { name: 'Reason' });
      await testbed.go(page, 'resellers');
      await page.getByText('No resellers').waitFor();
      await page.getByRole('button', { name: 'Add a reseller' }).click();
      await typeInto(dialog.getByLabel('Name'), 'Siam Partners');
      await typeInto(reason, 'their contract');
      await send('Add');
      await page.getByRole('link', { name: 'Siam Partners' }).click();
      await page.getByRole('heading', { name: 'Siam Partners' }).waitFor();
      await page.getByText('No commission rates').waitFor();

      await page.getByRole('button', { name: 'New commission rate' }).click();
      await dialog.getByRole('combobox', { name: 'Merchant' }).click();
      await page.getByRole('option', { name: 'DEMO', exact: true }).click();
      await dialog.getByRole('combobox', { name: 'Currency' }).click();
      await page.getByRole('option', { name: 'THB' }).click();
      await typeInto(dialog.getByLabel('Percent of the fee'), '50');
      await typeInto(reason, 'their contract');
      await testbed.inspect(page, 'commission-rate');
      await send('Propose');
      await testbed.approveNewest();

      const orderNo = await testbed.fund('100.00');
      await page.reload();
      const rates = page.getByRole('table', { name: 'Commission rates' });
      await rates.getByRole('row').filter({ hasText: 'THB deposits' }).getByText('Yes').waitFor();
      const earned = page.getByRole('table', { name: 'Commissions' }).getByRole('row');
      await earned.filter({ hasText: orderNo }).getByText('0.75 THB').waitFor();

      await testbed.debit({ amount: '0.50', memo: 'commission', bank_reference: 'COM1' });
      await page.getByRole('button', { name: 'Pay commissions' }).click();
      await dialog.getByRole('combobox', { name: 'Bank debit' }).click();
      await page.getByRole('option', { name: /^0\.50 THB .* COM1$/ }).click();
      await typeInto(reason, 'what they had earned');
      await typeInto(dialog.getByRole('textbox', { name: 'Evidence', exact: true }), 'their invoice');
      await testbed.inspect(page, 'commission-pay');
      await send('Propose');
      await testbed.approveNewest();
      await page.reload();
      const sums = page.getByRole('table', { name: 'Sums' }).getByRole('row');
      await sums.filter({ hasText: '0.25 THB' }).getByText('0.50 THB').waitFor();
      await page.getByRole('table', { name: 'Payments' }).getByText('Holds').waitFor();
      await testbed.inspect(page, 'reseller');

      await testbed.go(page, 'resellers');
      await page.getByRole('row').filter({ hasText: '0.25 THB' }).waitFor();
      await testbed.inspect(page, 'resellers');
      await testbed.go(page, `merchants/${testbed.sandbox.merchant.id}`);
      await page.getByRole('table', { name: 'Commission rates' }).getByText('Siam Partners').waitFor();
    });
  });
};
