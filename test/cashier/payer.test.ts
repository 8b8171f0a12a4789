import { itInFull } from '../support/in-full';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from 'playwright-core';
import { WebSocket } from 'ws';
import { createGraph } from '../../graph';
import { PNG, pngOfPhone } from '../support/pictures';
import { answersIn, rawHttp } from '../support/raw-http';
import { eventually, until } from '../support/until';
import { typeInto } from '../support/type-into';
import { CashierTestbed, DESKTOP } from './testbed';

const clipboard = async (page: Page): Promise<string> => await page.evaluate<string>('navigator.clipboard.readText()');

const secondsLeft = async (page: Page): Promise<number> => {
  const [minutes = 0, seconds = 0] = (await page.getByRole('timer').innerText()).split(':').map(Number);
  return minutes * 60 + seconds;
};

const heading = (page: Page, name: string) => page.getByRole('heading', { name });

describe('a payer', () => {
  let testbed: CashierTestbed;

  beforeAll(async () => {
    testbed = await CashierTestbed.open();
  });
  afterAll(async () => {
    await testbed.close();
  });

  test('chooses, copies and pays; every tab follows; no other host is requested', async () => {
    const url = await testbed.session();
    const visit = await testbed.visit(url);
    const { page, context } = visit;
    const second = await context.newPage();
    await second.goto(url);

    // By keyboard only.
    await page.getByLabel('฿100').focus();
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('Enter');
    await heading(page, 'Transfer exactly').waitFor();
    await testbed.publish();
    await heading(second, 'Transfer exactly').waitFor();

    const order = await testbed.orderOf(url);
    const copied: Record<string, string> = {};
    let before = '';
    for (const label of ['Amount', 'Remark', 'Account number', 'Account name']) {
      const said = page.getByText('Copied').first().waitFor();
      await page.getByRole('button', { name: `Copy: ${label}` }).click();
      await said;
      // All of them differ.
      await until('the next text in the clipboard', async () => (await clipboard(page)) !== before);
      before = copied[label] = await clipboard(page);
    }
    const [account] = await testbed.platform.tenant.database.sql<{ no: string }[]>`
      select account_no as no from bank_accounts where currency_code = 'THB'`;
    expect(copied).toEqual({
      Amount: '200.00',
      Remark: order.remark,
      'Account number': account?.no,
      'Account name': 'Causeway & Co.',
    });
    await page.locator('#notice', { hasText: 'Copied' }).waitFor({ state: 'attached' });

    await second.getByRole('button', { name: 'Payment arrives' }).click();
    await testbed.publish();
    await heading(page, 'We have your payment').waitFor();
    await page.reload();
    await heading(page, 'We have your payment').waitFor();
    await testbed.step(url, 'settle');
    for (const tab of [page, second]) await heading(tab, 'Payment completed').waitFor();
    // Screen readers announce it.
    await page.locator('#notice', { hasText: 'Payment completed' }).waitFor({ state: 'attached' });
    const back = page.getByRole('link', { name: 'Back to Lotus & Söhne <Games>' });
    expect(await back.getAttribute('href')).toBe('https://shop.example/done?from=cashier');

    expect(visit.requests.filter((one) => new URL(one).host !== new URL(url).host)).toEqual([]);
    expect(visit.complaints).toEqual([]);
    await context.close();
  });

  itInFull('sees which digits count where the amount identifies the payment', async () => {
    await testbed.session({ amount: '20' }, testbed.floating);
    const { page, context } = await testbed.visit(await testbed.session({ amount: '20' }, testbed.floating));
    expect(await page.locator('mark').innerText()).toBe('1');
    expect(await page.locator('.figure').innerText()).toBe('$20.01');
    await page.getByRole('button', { name: 'Copy: Amount' }).click();
    await eventually(async () => {
      expect(await clipboard(page)).toBe('20.01');
    });
    await context.close();
  });

  itInFull('can pay without a script', async () => {
    const url = await testbed.session();
    const { page, context } = await testbed.visit(url, {
      javaScriptEnabled: false,
      ...DESKTOP,
      locale: 'th-TH',
    });
    await page.getByLabel('จำนวนอื่น').check();
    await typeInto(page.getByLabel('จำนวนเงินของคุณ'), '10');
    await page.getByRole('button', { name: 'ดำเนินการต่อ' }).click();
    await page.getByText('กรุณาเลือกจำนวนเงิน').waitFor();
    await page.getByLabel('จำนวนอื่น').check();
    await typeInto(page.getByLabel('จำนวนเงินของคุณ'), '1,234.50');
    await page.getByRole('button', { name: 'ดำเนินการต่อ' }).click();
    await page.getByText('โอนเงินให้ตรงจำนวน').waitFor();
    expect(await page.locator('.figure').innerText()).toBe('฿1,234.50');
    expect(await page.locator('meta[http-equiv=refresh]').getAttribute('content')).toContain(new URL(url).pathname);
    expect(await page.locator('.copy').first().isVisible()).toBe(false);

    // The chosen language stays.
    await page.locator('summary').click();
    await page.getByRole('link', { name: 'English' }).click();
    await page.goto(url);
    await page.getByRole('link', { name: 'I have paid, but nothing has changed' }).click();
    await typeInto(page.getByLabel('Bank reference'), 'REF 1');
    await page.getByLabel('Picture of the receipt').setInputFiles({
      name: '../a.png',
      mimeType: 'image/png',
      buffer: Buffer.from('no picture'),
    });
    await page.getByRole('button', { name: 'Send' }).click();
    await page
      .getByRole('alert')
      .filter({ hasText: /reference|picture/i })
      .waitFor();
    await typeInto(page.getByLabel('Bank reference'), 'REF 1');
    await page
      .getByLabel('Picture of the receipt')
      .setInputFiles({ name: '../a.png', mimeType: 'image/png', buffer: pngOfPhone(1) });
    await page.getByRole('button', { name: 'Send' }).click();
    await page.getByText('You sent the reference REF 1.').waitFor();
    const { id } = await testbed.orderOf(url);
    const { database, sealer } = testbed.platform.tenant;
    const [claim] = await database.sql<{ receipt: Buffer }[]>`
      select reference, receipt_type as type, receipt from payment_claims where deposit_id = ${id}`;
    expect(claim).toMatchObject({ reference: 'REF 1', type: 'image/png' });
    expect(sealer.openBytes(claim?.receipt ?? PNG, `receipt:${id}`)).toEqual(PNG);

    await page.getByRole('button', { name: 'Payment arrives' }).click();
    await heading(page, 'We have your payment').waitFor();
    await testbed.step(url, 'settle');
    await page.reload();
    await heading(page, 'Payment completed').waitFor();
    await context.close();
  });

  itInFull('sees a countdown by the server’s clock, not the browser’s', async () => {
    const url = await testbed.session();
    const { page, context } = await testbed.visit('about:blank');
    // Three hours ahead.
    await page.clock.install({ time: Date.now() + 3 * 3_600_000 });
    await page.goto(url);
    const first = await secondsLeft(page);
    expect(first).toBeGreaterThan(14 * 60);
    expect(first).toBeLessThanOrEqual(15 * 60);
    // The page asks the server now and then, for which hardly any time has passed: it gets no answer.
    await page.route('**', () => undefined);
    await page.clock.runFor(56_000);
    expect(first - (await secondsLeft(page))).toBeGreaterThanOrEqual(55);
    await context.close();
  });

  itInFull('sees the page catch up after a lost network, and at the expiry', async () => {
    const url = await testbed.session({ amount: '100' });
    const visit = await testbed.visit(url);
    const { page, context } = visit;
    await heading(page, 'Transfer exactly').waitFor();
    await context.setOffline(true);
    await page.getByText('You are offline.').waitFor();
    await testbed.step(url, 'expire');
    await context.setOffline(false);
    await heading(page, 'The time to pay is over').waitFor();
    expect(await page.locator('#offline').isVisible()).toBe(false);
    await context.close();
  });

  itInFull('sees a hidden tab refresh without WebSockets', async () => {
    const url = await testbed.session({ amount: '100' });
    const { page, context } = await testbed.visit('about:blank');
    await page.addInitScript('window.WebSocket = class extends EventTarget { close() {} }');
    await page.goto(url);
    await testbed.cancel(url);
    await page.evaluate("document.dispatchEvent(new Event('visibilitychange'))");
    await heading(page, 'This payment was cancelled').waitFor();
    expect(await heading(page, 'Transfer exactly').count()).toBe(0);
    await context.close();
  });
});

