import type { Page } from 'playwright-core';
import { typeInto } from '../support/type-into';
import type { Testbed } from './testbed';

/** What an operator sees without permission to read personal data. */
export const personal = (get: () => Testbed): void => {
  describe('a person', () => {
    let testbed: Testbed;
    let page: Page;
    const WHO = 2;
    beforeAll(async () => {
      testbed = get();
      const login = testbed.sandbox.operators[WHO]?.login;
      const { nodes } = await testbed.operate<{ nodes: { id: string; login: string }[] }>(
        '{ operators(first: 20) { nodes { id login } } }',
      );
      // Removing a permission needs one person.
      await testbed.operate(
        'mutation ($id: ID!) { setOperatorAccess(operatorId: $id, roles: ["approve"], reason: "need not know") { change { id } } }',
        { id: nodes.find((one) => one.login === login)?.id },
      );
      ({ page } = await testbed.visitor(WHO));
    });
    afterAll(async () => {
      await page.context().close();
    });

    it('is masked, and revealed with a reason', async () => {
      const { order_no: orderNo } = await testbed.deposit({
        account_holder: 'Kanya Suksai',
        account_no: '1112223334',
      });
      await testbed.go(page, `deposits/${orderNo}`);
      await page.getByText('K••• S•••').first().waitFor();
      expect(await page.getByText('Kanya Suksai').count()).toBe(0);
      await testbed.inspect(page, 'deposit-masked');
      await page.getByRole('button', { name: 'Reveal the person' }).click();
      const dialog = page.getByRole('dialog');
      await typeInto(dialog.getByRole('textbox', { name: 'Reason' }), 'the payer telephoned');
      await testbed.inspect(page, 'deposit-reveal');
      await dialog.getByRole('button', { name: 'Reveal', exact: true }).click();
      await page.getByText('Kanya Suksai').waitFor();
      await page.getByText('1112223334').waitFor();
      await testbed.inspect(page, 'deposit-revealed');
    });

    it('is erased by two people', async () => {
      const { order_no: orderNo } = await testbed.deposit({
        account_holder: 'Kanya Suksai',
        user_id: 'kanya',
        account_no: '2223334445',
      });
      await testbed.operate(
        'mutation ($orderNo: String!) { cancelDeposit(orderNo: $orderNo, reason: "test") { id } }',
        { orderNo },
      );
      const { page: own } = await testbed.visitor(0);
      await testbed.go(own, `deposits/${orderNo}`);
      await own.getByText('Kanya Suksai').first().waitFor();
      await own.getByRole('button', { name: 'Erase the person' }).click();
      const dialog = own.getByRole('dialog');
      await typeInto(dialog.getByRole('textbox', { name: 'Reason' }), 'the payer asked');
      await typeInto(dialog.getByLabel('Evidence').first(), 'letter of 3 May');
      await testbed.inspect(own, 'deposit-erase');
      await dialog.getByRole('button', { name: 'Propose' }).click();
      await dialog.waitFor({ state: 'detached' });
      await testbed.approveNewest();
      await own.reload();
      await own.getByText('[erased]').first().waitFor();
      expect(await own.getByText('Kanya Suksai').count()).toBe(0);
      await testbed.inspect(own, 'deposit-erased');
      await own.context().close();
    });
  });
};
