import { generateKeyPairSync } from 'node:crypto';
import type { Page } from 'playwright-core';
import { pasteInto, typeInto, typeMoment } from '../support/type-into';
import type { Testbed } from './testbed';

/** Merchants with their keys and money, change requests, accounts, the audit log. */
export const merchants = (get: () => Testbed): void => {
  describe('merchants and accounts', () => {
    let testbed: Testbed;
    let page: Page;
    beforeAll(async () => {
      testbed = get();
      ({ page } = await testbed.visitor(0));
    });
    afterAll(async () => {
      await page.context().close();
    });

    it('shows an issued key once; a second person approves it', async () => {
      await testbed.go(page, 'merchants');
      await page.getByRole('link', { name: 'Demo Merchant' }).waitFor();
      await testbed.inspect(page, 'merchants');
      await page.getByRole('link', { name: 'Demo Merchant' }).click();
      await page.getByRole('heading', { name: 'Settings' }).waitFor();
      await testbed.inspect(page, 'merchant');
      await page.getByRole('tab', { name: 'Keys' }).click();
      await page.getByRole('button', { name: 'Issue key' }).click();
      await typeInto(page.getByLabel('Reason'), 'a second server of the merchant');
      await page.getByRole('dialog').getByRole('button', { name: 'Issue' }).click();
      const secret = page.getByRole('dialog', { name: 'The new key' }).locator('.mono');
      const apiKey = await secret.innerText();
      expect(apiKey.length).toBeGreaterThan(20);
      await page.getByLabel('I have stored it').check();
      await page.getByRole('button', { name: 'Close' }).click();
      await secret.waitFor({ state: 'detached' });
      expect(await page.content()).not.toContain(apiKey);
      // No effect yet: the header and the one earlier key.
      expect(await page.getByRole('table', { name: 'API keys' }).getByRole('row').count()).toBe(2);
      await testbed.inspect(page, 'keys');

      await testbed.go(page, 'changes?status=PROPOSED');
      await page.getByRole('link', { name: 'Issue a key to DEMO' }).click();
      await page.getByText('You may not approve it').waitFor();
      await testbed.inspect(page, 'change');
      const { page: second, context } = await testbed.visitor(1);
      await testbed.go(second, 'changes?status=PROPOSED');
      await second.getByRole('link', { name: 'Issue a key to DEMO' }).click();
      await second.getByRole('button', { name: 'Approve', exact: true }).click();
      await typeInto(second.getByLabel('Reason'), 'asked the merchant');
      await second.getByRole('button', { name: 'Approve and apply' }).click();
      await second.locator('.page-head').getByText('Applied').waitFor();
      // An approver may not see the audit log.
      expect(await second.getByRole('link', { name: 'Audit log' }).count()).toBe(0);
      await context.close();
      await testbed.go(page, 'changes');
      await page.getByRole('table').waitFor();
      await testbed.inspect(page, 'changes');
      await testbed.go(page, 'merchants');
      await page.getByRole('link', { name: 'Demo Merchant' }).click();
      await page.getByRole('tab', { name: 'Keys' }).click();
      await page.getByRole('table', { name: 'API keys' }).getByRole('row').nth(2).waitFor();
      await page.getByRole('tab', { name: 'Balances' }).click();
      await page.getByRole('table', { name: 'Balances' }).waitFor();
      await testbed.inspect(page, 'balances');
    });

    it('proposes cashier settings with a readable colour', async () => {
      await testbed.go(page, `merchants/${testbed.sandbox.merchant.id}?tab=cashier`);
      await page.getByRole('table', { name: 'Amounts of the cashier' }).waitFor();
      await page.getByRole('button', { name: 'Change the branding' }).click();
      const dialog = page.getByRole('dialog');
      await typeInto(dialog.getByLabel('Reason'), 'their new house style');
      await typeInto(dialog.getByLabel('Colour'), '#ffcc00');
      await dialog.getByText('is too low').waitFor();
      expect(await dialog.getByRole('button', { name: 'Propose' }).isDisabled()).toBe(true);
      await testbed.inspect(page, 'cashier-branding');
      await typeInto(dialog.getByLabel('Colour'), '#7a1f5c');
      await typeInto(dialog.getByLabel('Name', { exact: true }), 'Demo Shop');
      await dialog.getByRole('button', { name: 'Propose' }).click();
      await page.getByText('Another person decides').first().waitFor();
      await testbed.approveNewest();
      await page.getByRole('button', { name: 'Change the amounts in THB' }).click();
      await typeInto(dialog.getByLabel('Other amounts from'), '50');
      await typeInto(dialog.getByLabel('Reason'), 'less is not worth its fee');
      await testbed.inspect(page, 'cashier-amounts');
      await dialog.getByRole('button', { name: 'Propose' }).click();
      await dialog.waitFor({ state: 'detached' });
      await testbed.approveNewest();
      await page.reload();
      await page.getByText('Demo Shop').waitFor();
      await page.getByRole('row').filter({ hasText: 'THB' }).getByText('50.00 THB').waitFor();
      await testbed.inspect(page, 'cashier-settings');
    });

    it('tries a fee schedule in the calculator, and proposes it for a later day', async () => {
      await testbed.go(page, `merchants/${testbed.sandbox.merchant.id}`);
      await page.getByText('No fee schedules').waitFor();
      await page.getByRole('button', { name: 'New fee schedule' }).click();
      const dialog = page.getByRole('dialog');
      await typeInto(dialog.getByLabel('Percent'), '2');
      await typeInto(dialog.getByLabel('Tiers'), '1000 1.5');
      await typeInto(dialog.getByLabel('Try an amount'), '1200');
      await dialog.getByText(/^1,200.* × 1\.5 % = 18$/).waitFor();
      // An invalid draft shows the reason.
      await typeInto(dialog.getByLabel('At least'), '9');
      await typeInto(dialog.getByLabel('At most'), '3');
      await dialog.getByText('must not be above the maximum').waitFor();
      await typeInto(dialog.getByLabel('At least'), '');
      await dialog.getByText(/^never more than 3/).waitFor();
      await dialog.getByRole('combobox', { name: 'A tier begins at' }).click();
      await page.getByRole('option', { name: 'what was completed in the month' }).click();
      await dialog.getByText(/^1,200.* × 2 % = 24$/).waitFor();
      await typeInto(dialog.getByLabel('Completed in the month'), '1000');
      await dialog.getByText(/^1,200.* × 1\.5 % = 18$/).waitFor();
      await typeMoment(dialog.getByLabel('From', { exact: true }), '01012099', '1200AM');
      await typeInto(dialog.getByRole('textbox', { name: 'Reason' }), 'their new contract');
      await testbed.inspect(page, 'fee-schedule');
      await dialog.getByRole('button', { name: 'Propose' }).click();
      await dialog.waitFor({ state: 'detached' });
      await testbed.approveNewest();
      await page.reload();
      const row = page.getByRole('table', { name: 'Fee schedules' }).getByRole('row').nth(1);
      await row.getByText(/^2 %; from 1,000.* completed in the month: 1\.5 % of all of it; at most 3/).waitFor();
      await testbed.inspect(page, 'fee-schedules');
    });

    it('proposes banks and review rules, effective after another person’s approval', async () => {
      const dialog = page.getByRole('dialog');
      const propose = async (reason: string): Promise<void> => {
        await typeInto(dialog.getByLabel('Reason'), reason);
        await dialog.getByRole('button', { name: 'Propose' }).click();
        await dialog.getByRole('button', { name: 'Propose' }).waitFor({ state: 'detached' });
        await testbed.approveNewest();
      };
      await testbed.go(page, 'banks?currency=THB');
      await page.getByRole('row').filter({ hasText: 'KBANK' }).waitFor();
      await page.getByRole('button', { name: 'Add banks' }).click();
      await typeInto(dialog.getByLabel('Banks'), 'UOBT United Overseas Bank\nKBANK Kasikornbank');
      await dialog.getByText('KBANK already exists').waitFor();
      await testbed.inspect(page, 'banks-add');
      await typeInto(dialog.getByLabel('Banks'), 'UOBT United Overseas Bank');
      await propose('merchants ask for it');
      await page.reload();
      await page.getByRole('row').filter({ hasText: 'United Overseas Bank' }).waitFor();
      await testbed.inspect(page, 'banks');

      await testbed.go(page, 'review');
      // The demo's rules.
      await page.getByRole('table', { name: 'Review rules' }).waitFor();
      await testbed.inspect(page, 'review');
      await page.getByRole('button', { name: 'New rules' }).click();
      await dialog.getByRole('combobox', { name: 'Currency' }).click();
      await page.getByRole('option', { name: 'IDR' }).click();
      await typeInto(dialog.getByLabel('Approve automatically up to'), '100000');
      await typeInto(dialog.getByLabel('Two approvals above'), '5000000');
      await testbed.inspect(page, 'review-new');
      await propose('the usual of the country');
      await page.reload();
      await page.getByRole('row').filter({ hasText: 'IDR' }).getByRole('link').click();
      await dialog.getByText('the usual of the country').waitFor();
      await testbed.inspect(page, 'review-rules');
    });

    it('edits beneficiary lists: closing changes at once, opening ones by two people', async () => {
      const dialog = page.getByRole('dialog');
      const row = (account: string) => page.getByRole('row').filter({ hasText: account });
      const send = async (act: string, reason: string): Promise<void> => {
        await typeInto(dialog.getByLabel('Reason'), reason);
        await dialog.getByRole('button', { name: act, exact: true }).click();
        await dialog.waitFor({ state: 'detached' });
      };
      await testbed.go(page, 'beneficiaries');
      await page.getByText('The allowlist and the denylist are empty.').waitFor();
      await page.getByRole('button', { name: 'List a beneficiary' }).click();
      await typeInto(dialog.getByLabel('Bank code'), 'KBANK');
      await typeInto(dialog.getByLabel('Account number'), '666-0-66666-6');
      await testbed.inspect(page, 'beneficiary-new');
      await send('Deny', 'payers report it as stolen');
      await row('666-0-66666-6').getByText('Denylist').waitFor();

      await page.getByRole('button', { name: 'List a beneficiary' }).click();
      await dialog.getByRole('radio', { name: 'Allowlist' }).check();
      await typeInto(dialog.getByLabel('Bank code'), 'SCB');
      await typeInto(dialog.getByLabel('Account number'), '100-2-00300-4');
      await dialog.getByRole('combobox', { name: 'For' }).click();
      await page.getByRole('option', { name: 'DEMO' }).click();
      await send('Propose', 'their landlord');
      // No effect before another person's approval.
      expect(await row('100-2-00300-4').count()).toBe(0);
      await testbed.approveNewest();
      await page.reload();
      await row('100-2-00300-4').getByText('DEMO').waitFor();
      await testbed.inspect(page, 'beneficiaries');

      await page.getByRole('button', { name: 'Remove KBANK 666-0-66666-6' }).click();
      await testbed.inspect(page, 'beneficiary-off');
      await send('Propose', 'it was another account');
      await row('666-0-66666-6').waitFor();
      await testbed.approveNewest();
      await page.reload();
      await row('100-2-00300-4').waitFor();
      expect(await row('666-0-66666-6').count()).toBe(0);
      await page.getByRole('button', { name: 'Remove SCB 100-2-00300-4' }).click();
      await send('Remove', 'they have moved');
      await page.getByText('The allowlist and the denylist are empty.').waitFor();
    });

    it('shows fees, costs and profit by day and by merchant', async () => {
      await testbed.fund('1500.00');
      await testbed.go(page, 'margin');
      await page.getByRole('img', { name: 'Fees, costs and profit by day, THB' }).waitFor();
      const table = page.getByRole('table', { name: 'Margin' });
      await table.getByText('DEMO').first().waitFor();
      await testbed.inspect(page, 'margin');
      await testbed.go(page, 'margin?by=WAY');
      await table.getByText('Demo THB').first().waitFor();
    });

    it('has the owner of an agent enrol it by a link, once', async () => {
      await testbed.go(page, 'accounts?tab=agents');
      await page.getByRole('button', { name: 'New agent key' }).click();
      const dialog = page.getByRole('dialog', { name: 'New agent key' });
      await typeInto(dialog.getByLabel('Label'), 'Reader');
      await dialog.getByRole('combobox', { name: 'Accounts' }).press('ArrowDown');
      await page.getByRole('option', { name: /Demo THB/ }).click();
      // The list of accounts covers the next field until the focus leaves it.
      await page.keyboard.press('Tab');
      await typeInto(dialog.getByLabel('Limit per bank credit'), '500');
      await typeInto(dialog.getByLabel("Owner's mail address"), 'reader@agents.example');
      await typeInto(dialog.getByRole('textbox', { name: 'Reason' }), 'a second reader');
      await testbed.inspect(page, 'agent-key');
      await dialog.getByRole('button', { name: 'Propose' }).click();
      const shown = page.getByRole('dialog', { name: 'The new agent key' });
      await shown.getByText('The owner is mailed a link').waitFor();
      await page.getByLabel('I have stored it').check();
      await page.getByRole('button', { name: 'Close' }).click();
      await testbed.approveNewest();
      const row = page.getByRole('row').filter({ hasText: 'Reader' });
      await testbed.go(page, 'accounts?tab=agents');
      await row.getByText('Awaits owner').waitFor();
      await testbed.inspect(page, 'agent-keys-awaited');

      const token = await testbed.mailedToken('reader@agents.example');
      const { page: owner, context } = await testbed.visitor();
      testbed.expectFailedRequests(owner);
      const place = new URL('/cashier/agents', testbed.sandbox.merchantApi).href;
      await owner.goto(`${place}#${token}`);
      await testbed.inspectPlain(owner, 'enrol-closed');
      await owner.getByRole('button', { name: 'Show the agent' }).click();
      await owner.getByRole('heading', { name: 'The agent Reader' }).waitFor();
      await owner.getByText('500.0000 THB').waitFor();
      await owner.getByText('no ceiling').waitFor();
      const { publicKey, privateKey } = generateKeyPairSync('ed25519');
      const field = owner.getByLabel('Public key');
      const enrol = owner.getByRole('button', { name: 'Enrol this key' });
      // A private key is not sent.
      const sent: string[] = [];
      owner.on('request', (request) => sent.push(request.postData() ?? ''));
      const secret = privateKey.export({ format: 'pem', type: 'pkcs8' }).toString();
      await pasteInto(field, secret);
      await enrol.click();
      await owner.getByText('This is a private key').waitFor();
      expect(sent).toEqual([]);
      await typeInto(field, 'bm8ga2V5');
      await enrol.click();
      await owner.getByText('must be a public key of Ed25519').waitFor();
      await testbed.inspectPlain(owner, 'enrol-open');
      await pasteInto(field, publicKey.export({ format: 'pem', type: 'spki' }).toString());
      await enrol.click();
      await owner.getByRole('heading', { name: 'is enrolled' }).waitFor();
      await testbed.inspectPlain(owner, 'enrol-done');
      expect(new URL(owner.url()).hash).toBe('');
      await owner.goto('about:blank');
      await owner.goto(`${place}#${token}`);
      await owner.getByRole('button', { name: 'Show the agent' }).click();
      await owner.getByRole('heading', { name: 'This link does not open' }).waitFor();
      await context.close();
      await testbed.go(page, 'accounts?tab=agents');
      await row.getByText('Ed25519').waitFor();
    });

    it('shows accounts and the audit log', async () => {
      await testbed.go(page, 'accounts');
      await page.getByRole('link', { name: 'Demo THB' }).waitFor();
      await testbed.inspect(page, 'accounts');
      await page.getByRole('link', { name: 'Demo THB' }).click();
      await page.getByRole('dialog').getByText('Kasikornbank').waitFor();
      await testbed.inspect(page, 'account');
      await page.getByRole('button', { name: 'Set charges' }).click();
      const charges = page.getByRole('dialog', { name: 'What the bank of Demo THB charges' });
      await typeInto(charges.getByLabel('Credit, fixed'), '0.5');
      await typeInto(charges.getByRole('textbox', { name: 'Reason' }), "the bank's list");
      await charges.getByRole('button', { name: 'Save' }).click();
      await page.getByText('0.50 THB').waitFor();
      await testbed.go(page, 'accounts?tab=agents');
      await page.getByRole('table', { name: 'Agent keys' }).waitFor();
      await testbed.inspect(page, 'agent-keys');
      // The approver sees what is not limited, on the page and before the button.
      const [account] = (await testbed.operate<{ nodes: { id: string }[] }>('{ bankAccounts { nodes { id } } }')).nodes;
      const { change } = await testbed.operate<{ change: { id: string } }>(
        'mutation($ids: [ID!]!) { createAgentKey(input: { label: "phone", accountIds: $ids }, reason: "new") { change { id } } }',
        { ids: [account?.id] },
      );
      const { page: second, context } = await testbed.visitor(1);
      await testbed.go(second, `changes/${change.id}`);
      await second.getByRole('button', { name: 'Approve', exact: true }).click();
      const dialog = second.getByRole('dialog');
      const ceiling = dialog.getByRole('row').filter({ hasText: 'Max transfer amount' });
      await ceiling.getByText('no limit').waitFor();
      await context.close();
      await testbed.go(page, 'audit');
      await page.getByText('asked the merchant').waitFor();
      await testbed.inspect(page, 'audit');
      await page.getByRole('link', { name: 'Approve change' }).first().click();
      await page.getByRole('dialog').getByText('Hash').waitFor();
      await testbed.inspect(page, 'audit-entry');
    });
  });
};
