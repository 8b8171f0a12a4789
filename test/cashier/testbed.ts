import { mkdirSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { MockActivityEnvironment } from '@temporalio/testing';
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import pino from 'pino';
import { uuidv7 } from 'uuidv7';
import { addressBehind } from '../../runtime/client-address';
import { publishEvents } from '../../db/events/events';
import type { GatewayDeps } from '../../gateway/deps';
import { buildGateway } from '../../gateway/server';
import { createDepositActivities } from '../../temporal/activities/deposits';
import { axeFindings } from '../support/axe';
import { launchBrowser } from '../support/browser';
import { CASHIER_URL, type MerchantClient, Platform } from '../support/platform';

/** Folder of the pages' pictures; ignored by git. */
const PICTURES = path.join(__dirname, '..', '..', 'coverage', 'cashier');
/** Pictures are for people: taken only on request. */
const wantsPictures = process.env['CASHIER_PICTURES'] !== undefined;

export const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true } as const;
export const DESKTOP = { viewport: { width: 1280, height: 800 } } as const;

const quiet = {
  log: () => undefined,
  trace: () => undefined,
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
};

/** A payer's tab and its errors. */
export interface Visit {
  readonly page: Page;
  readonly context: BrowserContext;
  /** Errors in the browser's console: policy violations, script errors, failed requests. */
  readonly complaints: string[];
  /** Every requested URL. */
  readonly requests: string[];
}

/** The public listener with real sessions, and a real browser. */
export class CashierTestbed {
  /** Findings of the inspections, one line each. */
  readonly faults: string[] = [];

  private constructor(
    readonly platform: Platform,
    readonly browser: Browser,
    /** In THB, with remarks. */
    readonly merchant: MerchantClient,
    /** In USD, with an account of mode FLOAT; without denominations. */
    readonly floating: MerchantClient,
  ) {}

  static async open(): Promise<CashierTestbed> {
    const [platform, browser] = await Promise.all([Platform.open(), launchBrowser()]);
    const branding = {
      cashierName: 'Lotus & Söhne <Games>',
      cashierColour: '#7c3aed',
      cashierReturnUrl: 'https://shop.example/done?from=cashier',
    };
    const [merchant, floating] = await Promise.all([
      platform.merchant(branding, {
        currencyCode: 'THB',
        cashierAmounts: {
          denominations: ['100', '200', '500'],
          customMin: '50',
          customMax: '9000',
        },
      }),
      platform.merchant(
        { cashierName: 'Night Market' },
        {
          cashierAmounts: { denominations: [], customMin: '5', customMax: '500' },
        },
      ),
    ]);
    await platform.tenant.account('THB', {
      bankName: 'Kasikornbank',
      accountHolder: 'Causeway & Co.',
    });
    await platform.tenant.account('USD', {
      bankName: 'First Bank',
      mode: 'FLOAT',
      float: { step: '0.01', up: '0.99', down: '0' },
    });
    return new CashierTestbed(platform, browser, merchant, floating);
  }

  /** A second listener over the same sessions, with these differences. */
  async beside(deps: Partial<GatewayDeps>): Promise<{ readonly port: number; readonly close: () => Promise<void> }> {
    const { tenant } = this.platform;
    const gateway = await buildGateway({
      graph: tenant.graph,
      clock: () => tenant.now(),
      log: pino({ level: 'silent' }),

      environment: 'sandbox',
      cashierUrl: CASHIER_URL,
      merchantApiUrl: '',
      addressOf: addressBehind([]),
      ...deps,
    });
    await gateway.listen({ host: '127.0.0.1', port: 0 });
    const { port } = gateway.server.address() as AddressInfo;
    return {
      port,
      close: async () => {
        await gateway.close();
      },
    };
  }

  async close(): Promise<void> {
    await this.browser.close();
    await this.platform.close();
  }

  /** Opens a session by the merchant API. @returns the URL of its page on this listener */
  async session(fields: Readonly<Record<string, unknown>> = {}, merchant = this.merchant): Promise<string> {
    const { body } = await merchant.signed('POST', '/orders/deposit/cashier', {
      merchant_order_no: uuidv7(),
      currency_code: merchant === this.merchant ? 'THB' : 'USD',
      ...fields,
    });
    if (!body.data) throw new Error(body.message);
    return `http://localhost:${this.platform.port}/cashier/${String(body.data['cashier_token'])}`;
  }

