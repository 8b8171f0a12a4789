import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Faults, meets, NO_FAULTS } from './faults';
import { type Deposit, Deposits } from './deposits';
import { type Payment, Payments } from './payments';
import { Doorkeeper, type SharedKey, signWebhook } from './signing';
import type { Asked, Fields, Reply, Style, Taken, Upstream } from './style';
import { Webhooks } from './webhooks';

/** Settings at the admin address; absent ones stay as they are. */
export interface SimulatorSettings {
  readonly faults?: Partial<Faults>;
  /** Where its client receives webhooks; null: it sends none. */
  readonly webhookUrl?: string | null;
  /** Its balances, plain decimals by currency. */
  readonly balances?: Readonly<Record<string, string>>;
  /** The health that it reports. */
  readonly up?: boolean;
  /** Whether it lists its payouts; by default it does. */
  readonly lists?: boolean;
}

/** The account that its payers transfer to. It is marked as a mock, which no real upstream may do. */
const BANK_DETAILS = {
  bank_code: 'SIMB',
  bank_name: 'Simulated Bank',
  bank_branch: null,
  account_no: '9876543210',
  account_holder: 'Upstream Ltd.',
} as const;

/** A report in our own protocol. */
const ownReport =
  (key: SharedKey): Style['report'] =>
  ({ reference, amount, currency, channelOrderNo, state, reason }, id, forged) => {
    const report = { message_id: id, reference, status: state, amount, currency, reason };
    const body = JSON.stringify({ ...report, channel_order_no: channelOrderNo });
    const signer = forged ? { ...key, secret: `not ${key.secret}` } : key;
    return { headers: () => signWebhook(signer, body), body };
  };

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}

/**
 * Stands in for an upstream that pays out and takes deposits: a real server with its own records, its own signing and
 * faults on demand (docs/channels.md). The client must notice wrong reports; the records show what was paid.
 */
export class Simulator implements Upstream {
  readonly payments = new Payments();
  readonly deposits = new Deposits();
  private faults: Faults = NO_FAULTS;
  private webhookUrl: string | null = null;
  private up = true;
  private lists = true;
  private readonly doorkeeper: Doorkeeper;
  private readonly webhooks: Webhooks;
  private readonly timers = new Set<NodeJS.Timeout>();
  private readonly server: Server;

  /** @param style the provider that it speaks as; by default our own protocol */
  constructor(
    key: SharedKey,
    private readonly style: Style | null = null,
  ) {
    this.doorkeeper = new Doorkeeper(key);
    this.webhooks = new Webhooks(style ?? { report: ownReport(key) }, () => ({
      url: this.webhookUrl,
      faults: this.faults,
    }));
    this.server = createServer((request, response) => {
      this.serve(request, response).catch(() => response.destroy());
    });
  }

  /** @param port 0: any free one. @returns its base address */
  async listen(port = 0, host = '127.0.0.1'): Promise<string> {
    await new Promise<void>((resolve, reject) => {
      this.server.once('error', reject).listen(port, host, resolve);
    });
    const { port: taken } = this.server.address() as AddressInfo;
    return `http://${host}:${taken}`;
  }

