import { createHmac, randomUUID } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import AxeBuilder from '@axe-core/playwright';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { locateChromium } from '../../local/chromium';
import type { Sandbox } from '../../local/sandbox';
import { md5, signingString } from '../support/platform';
import { answering, type Behaviour, Receiver } from '../support/receiver';
import { startWholePlatform, type WholePlatform } from '../support/whole-platform';

/** Where the pictures of the pages go; git does not see it. */
const PICTURES = path.join(__dirname, '..', '..', 'coverage', 'console');

const WIDTHS = [
  { name: 'wide', width: 1280, height: 800 },
  { name: 'narrow', width: 390, height: 844 },
] as const;
const SCHEMES = ['light', 'dark'] as const;
const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/** What a browser says that a page of ours must not make it say. */
export interface Complaint {
  readonly page: string;
  readonly text: string;
}

/** A deposit as its merchant was answered. */
export interface Payment {
  readonly order_no: string;
  readonly amount: string;
  readonly remark: string;
}

/** The whole platform as `npm start` runs it, a merchant's server, and a real browser. */
export class Stage {
  readonly complaints: Complaint[] = [];
  /** What the looks at the pages have found, one line each. */
  readonly faults: string[] = [];

  private constructor(
    readonly platform: WholePlatform,
    readonly browser: Browser,
    readonly receiver: Receiver,
  ) {}

  /** @param dataDir of a platform of its own */
  static async open(dataDir: string): Promise<Stage> {
    let answer: Behaviour = answering(200);
    // One person makes the demo tenant; from then on it takes two.
    await (await startWholePlatform(dataDir)).stop();
    const [platform, browser, receiver] = await Promise.all([
      startWholePlatform(dataDir, { ONE_PERSON_CHANGES: 'false' }),
      chromium.launch({
        executablePath: locateChromium(process.env),
        args: ['--no-sandbox', '--disable-dev-shm-usage'],
      }),
      Receiver.listen((response, n) => {
        answer(response, n);
      }),
    ]);
    const stage = new Stage(platform, browser, receiver);
    stage.answerWith = (behaviour) => {
      answer = behaviour;
    };
    return stage;
  }

  /** What the merchant's server does from now on. */
  answerWith: (behaviour: Behaviour) => void = () => undefined;

  async close(): Promise<void> {
    await this.browser.close();
    await this.receiver.close();
    await this.platform.stop();
  }

  get sandbox(): Sandbox {
    return this.platform.sandbox;
  }

  /** A browser of somebody's own: nobody is logged in. */
  async visitor(): Promise<{ readonly page: Page; readonly context: BrowserContext }> {
    const context = await this.browser.newContext({
      viewport: { width: 1280, height: 800 },
      locale: 'en-GB',
      timezoneId: 'Asia/Bangkok',
    });
    const page = await context.newPage();
    page.setDefaultTimeout(10_000);
    page.on('console', (message) => {
      if (message.type() === 'error' || message.type() === 'warning')
        this.complaints.push({ page: page.url(), text: message.text() });
    });
    page.on('pageerror', (error) => {
      this.complaints.push({ page: page.url(), text: error.message });
    });
    return { page, context };
  }

  /** Opens a place of the console. */
  async go(page: Page, place = ''): Promise<void> {
    await page.goto(new URL(place, this.sandbox.console).href);
  }

  /** Logs somebody of sandbox.json in. */
  async login(page: Page, who = 0): Promise<void> {
    const operator = this.sandbox.operators[who];
    if (!operator) throw new Error(`no operator ${who}`);
    await page.locator('[name=username]').fill(operator.login);
    await page.locator('[name=password]').fill(operator.password);
    await page.getByRole('button', { name: 'Log in' }).click();
    await page.getByRole('navigation', { name: 'Main' }).waitFor({ state: 'attached' });
  }

  /**
   * Looks at a page in both widths and both schemes: axe finds nothing, nothing is cut off at the side. What is
   * wrong goes to `faults`, so that one test sees all of it.
   */
  async inspect(page: Page, name: string): Promise<void> {
    mkdirSync(PICTURES, { recursive: true });
    const wrong = this.faults;
    for (const { name: width, ...viewport } of WIDTHS) {
      await page.setViewportSize(viewport);
      for (const colorScheme of SCHEMES) {
        await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
        const where = `${name} ${width} ${colorScheme}`;
        await page.evaluate('scrollTo(0, 0)');
        await page.screenshot({
          path: path.join(PICTURES, `${name}-${width}-${colorScheme}.png`),
          fullPage: true,
          animations: 'disabled',
        });
        const { violations } = await new AxeBuilder({ page }).withTags(RULES).analyze();
        wrong.push(
          ...violations.flatMap(({ id, nodes }) =>
            nodes.map(
              ({ html, failureSummary }) => `${where}: ${id}: ${html}: ${failureSummary ?? ''}`,
            ),
          ),
        );
        const overflow = await page.evaluate(
          'document.documentElement.scrollWidth - document.documentElement.clientWidth',
        );
        if (Number(overflow) > 0)
          wrong.push(`${where}: ${String(overflow)} px are cut off at the side`);
      }
    }
    await page.setViewportSize(WIDTHS[0]);
    await page.emulateMedia({ colorScheme: 'light', reducedMotion: null });
  }

  /** Creates a deposit as the demo merchant, whose callbacks go to `receiver`. */
  async deposit(fields: Readonly<Record<string, string>> = {}): Promise<Payment> {
    const { merchantApi, merchant } = this.sandbox;
    const timestamp = String(Math.floor(Date.now() / 1000));
    const body = {
      merchant_order_no: `console-${randomUUID()}`,
      amount: '1500.00',
      currency_code: 'THB',
      callback_url: this.receiver.url,
      user_id: 'somchai-7',
      ...fields,
    };
    const answer = await fetch(`${merchantApi}/orders/deposit`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'x-api-key': merchant.apiKey,
        'x-timestamp': timestamp,
        'x-signature': md5(signingString(body, timestamp) + merchant.apiKey),
      },
      body: JSON.stringify(body),
    });
    const { data, message } = (await answer.json()) as { data: Payment | null; message: string };
    if (!data) throw new Error(message);
    return data;
  }

  /** Reports a transfer to the demo account in THB, as its agent. */
  async transfer(fields: Readonly<Record<string, string>>): Promise<void> {
    const { keyId, secret } = this.sandbox.agent;
    const account = this.sandbox.accounts.find(({ currencyCode }) => currencyCode === 'THB');
    const body = JSON.stringify({
      account_id: account?.id,
      amount: '1500.00',
      currency_code: 'THB',
      bank_time: new Date().toISOString(),
      bank_reference: randomUUID(),
      payer_name: 'Somchai Jaidee',
      payer_account: '1234567890',
      memo: '',
      ...fields,
    });
    const timestamp = String(Math.floor(Date.now() / 1000));
    const nonce = randomUUID();
    const answer = await fetch(new URL('/bank-notifications', this.sandbox.merchantApi), {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'x-agent-key': keyId,
        'x-agent-timestamp': timestamp,
        'x-agent-nonce': nonce,
        'x-agent-signature': createHmac('sha256', secret)
          .update(`${timestamp}.${nonce}.${body}`)
          .digest('hex'),
      },
      body,
    });
    if (!answer.ok) throw new Error(await answer.text());
  }
}
