import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { pasteInto, typeInto } from '../support/type-into';
import type { Testbed } from './testbed';

/** The mapping of a provider's document, as an operator writes it. */
const MAPPING = readFileSync(path.join(__dirname, '../../docs/mappings/hmac-json.json'), 'utf8');

/** A provider that is new to the console. */
export const providers = (get: () => Testbed): void => {
  describe('providers', () => {
    let testbed: Testbed;
    let page: Page;
    beforeAll(async () => {
      testbed = get();
      ({ page } = await testbed.visitor(0));
    });
    afterAll(async () => {
      await page.context().close();
    });

    it('are mapped from an empty form, tried, put in force and enabled by two people', async () => {
      const dialog = page.getByRole('dialog');
      await testbed.go(page, 'channels');
      await page.getByRole('button', { name: 'Add a channel' }).click();
      await typeInto(dialog.getByLabel('Code'), 'newprovider');
      await dialog.getByRole('combobox', { name: 'Kind' }).click();
      await page.getByRole('option', { name: 'HTTP' }).click();
      await dialog.getByLabel('Uses a declared mapping').check({ force: true });
      await typeInto(dialog.getByRole('textbox', { name: 'Name', exact: true }), 'New provider');
      await typeInto(dialog.getByLabel('Address'), 'https://provider.example');
      await typeInto(dialog.getByLabel('Key', { exact: true }), 'an api key');
      await typeInto(dialog.getByRole('textbox', { name: 'Secret' }), 'a secret of the provider');
      const currencies = dialog.getByLabel('Pays out in').first();
      await typeInto(currencies, 'THB');
      await currencies.press('Enter');
      await dialog.getByLabel('Confirm a refused payout by a query').check({ force: true });
      await typeInto(dialog.getByLabel('Reason'), 'its contract is signed');
      await dialog.getByRole('button', { name: 'Propose' }).click();
      await dialog.waitFor({ state: 'detached' });
      await testbed.approveNewest();

      await page.reload();
      await page.getByRole('link', { name: 'New provider' }).click();
      const confirmed = page.getByText('Refusals are confirmed by a query').locator('..');
      await confirmed.getByText('Yes').waitFor();
      await page.getByRole('link', { name: 'None in force' }).click();
      await page.getByText('No mapping yet').waitFor();
      await testbed.inspect(page, 'mapping-none');
      await page.getByRole('button', { name: 'New version' }).click();
      // Each error is shown with its path.
      const mapping = JSON.parse(MAPPING) as Record<string, unknown>;
      const editor = dialog.getByRole('textbox', { name: 'Mapping' });
      await pasteInto(editor, JSON.stringify({ ...mapping, money: { unit: 'cents', digits: 2 } }));
      await typeInto(dialog.getByRole('textbox', { name: 'What is new' }), 'as its document has it');
      await dialog.getByRole('button', { name: 'Save' }).click();
      await dialog.getByText('/money/unit').waitFor();
      await pasteInto(editor, MAPPING);
      await testbed.inspect(page, 'mapping-edit');
      await dialog.getByRole('button', { name: 'Save' }).click();
      await dialog.waitFor({ state: 'detached' });
      await page.getByRole('button', { name: 'Try version 1' }).click();
      await page.getByRole('button', { name: 'Put version 1 in force' }).click();
      await typeInto(dialog.getByLabel('Reason'), 'the kit has passed');
      await dialog.getByRole('button', { name: 'Propose' }).click();
      await dialog.waitFor({ state: 'detached' });
      await testbed.approveNewest();
      await page.reload();
      await page.getByRole('row').filter({ hasText: 'Version 1' }).getByText('Yes').waitFor();
      await testbed.inspect(page, 'mapping');

      await page.getByRole('link', { name: 'Channel', exact: true }).click();
      await page.getByRole('link', { name: 'Version 1' }).waitFor();
      await page.getByRole('button', { name: 'Enable', exact: true }).click();
      await typeInto(dialog.getByLabel('Reason'), 'mapped and tried');
      await dialog.getByRole('button', { name: 'Propose' }).click();
      await dialog.waitFor({ state: 'detached' });
      await testbed.approveNewest();
      await page.reload();
      await page.locator('.page-head').getByText('Enabled').waitFor();
      await testbed.inspect(page, 'channel-mapped');
    });
  });
};