  async close(): Promise<void> {
    for (const timer of this.timers) clearTimeout(timer);
    this.webhooks.stop();
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  configure({ faults, webhookUrl, balances = {}, up, lists }: SimulatorSettings): void {
    this.faults = { ...this.faults, ...faults };
    if (webhookUrl !== undefined) this.webhookUrl = webhookUrl;
    for (const [currency, amount] of Object.entries(balances)) this.payments.fund(currency, amount);
    this.up = up ?? this.up;
    this.lists = lists ?? this.lists;
  }

  /** Pays a payout that it had reported as failed, and reports it. */
  payAfterAll(payment: Payment): void {
    this.payments.pay(payment);
    this.webhooks.tell('payout', payment);
  }

  /** The bank returns a payout, and the simulator reports it. */
  giveBack(payment: Payment): void {
    this.payments.giveBack(payment);
    this.webhooks.tell('payout', payment);
  }

  private async serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await bodyOf(request);
    const target = (request.url ?? '').replace(/^\/+/, '');
    const reply = target.startsWith('admin/')
      ? this.administer(target, body)
      : await this.answer(request, target, body);
    if (reply === 'drop') {
      response.destroy();
      return;
    }
    const [status, fields] = reply;
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(fields));
  }

  /** Requests of its operator, unsigned: the simulator listens on loopback. */
  private administer(target: string, body: string): Reply {
    if (target === 'admin/report') return [200, { payments: this.payments.all(), deposits: this.deposits.all() }];
    if (target !== 'admin/settings') return [404, {}];
    this.configure(JSON.parse(body) as SimulatorSettings);
    return [200, {}];
  }

  private async answer(request: IncomingMessage, target: string, body: string): Promise<Reply> {
    if (this.style) {
      await this.wait(this.faults.delayMs);
      const { method = 'GET', headers } = request;
      const url = `http://${headers.host ?? ''}/${target}`;
      return this.style.answer({ method, url: new URL(url), headers, body }, this);
    }
    if (!this.doorkeeper.admits(request.headers, target, body)) return [401, { reason: 'wrong signature' }];
    await this.wait(this.faults.delayMs);
    const fields = JSON.parse(body) as Readonly<Record<string, string>>;
    switch (target) {
      case 'payouts':
        return this.payOut(fields);
      case 'payouts/query':
        return this.query(fields['reference'] ?? '');
      case 'payouts/list':
        return this.list(fields);
      case 'deposits':
        return this.open(JSON.parse(body) as Fields);
      case 'deposits/query':
        return this.queryDeposit(fields['reference'] ?? '');
      case 'balance':
        return this.tellBalance(fields['currency'] ?? '');
      case 'health':
        return [200, this.up ? { status: 'up' } : { status: 'down', reason: 'said so' }];
      default:
        return [404, {}];
    }
  }

  takePayout(asked: Asked): Taken<Payment> {
    const { reference, amount, currency } = asked;
    if (meets(this.faults, 'errorRate', reference)) return 'error';
    const again = this.payments.find(reference) !== undefined;
    const payment = this.payments.ask({ reference, amount, currency });
    const covered = this.payments.covers(currency, amount);
    if (!again && (!covered || meets(this.faults, 'refuseRate', reference))) {
      payment.state = 'refused';
      payment.reason = covered ? 'refused by rule' : 'not enough money';
    } else {
      this.later(this.faults.settleMs, () => {
        this.settle(payment);
      });
    }
    return meets(this.faults, 'lostAnswerRate', reference) ? 'lost' : payment;
  }

  takeDeposit(asked: Asked, fields: Fields): Taken<Deposit> {
    const { reference, amount, currency } = asked;
    if (meets(this.faults, 'errorRate', reference)) return 'error';
    const again = this.deposits.find(reference) !== undefined;
    const deposit = this.deposits.ask({ reference, amount, currency, asked: fields });
    if (!again && meets(this.faults, 'refuseRate', reference)) {
      deposit.state = 'refused';
      deposit.reason = 'refused by rule';
    } else if (!meets(this.faults, 'unpaidRate', reference)) {
      this.later(this.faults.settleMs, () => {
        this.settleDeposit(deposit);
      });
    }
    return meets(this.faults, 'lostAnswerRate', reference) ? 'lost' : deposit;
  }

  findPayout(reference: string): Payment | undefined {
    return this.payments.find(reference);
  }

  findDeposit(reference: string): Deposit | undefined {
    return this.deposits.find(reference);
  }

  saysWrongAmount(reference: string): boolean {
    return meets(this.faults, 'wrongAmountRate', reference);
  }

  balance(currency: string): string | null {
    return this.payments.balance(currency);
  }

  get cost(): string | null {
    return this.faults.cost;
  }

  private payOut({ reference = '', amount = '', currency = '' }: Readonly<Record<string, string>>) {
    const taken = this.takePayout({ reference, amount, currency });
    if (taken === 'error') return [500, { reason: 'out of order' }] as const;
    if (taken === 'lost') return 'drop' as const;
    if (meets(this.faults, 'falseRefusalRate', reference))
      return [422, { ...this.statusOf(taken), status: 'refused', reason: 'refused by mistake' }] as const;
    return [taken.state === 'refused' ? 422 : 200, this.statusOf(taken)] as const;
  }

  private settle(payment: Payment): void {
    const { reference } = payment;
    const late = meets(this.faults, 'lateSuccessRate', reference);
    if (late || meets(this.faults, 'failRate', reference)) {
      payment.state = 'failed';
      payment.reason = 'the bank does not take it';
      if (late)
        this.later(this.faults.lateMs, () => {
          this.payAfterAll(payment);
        });
    } else {
      this.payments.pay(payment);
      if (meets(this.faults, 'returnRate', reference))
        this.later(this.faults.lateMs, () => {
          this.giveBack(payment);
        });
    }
    this.webhooks.tell('payout', payment);
  }

  private query(reference: string): Reply {
    const payment = this.payments.find(reference);
    return payment ? [200, this.statusOf(payment)] : [404, { reference, status: 'not_found' }];
  }

  /** A page of the requests since a time, in their order; `next` if there are more. */
  private list({ since = '', after, limit }: Readonly<Record<string, string | null>>): Reply {
    if (!this.lists) return [404, {}];
    const from = after ? Number(after) : 0;
    const all = this.payments.all().filter(({ askedAt }) => askedAt >= Date.parse(since ?? ''));
    const most = Number(limit ?? 20);
    const page = all.slice(from, from + most);
    return [
      200,
      {
        payouts: page.map(({ reference, amount, currency, state }) => ({
          reference,
          amount,
          currency,
          status: state,
        })),
        ...(all.length > from + most && { next: String(from + most) }),
      },
    ];
  }

  /** The payer pays a deposit, and the simulator reports it. */
  payIn(deposit: Deposit): void {
    this.deposits.pay(deposit);
    this.webhooks.tell('deposit', deposit);
  }

  /** Moves a deposit to a state, and reports it. */
  move(deposit: Deposit, state: Deposit['state'], reason: string | null = null): void {
    deposit.state = state;
    deposit.reason = reason;
    this.webhooks.tell('deposit', deposit);
  }

  /** Forged webhooks that the client accepted. */
  get forgeriesTaken(): number {
    return this.webhooks.forgeriesTaken;
  }

  private open(fields: Fields): Reply {
    const { reference, amount, currency } = fields as Readonly<Record<string, string>>;
    if (!reference || !amount || !currency) return [400, {}];
    const taken = this.takeDeposit({ reference, amount, currency }, fields);
    if (taken === 'error') return [500, { reason: 'out of order' }];
    if (taken === 'lost') return 'drop';
    return [taken.state === 'refused' ? 422 : 200, this.depositStatus(taken)];
  }

  private settleDeposit(deposit: Deposit): void {
    const late = meets(this.faults, 'lateSuccessRate', deposit.reference);
    if (late || meets(this.faults, 'failRate', deposit.reference)) {
      this.move(deposit, 'failed', 'the payer gave up');
      if (late)
        this.later(this.faults.lateMs, () => {
          this.payIn(deposit);
        });
      return;
    }
    this.move(deposit, 'matched');
    this.payIn(deposit);
  }

  private queryDeposit(reference: string): Reply {
    const deposit = this.deposits.find(reference);
    if (!deposit) return [404, { reference, status: 'not_found' }];
    deposit.queried++;
    if (meets(this.faults, 'errorRate', `${reference} query ${deposit.queried}`))
      return [500, { reason: 'out of order' }];
    return [200, this.depositStatus(deposit)];
  }

  private depositStatus(deposit: Deposit): Fields {
    const { reference, amount, currency, channelOrderNo, state, reason } = deposit;
    const asksForPage = meets(this.faults, 'pageRate', reference);
    return {
      reference,
      amount,
      currency,
      channel_order_no: channelOrderNo,
      status: state,
      reason,
      ...(state === 'opened' && {
        payment_url: asksForPage ? `https://pay.example/${channelOrderNo}` : null,
        payment_info: asksForPage ? null : { ...BANK_DETAILS, qr_data: `000201${channelOrderNo}`, mock: true },
      }),
      ...(state === 'completed' && { paid_amount: deposit.paidAmount, cost: this.faults.cost }),
    };
  }

  private tellBalance(currency: string): Reply {
    const balance = this.payments.balance(currency);
    return balance === null ? [404, { currency }] : [200, { currency, balance }];
  }

  private statusOf(payment: Payment): Fields {
    const { reference, amount, currency, channelOrderNo, state, reason } = payment;
    return {
      reference,
      amount,
      currency,
      channel_order_no: channelOrderNo,
      status: state,
      reason,
      ...(payment.paid > 0 && { bank_reference: `B${channelOrderNo}`, cost: this.faults.cost }),
    };
  }

  private later(ms: number, work: () => void): void {
    const timer = setTimeout(() => {
      this.timers.delete(timer);
      work();
    }, ms);
    this.timers.add(timer);
  }

  private async wait(ms: number): Promise<void> {
    if (ms > 0) await new Promise((resolve) => setTimeout(resolve, ms));
  }
}
