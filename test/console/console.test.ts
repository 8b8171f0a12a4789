import path from 'node:path';
import type { Page } from 'playwright-core';
import { answering } from '../support/receiver';
import { temporaryFolder } from '../support/temporary-folder';
import { Stage } from './stage';

// Each look is four pictures and four runs of axe.
jest.setTimeout(240_000);

/** What an operator does, in a real browser, on the platform that `npm start` runs. */
describe('the console', () => {
  const dataDir = path.join(temporaryFolder(), 'data');
  let stage: Stage;
  let page: Page;

  beforeAll(async () => {
    stage = await Stage.open(dataDir);
    ({ page } = await stage.visitor());
  });
  afterAll(async () => {
    await stage.close();
  });

  it('is closed without a login, and says what is wrong with one', async () => {
    await stage.go(page, 'deposits?status=PENDING');
    await page.locator('[name=username]').fill('admin');
    await page.locator('[name=password]').fill('no such password');
    await page.getByRole('button', { name: 'Log in' }).click();
    await page.getByText('Login, password or code is wrong').waitFor();
    await stage.inspect(page, 'login');
    await stage.login(page);
    // Where one wanted to be.
    expect(page.url()).toBe(new URL('deposits?status=PENDING', stage.sandbox.console).href);
    await stage.inspect(page, 'deposits-empty');
  });

  it('shows a deposit with its story, as it happens, and resends its callback', async () => {
    stage.answerWith(answering(404));
    const payment = await stage.deposit();
    await stage.go(page, 'deposits');
    await page.getByRole('link', { name: payment.order_no }).click();
    await page.getByText('Now: waits for a transfer of 1500.0000 THB').waitFor();
    await stage.transfer({ memo: `pay ${payment.remark}` });
    const story = page.getByRole('list', { name: 'Timeline' });
    await story.getByText('Deposit credit posted').waitFor();
    await story.getByText('answered 404').waitFor();
    await page.getByText('Request and answer').click();
    await page.getByText('"event": "deposit.completed"').waitFor();
    await stage.inspect(page, 'deposit');

    stage.answerWith(answering(200));
    await page.getByRole('button', { name: 'Resend' }).click();
    await page.getByLabel('Reason').fill('the merchant has mended its server');
    await page.getByRole('dialog').getByRole('button', { name: 'Resend' }).click();
    await story.getByText('answered 200').waitFor();
    expect(stage.receiver.received).toHaveLength(2);
  });

  it('keeps the list of deposits up to date without moving it', async () => {
    const first = await stage.deposit({ amount: '99.50' });
    await stage.go(page, 'deposits?status=PENDING');
    const row = page.getByRole('row').filter({ hasText: first.order_no });
    await row.getByText('Pending').waitFor();
    const before = await page.getByRole('row').count();
    const second = await stage.deposit({ amount: '125000' });
    const news = page.getByRole('button', { name: '1 new' });
    await news.waitFor();
    // Its status changes in its place, though it no longer fits the filter.
    await stage.transfer({ amount: '99.50', memo: first.remark });
    await row.getByText('Completed').waitFor();
    expect(await page.getByRole('row').count()).toBe(before);
    await news.click();
    await page.getByRole('link', { name: second.order_no }).waitFor();
    await page.getByText('125,000.00').waitFor();
    expect(await row.count()).toBe(0);
    await page.getByRole('button', { name: 'Amount' }).click();
    await page.waitForURL(/sort=-amount/);
    await stage.inspect(page, 'deposits');
  });

  it('finds a deposit by its remark, and the keyboard is enough', async () => {
    const payment = await stage.deposit();
    await page.keyboard.press('/');
    await page.keyboard.type(payment.remark);
    await page.getByRole('option', { name: payment.order_no }).waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: payment.order_no }).waitFor();
    expect(page.url()).toContain(`/console/deposits/${payment.order_no}`);
  });

  it('matches unmatched money to its order, which is then completed before the eye', async () => {
    stage.answerWith(answering(200));
    await stage.go(page, 'unmatched');
    await page.getByText('Nothing waits').waitFor();
    await stage.inspect(page, 'unmatched-empty');
    const payment = await stage.deposit({ amount: '777.00' });
    await stage.transfer({ amount: '777.00', memo: 'thank you' });
    await page.reload();
    await page.getByRole('link', { name: '777.00 THB' }).click();
    const candidate = page.getByRole('listitem').filter({ hasText: payment.order_no });
    await candidate.getByText('amount, in time').waitFor();
    await stage.inspect(page, 'unmatched-transfer');
    // A second pair of eyes watches the order.
    const { page: other } = await stage.visitor();
    await stage.go(other, `deposits/${payment.order_no}`);
    await stage.login(other);
    await other.getByText('Now: waits for a transfer of 777.0000 THB').waitFor();

    await candidate.getByRole('button', { name: 'Match' }).click();
    await page.getByLabel('Reason').fill('the payer told us on the phone');
    await page.getByRole('dialog').getByRole('button', { name: 'Match', exact: true }).click();
    await page.getByText(`Matched to ${payment.order_no}.`).first().waitFor();
    await other.getByText('Deposit credit posted').waitFor();
    await other.locator('.page-head').getByText('Completed').waitFor();
    expect(await other.getByText('the payer told us on the phone').count()).toBe(1);
    await other.close();
  });

  it('issues a key that is seen once, and that a second person approves', async () => {
    await stage.go(page, 'merchants');
    await page.getByRole('link', { name: 'Demo Merchant' }).waitFor();
    await stage.inspect(page, 'merchants');
    await page.getByRole('link', { name: 'Demo Merchant' }).click();
    await page.getByRole('heading', { name: 'Settings' }).waitFor();
    await stage.inspect(page, 'merchant');
    await page.getByRole('tab', { name: 'Keys' }).click();
    await page.getByRole('button', { name: 'Issue a key' }).click();
    await page.getByLabel('Reason').fill('a second server of the merchant');
    await page.getByRole('dialog').getByRole('button', { name: 'Issue' }).click();
    const secret = page.getByRole('dialog', { name: 'The new key' }).locator('.mono');
    const apiKey = await secret.innerText();
    expect(apiKey.length).toBeGreaterThan(20);
    await page.getByLabel('It is stored where it belongs').check();
    await page.getByRole('button', { name: 'Close' }).click();
    await secret.waitFor({ state: 'detached' });
    expect(await page.content()).not.toContain(apiKey);
    // Nothing has come of it yet: the head and the one key of before.
    expect(await page.getByRole('table', { name: 'API keys' }).getByRole('row').count()).toBe(2);
    await stage.inspect(page, 'keys');

    await stage.go(page, 'changes?status=PROPOSED');
    await page.getByRole('link', { name: 'Issue a key to DEMO' }).click();
    await page.getByText('You may not approve it').waitFor();
    await stage.inspect(page, 'change');
    const { page: second, context } = await stage.visitor();
    await stage.go(second, 'changes?status=PROPOSED');
    await stage.login(second, 1);
    await second.getByRole('link', { name: 'Issue a key to DEMO' }).click();
    await second.getByRole('button', { name: 'Approve', exact: true }).click();
    await second.getByLabel('Reason').fill('asked the merchant');
    await second.getByRole('button', { name: 'Approve and apply' }).click();
    await second.locator('.page-head').getByText('Applied').waitFor();
    // Who approves sees no audit log.
    expect(await second.getByRole('link', { name: 'Audit log' }).count()).toBe(0);
    await context.close();
    await stage.go(page, 'changes');
    await page.getByRole('table').waitFor();
    await stage.inspect(page, 'changes');
    await stage.go(page, 'merchants');
    await page.getByRole('link', { name: 'Demo Merchant' }).click();
    await page.getByRole('tab', { name: 'Keys' }).click();
    await page.getByRole('table', { name: 'API keys' }).getByRole('row').nth(2).waitFor();
    await page.getByRole('tab', { name: 'Balances' }).click();
    await page.getByRole('table', { name: 'Balances' }).waitFor();
    await stage.inspect(page, 'balances');
  });

  it('shows accounts, the audit log, and what is mine', async () => {
    await stage.go(page, 'accounts');
    await page.getByRole('link', { name: 'Demo THB' }).waitFor();
    await stage.inspect(page, 'accounts');
    await page.getByRole('link', { name: 'Demo THB' }).click();
    await page.getByRole('dialog').getByText('Kasikornbank').waitFor();
    await stage.inspect(page, 'account');
    await stage.go(page, 'accounts?tab=agents');
    await page.getByRole('table', { name: 'Agent keys' }).waitFor();
    await stage.inspect(page, 'agent-keys');
    await stage.go(page, 'audit');
    await page.getByText('asked the merchant').waitFor();
    await stage.inspect(page, 'audit');
    await page.getByRole('link', { name: 'Approve change' }).first().click();
    await page.getByRole('dialog').getByText('Hash').waitFor();
    await stage.inspect(page, 'audit-entry');
    await stage.go(page, 'security');
    await page.getByText('This one').waitFor();
    expect(await page.getByRole('table', { name: 'Sessions' }).getByText('This one').count()).toBe(
      1,
    );
    await stage.inspect(page, 'security');
  });

  it('asks for the login again where a session has ended, and goes on where one was', async () => {
    const { page: own, context } = await stage.visitor();
    await stage.go(own, 'deposits?status=COMPLETED');
    await stage.login(own);
    await own.getByRole('table', { name: 'Deposits' }).waitFor();
    await context.clearCookies();
    await own.getByRole('link', { name: 'Unmatched money' }).click();
    await own.getByText('Your login has ended').waitFor();
    await stage.login(own);
    await own.getByRole('heading', { name: 'Unmatched money' }).waitFor();
    expect(own.url()).toBe(new URL('unmatched', stage.sandbox.console).href);
    await own.getByRole('button', { name: /log out/ }).click();
    await own.getByRole('menuitem', { name: 'Log out' }).click();
    await own.getByText('You have logged out.').waitFor();
    expect(await context.cookies()).toEqual([]);
    await context.close();
  });

  it('is usable by everybody at both widths, light and dark, and makes no browser complain', () => {
    expect({ faults: stage.faults, complaints: stage.complaints }).toEqual({
      faults: [],
      complaints: [],
    });
  });
});