  /** A payer's tab in a separate browser. */
  async visit(url: string, options: BrowserContextOptions = {}): Promise<Visit> {
    const context = await this.browser.newContext({
      ...PHONE,
      locale: 'en-GB',
      timezoneId: 'Asia/Bangkok',
      reducedMotion: 'reduce',
      permissions: ['clipboard-read', 'clipboard-write'],
      ...options,
    });
    const page = await context.newPage();
    page.setDefaultTimeout(60_000);
    const visit: Visit = { page, context, complaints: [], requests: [] };
    page.on('console', (message) => {
      if (message.type() === 'error' || message.type() === 'warning') visit.complaints.push(message.text());
    });
    page.on('pageerror', (error) => visit.complaints.push(error.message));
    page.on('request', (request) => visit.requests.push(request.url()));
    await page.goto(url);
    return visit;
  }

  /** The worker's part: publishes events, so that pages receive them. */
  async publish(): Promise<void> {
    while (await publishEvents(this.platform.tenant.database, 1_000));
  }

  /** The order of a page's session. */
  async orderOf(url: string): Promise<{ id: string; orderNo: string; amount: string; remark: string | null }> {
    const [, payload = ''] = new URL(url).pathname.split('.');
    const { sub } = JSON.parse(Buffer.from(payload, 'base64url').toString()) as { sub: string };
    const [row] = await this.platform.tenant.database.sql<
      { id: string; orderNo: string; amount: string; remark: string | null }[]
    >`select id, order_no, amount::text, expected_remark as remark from deposit_orders
      where cashier_session_id = ${sub}`;
    if (!row) throw new Error('the session has no order');
    return row;
  }

  /** A step of the order's workflow, as the worker runs it. */
  async step(url: string, step: 'settle' | 'expire'): Promise<void> {
    const { tenant } = this.platform;
    const { id } = await this.orderOf(url);
    const now = tenant.now();
    // A day later every order's time has come.
    const at = step === 'settle' ? now : new Date(now.getTime() + 86_400_000);
    const steps = createDepositActivities({
      database: tenant.database,
      clock: () => Promise.resolve(at),
    });
    await new MockActivityEnvironment({}, { logger: quiet }).run(async () =>
      step === 'settle' ? await steps.settleDeposit(id) : await steps.expireDeposit(id, at.toISOString()),
    );
    await this.publish();
  }

  async cancel(url: string): Promise<void> {
    const { orderNo } = await this.orderOf(url);
    await this.platform.tenant.operate('CancelDeposit', { orderNo, reason: 'test' });
    await this.publish();
  }

  /**
   * Inspects a page in a theme: no axe findings, no horizontal overflow, large enough touch targets. Findings go to
   * `faults`, so that one test reports them all.
   */
  async inspect({ page, complaints }: Visit, name: string): Promise<void> {
    await this.measure(page, name);
    const found = [...(await axeFindings(page)), ...complaints];
    this.faults.push(...found.map((text) => `${name}: ${text}`));
  }

  /** Finds horizontal overflow and touch targets that are too small. */
  async measure(page: Page, name: string): Promise<void> {
    if (wantsPictures) {
      mkdirSync(PICTURES, { recursive: true });
      await page.screenshot({ path: path.join(PICTURES, `${name}.png`), fullPage: true });
    }
    const { overflow, small } = await page.evaluate<{ overflow: number; small: string[] }>(`({
      overflow: document.documentElement.scrollWidth - document.documentElement.clientWidth,
      small: [...document.querySelectorAll('a, button, summary, input:not([type=radio]), .tile')]
        .filter((one) => one.checkVisibility() && one.getBoundingClientRect().height < 43.5)
        .map((one) => one.outerHTML),
    })`);
    if (overflow > 0) this.faults.push(`${name}: ${overflow} px are cut off at the side`);
    this.faults.push(...small.map((html) => `${name}: too small to touch: ${html}`));
  }
}
