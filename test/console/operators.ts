import type { Page } from 'playwright-core';
import { typeInto } from '../support/type-into';
import type { Testbed } from './testbed';

/** Operators and roles, change requests decided concurrently, and alerts. */
export const operators = (get: () => Testbed): void => {
  describe('operators and their work', () => {
    let testbed: Testbed;
    let page: Page;
    beforeAll(async () => {
      testbed = get();
      ({ page } = await testbed.visitor(0));
    });
    afterAll(async () => {
      await page.context().close();
    });

    const propose = async (reason: string): Promise<void> => {
      await typeInto(page.getByLabel('Reason'), reason);
      await page.getByRole('dialog').getByRole('button', { name: 'Propose' }).click();
      await page.getByText('Another person decides').first().waitFor();
    };

    it('creates a role with a limit, by two people', async () => {
      await testbed.go(page, 'roles');
      await page.getByRole('link', { name: 'treasurer' }).waitFor();
      await testbed.inspect(page, 'roles');
      await page.getByRole('button', { name: 'New role' }).click();
      await typeInto(page.getByLabel('Name'), 'night-shift');
      await page.getByLabel('Support').check();
      await page.getByLabel('Approve').check();
      await page.getByRole('button', { name: 'Add a limit' }).click();
      await typeInto(page.getByLabel('Currency 1'), 'thb');
      await typeInto(page.getByLabel('Amount 1'), '5000');
      await testbed.inspect(page, 'role-new');
      await propose('who is here at night');
      expect(await page.getByRole('link', { name: 'night-shift' }).count()).toBe(0);
      await testbed.approveNewest();
      await page.reload();
      await page.getByRole('link', { name: 'night-shift' }).click();
      await page.getByRole('dialog').getByText('up to 5,000.00 THB').waitFor();
      await testbed.inspect(page, 'role');
      await page.getByRole('dialog').getByRole('button', { name: 'Change' }).click();
      await page.getByLabel('Reconcile').check();
      await propose('they match money too');
      await testbed.approveNewest();
      await page.reload();
      await page.getByRole('dialog').getByText('Record bank credits and debits, match credits').waitFor();
      await page.getByRole('button', { name: 'Delete the role' }).click();
      await typeInto(page.getByLabel('Reason'), 'not needed after all');
      await page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).click();
      await page.getByRole('link', { name: 'night-shift' }).waitFor({ state: 'detached' });
    });

    it('invites an operator, and revokes the invitation', async () => {
      await testbed.go(page, 'operators?tab=invitations');
      await page.getByRole('button', { name: 'Invite' }).click();
      await typeInto(page.getByLabel('E-mail'), 'nobody@example.com');
      await testbed.inspect(page, 'invite');
      await propose('helps out in spring');
      await testbed.approveNewest();
      await page.reload();
      const row = page.getByRole('row', { name: 'nobody@example.com' });
      await row.getByText('Invited', { exact: true }).waitFor();
      await testbed.mailedToken('nobody@example.com');
      await testbed.inspect(page, 'invitations');
      await row.getByRole('button', { name: 'Revoke' }).click();
      await typeInto(page.getByLabel('Reason'), 'does not come');
      await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
      await row.getByText('Revoked').waitFor();
    });

    it('adds permissions by two people, removes them by one', async () => {
      await testbed.go(page, 'operators');
      await page.getByRole('link', { name: 'eve', exact: true }).waitFor();
      await testbed.inspect(page, 'operators');
      await page.getByRole('link', { name: 'eve', exact: true }).click();
      await page.getByRole('heading', { name: 'Access' }).waitFor();
      await testbed.inspect(page, 'operator');
      await page.getByRole('button', { name: 'Change' }).click();
      await page.locator('.mantine-MultiSelect-input').first().click();
      await page.getByRole('option', { name: 'Reconcile' }).click();
      await page.keyboard.press('Escape');
      await propose('also matches money');
      await testbed.approveNewest();
      await page.reload();
      await page.getByText('Reconcile, Support').first().waitFor();
      await page.getByRole('button', { name: 'Disable' }).click();
      await typeInto(page.getByLabel('Reason'), 'has left us');
      await page.getByRole('dialog').getByRole('button', { name: 'Disable' }).click();
      await page.locator('.page-head').getByText('Disabled').waitFor();
    });

    it('accepts one of two concurrent approvals, and informs the other operator', async () => {
      const { nodes } = await testbed.operate<{ nodes: { id: string }[] }>('{ merchants(first: 1) { nodes { id } } }');
      await testbed.go(page, `merchants/${nodes[0]?.id ?? ''}?tab=balances`);
      await page.getByRole('button', { name: 'Top up' }).click();
      await typeInto(page.getByLabel('Amount'), '1234');
      await typeInto(page.getByLabel('Evidence'), 'wire of today');
      await propose('prefunding');
      const people = await Promise.all([testbed.visitor(1), testbed.visitor(2)]);
      await Promise.all(
        people.map(async ({ page: own }) => {
          await testbed.go(own, 'changes?status=PROPOSED');
          await own.getByRole('link', { name: /Top up .* by 1234/ }).click();
          await own.getByRole('button', { name: 'Approve', exact: true }).click();
          await own.getByRole('button', { name: 'the evidence shows it' }).click();
        }),
      );
      await Promise.all(
        people.map(async ({ page: own }) => {
          await own.getByRole('button', { name: 'Approve and apply' }).click();
        }),
      );
      const outcomes = await Promise.all(
        people.map(async ({ page: own }) => {
          const refused = own.getByRole('alert').getByText('already approved and applied');
          const done = own.getByText('Change applied.').first();
          await refused.or(done).first().waitFor();
          return (await refused.count()) > 0 ? 'refused' : 'done';
        }),
      );
      expect(outcomes.sort()).toEqual(['done', 'refused']);
      for (const { context } of people) await context.close();
      await page.reload();
      await page.getByRole('table', { name: 'Balances' }).getByText('1,234.00').first().waitFor();
    });

    it('shows badges in the navigation, and alerts as they are raised', async () => {
      await testbed.go(page, 'alerts');
      await page.getByRole('heading', { name: 'Alerts' }).waitFor();
      // An alert that is raised before the list is loaded is in it, and is not new.
      await page.getByRole('table').or(page.getByText('No open alerts')).first().waitFor();
      const link = page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: /Alerts/ });
      const [account] = testbed.sandbox.accounts;
      const set = async (status: string): Promise<void> => {
        await testbed.operate(
          'mutation ($id: ID!, $status: BankAccountStatus!) { setBankAccountStatus(id: $id, status: $status, reason: "the numbers do not add up") { change { id } } }',
          { id: account?.id, status },
        );
      };
      await set('PAUSED');
      await page.getByRole('button', { name: /new/ }).click();
      const row = page.getByRole('row', { name: 'Account paused' });
      await row.getByText('Open').waitFor();
      await link.filter({ hasText: 'waiting' }).waitFor();
      await testbed.inspect(page, 'alerts');
      await row.getByRole('button', { name: 'Acknowledge' }).click();
      await typeInto(page.getByLabel('Reason'), 'counted again');
      await page.getByRole('dialog').getByRole('button', { name: 'Acknowledge' }).click();
      await row.getByText('Acknowledged').waitFor();
      await row.getByText('admin').waitFor();
      await set('ACTIVE');
      await page
        .getByRole('navigation', { name: 'Main' })
        .getByRole('link', { name: /Change requests.*waiting/ })
        .waitFor();
    });
  });
};
