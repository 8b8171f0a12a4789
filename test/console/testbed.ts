import { createHmac, randomUUID } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import type { Sandbox, SandboxOperator } from '../../local/sandbox';
import { launchBrowser } from '../support/browser';
import { md5, signingString } from '../support/platform';
import { answering, type Behaviour, Receiver } from '../support/receiver';
import { typeInto } from '../support/type-into';
import { look, lookPlain } from './look';
import { typeBehindKeys } from './typing';
import { copyPreparedData, startWholePlatform, type WholePlatform } from '../support/whole-platform';

/** An error or warning in the browser's console. */
export interface Complaint {
  readonly page: string;
  readonly text: string;
}

/** The answer to a deposit's creation. */
export interface Payment {
  readonly order_no: string;
  readonly amount: string;
  readonly remark: string;
}

/** The whole platform as `npm start` runs it, a merchant's server, and a real browser. */
export class Testbed {
  readonly complaints: Complaint[] = [];
  /** Pages whose failed requests are not counted as complaints, because their test causes them. */
  private readonly mayFail = new WeakSet<Page>();
  /** The findings of the inspections of pages, one line each. */
  readonly faults: string[] = [];

  private constructor(
    readonly platform: WholePlatform,
    readonly browser: Browser,
    readonly receiver: Receiver,
  ) {}

  /**
   * @param dataDir of a separate platform; created here
   * @param settings of the platform
   */
  static async open(dataDir: string, settings: Readonly<Record<string, string>> = {}): Promise<Testbed> {
    // One person set up the demo tenant; from now on changes need two.
    await copyPreparedData(dataDir);
    return await Testbed.openFresh(dataDir, { ONE_PERSON_CHANGES: 'false', ...settings });
  }

  /** The same at its first start, when one person may change everything. */
  static async openFresh(dataDir: string, settings: Readonly<Record<string, string>> = {}): Promise<Testbed> {
    let answer: Behaviour = answering(200);
    const [platform, browser, receiver] = await Promise.all([
      startWholePlatform(dataDir, settings),
      launchBrowser(),
      Receiver.listen((response, n) => {
        answer(response, n);
      }),
    ]);
    const testbed = new Testbed(platform, browser, receiver);
    testbed.answerWith = (behaviour) => {
      answer = behaviour;
    };
    return testbed;
  }

  /** Sets how the merchant's server answers from now on. */
  answerWith: (behaviour: Behaviour) => void = () => undefined;

  async close(): Promise<void> {
    await this.browser.close();
    await this.receiver.close();
    await this.platform.stop();
  }

  get sandbox(): Sandbox {
    return this.platform.sandbox;
  }

  /** A separate browser. @param who operator of sandbox.json to log in there; without it no login */
  async visitor(who?: number): Promise<{ readonly page: Page; readonly context: BrowserContext }> {
    const context = await this.browser.newContext({
      viewport: { width: 1280, height: 800 },
      locale: 'en-GB',
      timezoneId: 'Asia/Bangkok',
      reducedMotion: 'reduce',
    });
    const page = await context.newPage();
    page.setDefaultTimeout(60_000);
    page.on('console', (message) => {
      const expected = this.mayFail.has(page) && /^Failed to load resource|WebSocket/.test(message.text());
      if ((message.type() === 'error' || message.type() === 'warning') && !expected)
        this.complaints.push({ page: page.url(), text: message.text() });
    });
    page.on('pageerror', (error) => {
      this.complaints.push({ page: page.url(), text: error.message });
    });
    if (who !== undefined) await this.signIn(context, who);
    return { page, context };
  }

  /** From now on failed requests of this page are not counted as complaints. */
  expectFailedRequests(page: Page): void {
    this.mayFail.add(page);
  }

  /** Logs in by API, as the login page would. */
  async signIn(context: BrowserContext, who: number): Promise<void> {
    const { login, password } = this.operator(who);
    await this.ask(context, {
      query:
        'mutation ($login: String!, $password: String!) { signIn(login: $login, password: $password) { expiresAt } }',
      variables: { login, password },
    });
  }

