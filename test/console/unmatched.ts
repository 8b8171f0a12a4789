import { setTimeout as sleep } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import postgres from 'postgres';
import { answering } from '../support/receiver';
import { typeInto } from '../support/type-into';
import type { Testbed } from './testbed';

/** Unmatched bank credits, and money for ended deposits. */
export const unmatched = (get: () => Testbed): void => {
  describe('unmatched money', () => {
    let testbed: Testbed;
    let page: Page;
    beforeAll(async () => {
      testbed = get();
      ({ page } = await testbed.visitor(0));
    });
    afterAll(async () => {
      await page.context().close();
    });

    it('matches an unmatched credit to its order by two people and shows the completion', async () => {
      testbed.answerWith(answering(200));
      await testbed.go(page, 'unmatched');
      await page.getByText('Nothing unmatched').waitFor();
      await testbed.inspect(page, 'unmatched-empty');
      const payment = await testbed.deposit({ amount: '777.00' });
      await testbed.transfer({ amount: '777.00', memo: 'thank you' });
      await page.reload();
      await page.getByRole('link', { name: '777.00 THB' }).click();
      const candidate = page.getByRole('listitem').filter({ hasText: payment.order_no });
      await candidate.getByText('in time', { exact: true }).waitFor();
      await testbed.inspect(page, 'unmatched-transfer');
      // A second operator watches the order.
      const { page: other } = await testbed.visitor(0);
      await testbed.go(other, `deposits/${payment.order_no}`);
      await other.getByText('Now waiting for a transfer of 777.0000 THB').waitFor();

      await candidate.getByRole('button', { name: 'Match' }).click();
      await typeInto(page.getByRole('textbox', { name: 'Reason' }), 'confirmed with the payer by phone');
      await page.getByRole('dialog').getByRole('button', { name: 'Match', exact: true }).click();
      // Nothing but the amount names the order: another person approves the match.
      await page.getByText('another operator must approve').first().waitFor();
      await testbed.approveNewest();
      await other.getByText('Deposit credit posted').waitFor();
      await other.locator('.page-head').getByText('Completed').waitFor();
      expect(await other.getByText('confirmed with the payer by phone').count()).toBe(1);
      await other.close();
    });

    it('leaves every letter to the fields of unmatched money and of its dialogs', async () => {
      await testbed.transfer({ amount: '12.50', memo: 'of nobody yet' });
      await testbed.go(page, 'unmatched');
      await page.getByRole('link', { name: '12.50 THB' }).waitFor();
      await testbed.typeBehindKeys(page);
      await page.getByRole('link', { name: '12.50 THB' }).click();
      await page.getByRole('textbox', { name: 'Note' }).waitFor();
      await testbed.typeBehindKeys(page);

      // What was typed stays on a click beside the dialog; Escape closes the dialog, and not the pane below it.
      const dialogs = page.getByRole('dialog');
      await page.keyboard.press('w');
      const reason = dialogs.last().getByRole('textbox', { name: 'Reason' });
      await typeInto(reason, 'of a test');
      await page.mouse.click(5, 400);
      expect(await reason.inputValue()).toBe('of a test');
      await page.keyboard.press('Escape');
      await reason.waitFor({ state: 'detached' });
      expect(await dialogs.count()).toBe(1);
    });

    it('shows why a deposit is not credited, and resolves all waiting money: the badge reaches 0', async () => {
      const badge = page.getByRole('navigation', { name: 'Main' });
      const evidence = { text: 'seen in the statement of the bank' };
      const order = await testbed.deposit({ amount: '640.00' });
      await testbed.transfer({ amount: '639.00', memo: order.remark });
      await testbed.go(page, `deposits/${order.order_no}`);
      const why = page.getByRole('region', { name: 'Why' });
      await why.getByText("with this order's remark: 1.00 short.").waitFor();
      await testbed.inspect(page, 'deposit-evidence');
      // Cancelling it asks first.
      await page.getByRole('button', { name: 'Cancel deposit' }).click();
      const dialog = page.getByRole('dialog');
      await typeInto(dialog.getByLabel('Reason'), 'the payer asks for it');
      const act = dialog.getByRole('button', { name: 'Cancel anyway' });
      expect(await act.isDisabled()).toBe(true);
      // No key does what the button does not.
      await dialog.getByLabel('Reason').press('Control+Enter');
      await dialog.getByLabel('I know that its money has arrived').check();
      await act.click();
      await page.locator('.page-head').getByText('Cancelled').waitFor();

      // A late credit, by its keyboard shortcut.
      await why.getByRole('link', { name: 'Open the bank credit' }).click();
      await page.getByText('the order is cancelled').first().waitFor();
      await testbed.inspect(page, 'unmatched-workbench');
      await page.keyboard.press('l');
      expect(await page.getByLabel('For the ended order').inputValue()).toBe(order.order_no);
      await page.getByRole('button', { name: 'the payer paid after the order ended' }).click();
      await typeInto(page.getByLabel('Evidence'), evidence.text);
      await page.keyboard.press('Control+Enter');
      await page.getByText('Another person decides').first().waitFor();
      await testbed.approveNewest();

      // Everything else that waits: split, returned, and written off.
      const halves = await testbed.deposit({ amount: '50.00' });
      await testbed.transfer({ amount: '20.00', memo: 'first half' });
      await testbed.transfer({ amount: '30.00', memo: 'second half' });
      await testbed.transfer({ amount: '11.00', memo: 'of nobody' });
      const waiting = async (): Promise<{ id: string; amount: string; memo: string }[]> =>
        (
          await testbed.operate<{ nodes: { id: string; amount: string; memo: string }[] }>(
            '{ unmatchedTransfers(first: 100) { nodes { id amount memo } } }',
          )
        ).nodes;
      const { length } = await waiting();
      await badge.getByRole('link', { name: new RegExp(`^Unmatched money\\W+${length} waiting$`) }).waitFor();
      const ids = (await waiting()).filter(({ memo }) => memo.endsWith('half')).map(({ id }) => id);
      await testbed.operate(
        `mutation ($ids: [ID!]!, $orderNo: String!, $evidence: EvidenceInput) {
          combineTransfers(transferIds: $ids, orderNo: $orderNo, reason: "in parts", evidence: $evidence) { change { id } } }`,
        { ids, orderNo: halves.order_no, evidence },
      );
      await testbed.approveNewest();
      for (const { id } of await waiting()) {
        await testbed.operate(
          `mutation ($id: ID!, $evidence: EvidenceInput!) {
            writeOffMoney(transferId: $id, reason: "nobody claims it", evidence: $evidence) { change { id } } }`,
          { id, evidence },
        );
        await testbed.approveNewest();
      }
      // On the page that showed the count: a page just loaded has no badge yet.
      await badge.getByRole('link', { name: 'Unmatched money', exact: true }).waitFor();
      await testbed.go(page, 'unmatched');
      await page.getByText('Nothing unmatched').waitFor();
    });

    /** A cancelled deposit of 1,313.01 THB whose money its channel received. @returns its gateway number */
    async function lateDeposit(): Promise<string> {
      // Where the channel's details come late, the create answers 503, but the order exists.
      await testbed.deposit({ amount: '1313.01' }).catch(() => undefined);
      const sql = postgres(testbed.sandbox.databaseUrl, { max: 1 });
      try {
        for (;;) {
          const [open] = await sql<{ id: string; order_no: string }[]>`
            select a.id, d.order_no from deposit_attempts a join deposit_orders d on d.id = a.deposit_id
            where a.status = 'OPEN' and d.amount = 1313.01`;
          if (open) {
            await testbed.operate(
              `mutation ($orderNo: String!) {
                cancelDeposit(orderNo: $orderNo, reason: "the payer changed plans") { orderNo } }`,
              { orderNo: open.order_no },
            );
            // A mock channel keeps no records: the test reports in its place what a real one would report after the
            // end.
            await sql`select receive_late(${open.id}, 1313.01, 0, 'the channel has its money', now())`;
            return open.order_no;
          }
          await sleep(50);
        }
      } finally {
        await sql.end();
      }
    }

    it('lists money that a channel received for an ended deposit, until two people resolve it', async () => {
      const orderNo = await lateDeposit();
      await testbed.go(page, 'late');
      const row = page.getByRole('row').filter({ hasText: orderNo });
      await row.getByText('1,313.01 THB').first().waitFor();
      await page.getByRole('link', { name: /^Late money\W+1 waiting$/ }).waitFor();
      await testbed.inspect(page, 'late-money');
      await row.getByRole('link', { name: orderNo }).click();
      const panel = page.getByRole('region', { name: 'Late money at a channel' });
      await panel.getByText('Still waits').waitFor();
      await testbed.inspect(page, 'deposit-late-money');
      await panel.getByRole('button', { name: 'Credit it late' }).click();
      const dialog = page.getByRole('dialog');
      await typeInto(dialog.getByRole('textbox', { name: 'Reason' }), 'the payer still paid');
      await typeInto(dialog.getByLabel('Evidence'), "the channel's statement");
      await dialog.getByRole('button', { name: 'Propose' }).click();
      await dialog.waitFor({ state: 'detached' });
      await testbed.approveNewest();
      // On the page that showed the count: a page just loaded has no badge yet.
      await page.getByRole('link', { name: 'Late money', exact: true }).waitFor();
      await page.reload();
      await panel.getByText('0.00 THB').waitFor();
      expect(await panel.getByRole('button').count()).toBe(0);
      await page.getByRole('link', { name: 'Late money', exact: true }).click();
      await page.getByText('No late money').waitFor();
      await testbed.go(page, 'late?show=ended');
      await row.getByText('0.00 THB').waitFor();
    });
  });
};