describe('the page is safe', () => {
  let testbed: CashierTestbed;

  beforeAll(async () => {
    testbed = await CashierTestbed.open();
  });
  afterAll(async () => {
    await testbed.close();
  });

  test('forbids framing, caching and referrers', async () => {
    const url = await testbed.session();
    const get = async (): Promise<Record<string, string>> => Object.fromEntries((await fetch(url)).headers);
    const headers = await get();
    expect(headers).toMatchObject({
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
      'x-frame-options': 'DENY',
      'x-content-type-options': 'nosniff',
    });
    const policy = headers['content-security-policy'];
    expect(policy).toMatch(/script-src 'nonce-[\w+/=]{20,}';/);
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toMatch(/unsafe|\*/);
    expect((await get())['content-security-policy']).not.toBe(policy);

    const other = createServer((_request, response) => {
      response.setHeader('content-type', 'text/html');
      response.end(
        `<iframe src="${url}"></iframe><form method=post action="${url}/submit"><input name=amount value=100></form>`,
      );
    });
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    const { page, context } = await testbed.visit(`http://127.0.0.1:${(other.address() as AddressInfo).port}/`);
    await page.waitForTimeout(300);
    // The browser shows its own refusal.
    expect(await page.frames()[1]?.locator('#main').count()).toBe(0);
    // Another site cannot submit the form, even with the link.
    const [answer] = await Promise.all([
      page.waitForResponse((response) => response.url().endsWith('/submit')),
      page.evaluate('document.forms[0].submit()'),
    ]);
    expect(answer.status()).toBe(403);
    await context.close();
    other.close();
    await expect(testbed.orderOf(url)).rejects.toThrow('no order');
  });

  test('texts of merchants and payers are escaped', async () => {
    const { page, context, complaints } = await testbed.visit(
      await testbed.session({
        amount: '100',
        payer_bank_cards: [{ bank_code: '<img src=x onerror=alert(1)>', note: '"><script>alert(1)</script>' }],
      }),
    );
    await page.getByText('<img src=x onerror=alert(1)>').waitFor();
    expect(await page.locator('header strong').innerText()).toBe('Lotus & Söhne <Games>');
    expect(complaints).toEqual([]);
    await context.close();
  });

  test('an invalid token gets an error page and no socket', async () => {
    const token = new URL(await testbed.session()).pathname;
    const base = `http://localhost:${testbed.platform.port}`;
    for (const path of ['/cashier/none', `${token}x`, `/cashier/${'a'.repeat(2_000)}`]) {
      const answer = await fetch(base + path);
      expect([answer.status, await answer.text()]).toEqual([401, expect.stringContaining('This link does not work')]);
    }
    const opened = (path: string, origin?: string) =>
      new Promise<string>((resolve) => {
        const socket = new WebSocket(
          `ws://localhost:${testbed.platform.port}${path}/stream`,
          origin === undefined ? {} : { origin },
        );
        socket.on('message', (data: Buffer) => {
          resolve(data.toString());
          socket.close();
        });
        socket.on('unexpected-response', (_request, response) => {
          resolve(String(response.statusCode));
        });
        socket.on('error', () => undefined);
      });
    expect(await opened('/cashier/none')).toBe('401');
    expect(await opened(token, 'https://evil.example')).toBe('403');
    expect(await opened(token, `http://localhost:${testbed.platform.port}`)).toMatch(/^\{"state":"choose\.1/);
  });

  test('one link gets eight sockets; other protocols than WebSocket are not upgraded', async () => {
    const { pathname } = new URL(await testbed.session());
    const sockets = Array.from(
      { length: 9 },
      () => new WebSocket(`ws://localhost:${testbed.platform.port}${pathname}/stream`),
    );
    const results = await Promise.all(
      sockets.map(
        async (socket) =>
          await new Promise<number>((resolve) => {
            socket.on('open', () => {
              resolve(101);
            });
            socket.on('unexpected-response', (_request, response) => {
              resolve(response.statusCode ?? 0);
            });
            socket.on('error', () => undefined);
          }),
      ),
    );
    expect(results.filter((status) => status === 101)).toHaveLength(8);
    expect(results.filter((status) => status === 429)).toHaveLength(1);
    for (const socket of sockets) socket.terminate();

    const raw = await rawHttp(
      testbed.platform.port,
      `GET /health/live HTTP/1.1\r\nHost: a\r\nConnection: Upgrade, HTTP2-Settings, close\r\nUpgrade: h2c\r\n\r\n`,
    );
    expect(answersIn(raw)).toMatchObject([{ status: 200 }]);
  });

  test('cannot simulate the bank in production', async () => {
    const { tenant } = testbed.platform;
    const graph = createGraph({ ...tenant.graph.core, environment: 'production' });
    const production = await testbed.beside({ graph, environment: 'production' });
    try {
      const url = new URL(await testbed.session({ amount: '100.00' }));
      const sandbox = await testbed.visit(url.href);
      expect(await sandbox.page.getByRole('button', { name: 'Payment arrives' }).count()).toBe(1);
      url.port = String(production.port);
      const { page } = await testbed.visit(url.href);
      await heading(page, 'Transfer exactly').waitFor();
      const words = await page.locator('body').innerText();
      expect(words).not.toMatch(/test mode|play the bank|payment arrives/i);
      expect(await page.locator('.simulation, .sandbox').count()).toBe(0);
      for (const body of [new URLSearchParams({ outcome: 'PAID' }), '{"outcome":"paid"}']) {
        const { status } = await fetch(`${url.href}/simulate`, { method: 'POST', body });
        expect(status).toBe(404);
      }
    } finally {
      await production.close();
    }
  });
});
