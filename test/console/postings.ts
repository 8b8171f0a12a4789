import type { Page } from 'playwright-core';
import { answering } from '../support/receiver';
import { typeInto } from '../support/type-into';
import type { Testbed } from './testbed';

/** Postings by operators, and money that is returned to payers. */
export const postings = (get: () => Testbed): void => {
  describe('postings, refunds and returns', () => {
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

    const dialog = () => page.getByRole('dialog');
    const text = (name: string) => dialog().getByRole('textbox', { name, exact: true });
    /** Submits the open dialog, which closes when it is accepted. */
    const send = async (act: string): Promise<void> => {
      await dialog().getByRole('button', { name: act, exact: true }).click();
      await dialog().waitFor({ state: 'detached' });
    };

    it('are made from a bank debit, shown, and reversed by two people', async () => {
      await testbed.debit({
        amount: '15.25',
        memo: 'charge of the month',
        bank_reference: 'FEE77',
        payee_name: 'Kasikornbank',
      });
      await testbed.go(page, 'postings');
      await page.getByText('No postings').waitFor();
      await page.getByRole('button', { name: 'Post', exact: true }).click();
      await page.getByRole('menuitem', { name: 'Bank charge' }).click();
      await dialog().getByRole('combobox', { name: 'Bank debit' }).click();
      await page.getByRole('option', { name: /^15\.25 THB .* FEE77$/ }).click();
      await typeInto(text('Reason'), 'it is on the statement');
      await testbed.inspect(page, 'posting-new');
      await send('Post');
      await page.reload();
      await page.getByRole('row').filter({ hasText: '15.25 THB' }).getByText('Holds').waitFor();
      await testbed.inspect(page, 'postings');

      await page.getByRole('link', { name: 'Bank charged' }).click();
      await page.getByRole('heading', { name: 'Bank charged' }).waitFor();
      await page.getByText('it is on the statement').waitFor();
      await testbed.inspect(page, 'posting');
      await page.getByRole('button', { name: 'Take back' }).click();
      await typeInto(text('Reason'), 'it was a payout');
      await typeInto(text('Evidence'), 'their letter');
      await send('Propose');
      await testbed.approveNewest();
      await page.reload();
      await page.locator('.page-head').getByText('Taken back').waitFor();
    });

    it('a refund is proposed on its deposit’s page, sent and completed by its debit', async () => {
      const orderNo = await testbed.fund('88.50');
      await testbed.go(page, `deposits/${orderNo}`);
      await page.getByRole('button', { name: 'Refund' }).click();
      expect(await text('Name').inputValue()).toBe('Somchai Jaidee');
      await typeInto(text('Reason'), 'the merchant asked for it');
      await typeInto(text('Evidence'), 'their ticket');
      await testbed.inspect(page, 'refund-new');
      await send('Propose');
      await testbed.approveNewest();
      await page.reload();
      const refunds = page.getByRole('region', { name: 'Refunds' });
      await refunds.getByText('Open', { exact: true }).waitFor();

      await testbed.go(page, 'returns');
      const row = page.getByRole('row').filter({ hasText: orderNo });
      await row.getByText('88.50 THB').waitFor();
      await testbed.inspect(page, 'returns');
      await row.getByRole('link').click();
      await page.getByRole('heading', { name: 'Refund to Somchai Jaidee' }).waitFor();
      await testbed.inspect(page, 'return');
      await testbed.typeBehindKeys(page);
      await page.keyboard.press('s');
      await dialog().getByRole('combobox', { name: 'Paid from' }).click();
      await page.getByRole('option', { name: /^Demo THB/ }).click();
      await send('Send now');
      await page.getByText('You are sending it.').waitFor();
      // The sender cannot release it, as the page says when it is read again.
      await page.getByRole('button', { name: 'Release' }).waitFor({ state: 'detached' });
      await testbed.debit({
        amount: '88.50',
        bank_reference: 'REFUND1',
        memo: '',
        payee_name: 'Somchai Jaidee',
        payee_account: '1234567890',
      });
      await page.keyboard.press('p');
      await typeInto(text('Bank reference'), 'REFUND1');
      await testbed.inspect(page, 'return-complete');
      await send('Complete');
      await page.locator('.page-head').getByText('Completed').waitFor();
      await page.getByText('A debit reports it').waitFor();
    });
  });
};
