import type { Page } from 'playwright-core';
import { typeInto } from '../support/type-into';
import type { Testbed } from './testbed';

/** Calendars, and a merchant's settlement plan with its next dates. */
export const settlementPlans = (get: () => Testbed): void => {
  describe('settlement plans', () => {
    let testbed: Testbed;
    let page: Page;
    beforeAll(async () => {
      testbed = get();
      ({ page } = await testbed.visitor(0));
    });
    afterAll(async () => {
      await page.context().close();
    });

    it('follow a calendar with holidays, and show their next ten dates before they are proposed', async () => {
      const dialog = page.getByRole('dialog');
      const propose = async (reason: string): Promise<void> => {
        await typeInto(dialog.getByRole('textbox', { name: 'Reason' }), reason);
        await dialog.getByRole('button', { name: 'Propose' }).click();
        await dialog.waitFor({ state: 'detached' });
        await testbed.approveNewest();
      };
      await testbed.operate(
        'mutation($input: CreateSettlementAccountInput!) { createSettlementAccount(input: $input, reason: "their letter") { change { id } } }',
        {
          input: {
            merchantId: testbed.sandbox.merchant.id,
            currencyCode: 'THB',
            bankCode: 'KBANK',
            accountNo: '777-1-23456-7',
            accountHolder: 'Demo Merchant',
          },
        },
      );
      await testbed.approveNewest();

      await testbed.go(page, 'settlements?tab=calendars');
      await page.getByText('No calendars').waitFor();
      await page.getByRole('button', { name: 'New calendar' }).click();
      await typeInto(dialog.getByLabel('Name'), 'Thailand');
      await typeInto(dialog.getByLabel('Holidays'), 'New Year');
      await dialog.getByText('Each line needs a day and a name').waitFor();
      await typeInto(dialog.getByLabel('Holidays'), '2099-01-01 New Year');
      await propose('of the central bank');
      await page.reload();
      await page.getByText('2099-01-01 New Year').waitFor();
      await testbed.inspect(page, 'calendars');

      await testbed.go(page, `merchants/${testbed.sandbox.merchant.id}`);
      await page.getByText('No settlement plans').waitFor();
      await page.getByRole('button', { name: 'New settlement plan' }).click();
      await dialog.getByRole('combobox', { name: 'Currency' }).click();
      await page.getByRole('option', { name: 'THB' }).click();
      await dialog.getByRole('combobox', { name: 'To' }).click();
      await page.getByRole('option', { name: 'KBANK 777-1-23456-7' }).click();
      await dialog.getByRole('combobox', { name: 'Calendar' }).click();
      await page.getByRole('option', { name: 'Thailand' }).click();
      const dates = dialog.getByRole('list', { name: 'The next ten dates' });
      // Each weekend is one date, on its Monday.
      await dates
        .getByText(/for Sat .+, Sun /)
        .first()
        .waitFor();
      expect(await dates.getByRole('listitem').count()).toBe(10);
      expect(await dates.getByText(/^(Sat|Sun) /).count()).toBe(0);
      await dialog.getByRole('combobox', { name: 'When' }).click();
      await page.getByRole('option', { name: 'On days of the month' }).click();
      await dialog.getByText('Choose the days to see the next dates.').waitFor();
      await typeInto(dialog.getByLabel('Days of the month'), '15, 31');
      await dates.getByRole('listitem').nth(9).waitFor();
      await typeInto(dialog.getByLabel('Keep'), '1000');
      await typeInto(dialog.getByLabel('Without a further person up to'), '50000');
      await testbed.inspect(page, 'settlement-plan');
      await propose('their contract');
      await page.reload();
      const row = page.getByRole('table', { name: 'Settlement plans' }).getByRole('row').nth(1);
      await row.getByText('THB: Day 15, 31 of the month at 09:00').waitFor();
      await row.getByText('In force').waitFor();
      await testbed.inspect(page, 'settlement-plans');

      await testbed.go(page, 'settlements?tab=runs');
      await page.getByText('No runs').waitFor();

      await testbed.go(page, `merchants/${testbed.sandbox.merchant.id}`);
      await page.getByRole('button', { name: 'End the plan in THB, version 1' }).click();
      await typeInto(dialog.getByRole('textbox', { name: 'Reason' }), 'they are paid by hand again');
      await dialog.getByRole('button', { name: 'End', exact: true }).click();
      await row.getByText('Ended').waitFor();
    });
  });
};