  /** Ends the session by API, of which the browser's pages know nothing yet. */
  async signOut(context: BrowserContext): Promise<void> {
    await this.ask(context, { query: 'mutation { logout { ok } }' });
  }

  /** Sends an operation with the cookies of a browser. */
  private async ask(context: BrowserContext, data: object): Promise<void> {
    const { graphql, console: place } = this.sandbox;
    const answer = await context.request.post(graphql, {
      headers: { 'X-Causeway-Console': '1', origin: new URL(place).origin },
      data,
    });
    const text = await answer.text();
    if (!answer.ok() || text.includes('errors')) throw new Error(text);
  }

  /** Opens a page of the console. */
  async go(page: Page, place = ''): Promise<void> {
    await page.goto(new URL(place, this.sandbox.console).href);
  }

  /** Logs in as an operator of sandbox.json. */
  async login(page: Page, who = 0): Promise<void> {
    const operator = this.operator(who);
    await typeInto(page.locator('[name=username]'), operator.login);
    await typeInto(page.locator('[name=password]'), operator.password);
    await page.getByRole('button', { name: 'Log in' }).click();
    await page.getByRole('navigation', { name: 'Main' }).waitFor({ state: 'attached' });
  }

  /** Inspects a page (look.ts). Findings go to `faults`, so that one test reports them all. */
  async inspect(page: Page, name: string): Promise<void> {
    this.faults.push(...(await look(page, name)));
  }

  /** Types every letter into the fields of a page and of its shortcuts' dialogs (typing.ts). Faults go to `faults`. */
  async typeBehindKeys(page: Page, without?: string): Promise<void> {
    this.faults.push(...(await typeBehindKeys(page, this.typedInto, without)));
  }
  private readonly typedInto = new Set<string>();

  /** Inspects a page that is not the console's. */
  async inspectPlain(page: Page, name: string): Promise<void> {
    this.faults.push(...(await lookPlain(page, name)));
  }

