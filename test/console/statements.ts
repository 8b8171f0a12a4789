import type { Page } from 'playwright-core';
import { typeInto } from '../support/type-into';
import type { Testbed } from './testbed';

/** Statements of banks, and the daily close. */
export const statements = (get: () => Testbed): void => {
  describe('statements', () => {
    let testbed: Testbed;
    let page: Page;
    beforeAll(async () => {
      testbed = get();
      ({ page } = await testbed.visitor(0));
    });
    afterAll(async () => {
      await page.context().close();
    });

    const choose = async (label: string, option: string | RegExp): Promise<void> => {
      await page.getByRole('dialog').getByRole('combobox', { name: label }).click();
      await page.getByRole('option', { name: option }).first().click();
    };

    it('are read by a mapping, previewed, and imported', async () => {
      await testbed.go(page, 'statements');
      await page.getByText('No statements').waitFor();
      await page.getByRole('button', { name: 'Mappings' }).click();
      await page.getByRole('button', { name: 'Add a mapping' }).click();
      const dialog = page.getByRole('dialog');
      for (const [label, value] of [
        ['Name', 'a bank of the tests'],
        ['Form of dates', 'YYYY-MM-DD'],
        ['Date', 'Day'],
        ['Amount, with its sign', 'Money'],
        ['Text of the transfer', 'Text'],
        ['Reason', 'so the bank writes'],
      ] as const)
        await typeInto(dialog.getByRole('textbox', { name: label, exact: true }), value);
      await dialog.getByRole('button', { name: 'Save' }).click();
      await dialog.getByText('a bank of the tests').waitFor();
      await dialog.getByRole('button', { name: 'Close' }).click();

      await page.getByRole('button', { name: 'Rules' }).click();
      await page.getByText('No rules').waitFor();
      await page.getByRole('button', { name: 'Add a rule' }).click();
      for (const [label, value] of [
        ['Name', 'late ones'],
        ['Text', 'late'],
        ['Currency', 'THB'],
        ['At most, of a line', '50'],
        ['At most, of a day', '100'],
      ] as const)
        await typeInto(dialog.getByRole('textbox', { name: label, exact: true }), value);
      await choose('Such lines are', 'Interest of the bank');
      await testbed.inspect(page, 'statement-rule');
      await typeInto(dialog.getByRole('textbox', { name: 'Reason' }), 'so the bank names its interest');
      await dialog.getByRole('button', { name: 'Propose' }).click();
      // It is not in force, and its proposer cannot approve it.
      await dialog.getByText('No rules').waitFor();
      const { page: second, context } = await testbed.visitor(1);
      await testbed.go(second, 'changes?status=PROPOSED');
      await second.getByRole('link', { name: /late ones/ }).click();
      await second.getByRole('button', { name: 'Approve', exact: true }).click();
      await typeInto(second.getByRole('textbox', { name: 'Reason' }), 'read the pattern');
      await second.getByRole('button', { name: 'Approve and apply' }).click();
      await second.locator('.page-head').getByText('Applied').waitFor();
      await context.close();
      await page.reload();
      await page.getByRole('button', { name: 'Rules' }).click();
      await dialog.getByText('late ones (version 1)').waitFor();
      await testbed.inspect(page, 'statement-rules');
      await dialog.getByRole('button', { name: 'Close' }).click();
      await dialog.waitFor({ state: 'detached' });

      await page.getByRole('button', { name: 'Upload a statement' }).click();
      await choose('Account', /./);
      await choose('Mapping', 'a bank of the tests');
      await page.locator('input[type=file]').setInputFiles({
        name: 'day.csv',
        mimeType: 'text/csv',
        buffer: Buffer.from('Day,Money,Text\n2026-01-31,31.07,late\n2026-01-31,x,broken\n'),
      });
      await dialog.getByRole('button', { name: 'Upload and read' }).click();
      await page.getByText('New: the import records it').waitFor();
      await page.getByText('the amount "x" is not a number').waitFor();
      await testbed.inspect(page, 'statement');
      await typeInto(dialog.getByRole('textbox', { name: 'Reason' }), 'of the day');
      await dialog.getByRole('button', { name: 'Import' }).click();
      await page.getByText('Recorded', { exact: true }).waitFor();
    });

    it('are shown beside the days to close', async () => {
      await testbed.go(page, 'closes');
      await page.getByRole('heading', { name: 'Daily close' }).waitFor();
      await testbed.inspect(page, 'closes');
      await testbed.go(page, 'accounts?tab=texts');
      await page.getByText('No unread messages').waitFor();
      await testbed.inspect(page, 'accounts-messages');
    });
  });
};