  /** Runs an operation as an operator of sandbox.json, by API, and returns its one root field. */
  async operate<Result>(query: string, variables: Readonly<Record<string, unknown>> = {}, who = 0): Promise<Result> {
    const ask = async (body: object, headers = {}): Promise<unknown> => {
      const answer = await fetch(this.sandbox.graphql, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body: JSON.stringify(body),
      });
      const { data, errors } = (await answer.json()) as {
        data?: Record<string, unknown> | null;
        errors?: { message: string }[];
      };
      if (errors?.[0]) throw new Error(errors[0].message);
      return Object.values(data ?? {})[0];
    };
    const { login, password } = this.operator(who);
    this.tokens[who] ??= (
      (await ask({
        query: 'mutation ($login: String!, $password: String!) { login(login: $login, password: $password) { token } }',
        variables: { login, password },
      })) as { token: string }
    ).token;
    const authorization = `Bearer ${this.tokens[who]}`;
    return (await ask({ query, variables }, { authorization })) as Result;
  }

  /** Approves the newest open change request as an approver. */
  async approveNewest(who = 1): Promise<void> {
    const { nodes } = await this.operate<{ nodes: { id: string }[] }>(
      '{ changeRequests(first: 1, filter: { status: [PROPOSED] }) { nodes { id } } }',
    );
    await this.operate(
      'mutation ($id: ID!) { approveChange(id: $id, reason: "looked at it") { id } }',
      { id: nodes[0]?.id },
      who,
    );
  }

  /** Waits for the newest unused link mailed to an address. @returns its secret */
  async mailedToken(to: string): Promise<string> {
    for (;;) {
      const files = existsSync(this.sandbox.mails) ? readdirSync(this.sandbox.mails) : [];
      // A mail that is being written has another name, and loses it at any moment.
      const whole = files.filter((file) => file.endsWith('.json')).sort();
      for (const file of whole.reverse()) {
        const text = readFileSync(path.join(this.sandbox.mails, file), 'utf8');
        const token = text.includes(to) ? /#([\w-]{20,})/.exec(text)?.[1] : undefined;
        if (token !== undefined && !this.usedTokens.has(token)) {
          this.usedTokens.add(token);
          return token;
        }
      }
      await sleep(50);
    }
  }
  private readonly usedTokens = new Set<string>();
  private readonly tokens: Record<number, string> = {};

  private operator(who: number): SandboxOperator {
    const operator = this.sandbox.operators[who];
    if (!operator) throw new Error(`no operator ${who}`);
    return operator;
  }

  /** Creates an order as the demo merchant; its callbacks go to `receiver`. */
  private async create<Created>(route: string, fields: Readonly<Record<string, string>>): Promise<Created> {
    const { merchantApi, merchant } = this.sandbox;
    const timestamp = String(Math.floor(Date.now() / 1000));
    const body = {
      merchant_order_no: `console-${randomUUID()}`,
      currency_code: 'THB',
      callback_url: this.receiver.url,
      ...fields,
    };
    const answer = await fetch(`${merchantApi}${route}`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'x-api-key': merchant.apiKey,
        'x-timestamp': timestamp,
        'x-signature': md5(signingString(body, timestamp) + merchant.apiKey),
      },
      body: JSON.stringify(body),
    });
    const { data, message } = (await answer.json()) as { data: Created | null; message: string };
    if (!data) throw new Error(message);
    return data;
  }

  /** Creates a deposit of 1,500.00 THB. */
  async deposit(fields: Readonly<Record<string, string>> = {}): Promise<Payment> {
    return await this.create<Payment>('/orders/deposit', {
      amount: '1500.00',
      user_id: 'somchai-7',
      ...fields,
    });
  }

  /** Creates a withdrawal of 100.00 THB. @returns its gateway number */
  async withdrawal(fields: Readonly<Record<string, string>> = {}): Promise<string> {
    const { order_no: orderNo } = await this.create<{ order_no: string }>('/orders/withdrawal', {
      amount: '100.00',
      beneficiary_name: 'Ann Example',
      beneficiary_account: '001-555-9',
      beneficiary_bank_code: 'KBANK',
      ...fields,
    });
    return orderNo;
  }

  /** Opens a cashier session. @returns its id and the payer's URL */
  async cashierSession(
    fields: Readonly<Record<string, string>> = {},
  ): Promise<{ session_id: string; cashier_url: string }> {
    return await this.create('/orders/deposit/cashier', fields);
  }

  /** Creates and pays a deposit in THB, so that the demo merchant has a balance. @returns its gateway number */
  async fund(amount: string): Promise<string> {
    const { remark, order_no: orderNo } = await this.deposit({ amount });
    await this.transfer({ amount, memo: remark });
    for (;;) {
      const { status } = await this.operate<{ status: string }>(
        'query ($orderNo: String!) { deposit(orderNo: $orderNo) { status } }',
        { orderNo },
      );
      if (status === 'COMPLETED') return orderNo;
      await sleep(50);
    }
  }

  /** Reports a transfer to the demo account in THB, as its agent. */
  async transfer(fields: Readonly<Record<string, string>>): Promise<void> {
    const payer = { payer_name: 'Somchai Jaidee', payer_account: '1234567890' };
    await this.notify({ amount: '1500.00', bank_reference: randomUUID(), ...payer, ...fields });
  }

  /** Reports that money left the demo account in THB, as its agent. */
  async debit(fields: Readonly<Record<string, string>>): Promise<void> {
    await this.notify({ direction: 'debit', ...fields });
  }

  private async notify(fields: Readonly<Record<string, string>>): Promise<void> {
    const { keyId, secret } = this.sandbox.agent;
    const account = this.sandbox.accounts.find(({ currencyCode }) => currencyCode === 'THB');
    const body = JSON.stringify({
      account_id: account?.id,
      currency_code: 'THB',
      bank_time: new Date().toISOString(),
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
        'x-agent-signature': createHmac('sha256', secret).update(`${timestamp}.${nonce}.${body}`).digest('hex'),
      },
      body,
    });
    if (!answer.ok) throw new Error(await answer.text());
  }
}
