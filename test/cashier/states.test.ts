import type { Page } from 'playwright-core';
import { encode } from 'uqr';
import { uuidv7 } from 'uuidv7';
import {
  failDeposit,
  markDepositSent,
  matchChannelDeposit,
  openChannelDeposit,
  prepareChannelDeposit,
} from '../../db/deposits/channel-deposits';
import type { PaymentDetails } from '../../domain/channel-deposit';
import { ZERO } from '../../domain/money';
import { createTestChannel } from '../support/channel-tenant';
import { until } from '../support/until';
import { typeInto } from '../support/type-into';
import { CashierTestbed, DESKTOP, PHONE, type Visit } from './testbed';

/** The steps of a session's order at a channel, as the worker takes them. */
class OrderAtChannel {
  private readonly attemptId = uuidv7();

  constructor(
    private readonly testbed: CashierTestbed,
    private readonly url: string,
    private readonly channelId: string,
  ) {}

  async opened(details: PaymentDetails): Promise<void> {
    const { database } = this.testbed.platform.tenant;
    const { id } = await this.testbed.orderOf(this.url);
    const now = new Date();
    await prepareChannelDeposit(database, this.attemptId, id, this.channelId, ZERO, now);
    await markDepositSent(database, this.attemptId, now);
    await openChannelDeposit(database, this.attemptId, 'C1', details, now);
    await this.testbed.publish();
  }

  /** The channel sees the money come. */
  async seen(): Promise<void> {
    const { database } = this.testbed.platform.tenant;
    await matchChannelDeposit(database, this.attemptId, 'C1', null, null, new Date());
    await this.testbed.publish();
  }

  async failed(): Promise<void> {
    const { database } = this.testbed.platform.tenant;
    const { id } = await this.testbed.orderOf(this.url);
    await failDeposit(database, id, this.attemptId, 'the payer gave up', new Date());
    await this.testbed.publish();
  }
}

/** The dark cells of a code, as the page draws them. */
const pathOf = (payload: string): string =>
  encode(payload, { border: 4 })
    .data.flatMap((row, y) => row.map((dark, x) => (dark ? `M${x} ${y}h1v1h-1z` : '')))
    .join('');
const codeOf = async (page: Page): Promise<string | null> =>
  await page.locator('figure.qr svg path').last().getAttribute('d');

/** Every state of the page, reached by real sessions and orders: checked by axe, with pictures where CASHIER_PICTURES is set. */
describe('every state is accessible, on a phone in light and on a desktop in dark', () => {
  let testbed: CashierTestbed;

  beforeAll(async () => {
    testbed = await CashierTestbed.open();
  });
  afterAll(async () => {
    await testbed.close();
  });

  const cards = [
    { bank_code: 'KBANK', account_no: '1234567890' },
    { bank_code: 'BBL', account_no: '9876543210' },
  ];

  async function look(name: string, visit: Visit, heading: string): Promise<void> {
    const { page } = visit;
    await page.getByRole('heading', { name: heading }).first().waitFor();
    await page.setViewportSize(PHONE.viewport);
    await page.emulateMedia({ colorScheme: 'light' });
    await testbed.inspect(visit, `${name}-phone-light`);
    await page.setViewportSize(DESKTOP.viewport);
    await page.emulateMedia({ colorScheme: 'dark' });
    await testbed.inspect(visit, `${name}-desktop-dark`);
  }

  /** Inspects a freshly opened page, and again without script, in dark on a phone and in light on a desktop. */
  async function open(name: string, url: string, heading: string, lang = 'en'): Promise<void> {
    const visit = await testbed.visit(`${url}?lang=${lang}`);
    await look(name, visit, heading);
    await visit.context.close();
    const options = { javaScriptEnabled: false, colorScheme: 'dark' } as const;
    const { page, context } = await testbed.visit(`${url}?lang=${lang}`, options);
    await page.getByRole('heading', { name: heading }).first().waitFor();
    await testbed.measure(page, `${name}-phone-dark-plain`);
    await page.setViewportSize(DESKTOP.viewport);
    await page.emulateMedia({ colorScheme: 'light' });
    await testbed.measure(page, `${name}-desktop-light-plain`);
    await context.close();
  }

  test('before the order', async () => {
    await open('choose', await testbed.session(), 'How much do you want to pay in?');
    await open('own', await testbed.session({}, testbed.floating), 'আপনি কত টাকা জমা দিতে চান?', 'bn');
    await open('cards', await testbed.session({ payer_bank_cards: cards }), 'คุณต้องการเติมเงินเท่าไร', 'th');
    await open('card', await testbed.session({ payer_bank_cards: cards, amount: '200' }), 'Số tiền', 'vi');

    expect(testbed.faults.splice(0)).toEqual([]);
  });

  test('open menus and expired links', async () => {
    const visit = await testbed.visit(await testbed.session());
    await visit.page.getByLabel('Other amount').check();
    await visit.page.locator('summary').click();
    await look('menu', visit, 'How much do you want to pay in?');
    await visit.context.close();

    const { tenant } = testbed.platform;
    const late = await testbed.session();
    tenant.now = () => new Date(Date.now() + 16 * 60_000);
    try {
      await open('session-expired', late, 'This page has expired');
    } finally {
      tenant.now = () => new Date();
    }
    expect(testbed.faults.splice(0)).toEqual([]);
  });

  test('the order', async () => {
    await testbed.session({ amount: '12.50' }, testbed.floating);
    await open('pay-float', await testbed.session({ amount: '12.50' }, testbed.floating), 'Transfer exactly');
    const url = await testbed.session({ amount: '200' });
    await open('pay-remark', url, 'ठीक इतनी राशि भेजें', 'hi');
    const claiming = await testbed.visit(`${url}?paid=&problem=reference`);
    await look('claim', claiming, 'Tell us about your payment');
    await claiming.context.close();
    expect(testbed.faults.splice(0)).toEqual([]);
  });

  test('the final states', async () => {
    const paid = await testbed.session({ amount: '200' });
    const visit = await testbed.visit(paid);
    await visit.page.getByRole('button', { name: 'Payment arrives' }).click();
    await look('confirming', visit, 'We have your payment');
    await testbed.step(paid, 'settle');
    await look('completed', visit, 'Payment completed');
    await visit.context.close();

    const expired = await testbed.session({ amount: '100' });
    await testbed.step(expired, 'expire');
    await open('expired', expired, 'The time to pay is over');
    const payer = await testbed.visit(`${expired}?lang=id`);
    await typeInto(payer.page.getByLabel('Nomor referensi bank'), 'TX-998/12');
    await payer.page.getByRole('button', { name: 'Kirim' }).click();
    await payer.page.getByText('Anda mengirim nomor referensi TX-998/12.').waitFor();
    await look('claimed', payer, 'Waktu pembayaran sudah habis');
    await payer.context.close();

    const cancelled = await testbed.session({ amount: '100' });
    await testbed.cancel(cancelled);
    await open('cancelled', cancelled, 'This payment was cancelled');
    expect(testbed.faults.splice(0)).toEqual([]);
  });

  test('of an order at a channel: its page, its details, its code', async () => {
    const { platform } = testbed;
    const merchant = await platform.merchant(
      { cashierName: 'Channel Shop' },
      { currencyCode: 'CAD', cashierAmounts: { denominations: ['100'] } },
    );
    const { id: channelId } = await createTestChannel(
      platform.tenant,
      { kind: 'MOCK', mockOutcome: 'PENDING' },
      { currencies: ['CAD'], deposits: { currencies: ['CAD'] } },
    );
    /** A session whose payer has chosen: its channel has the order and has not answered. */
    const ordered = async () => {
      const url = await testbed.session({ currency_code: 'CAD' }, merchant);
      const visit = await testbed.visit(url);
      await visit.page.getByLabel('100').check();
      await visit.page.getByRole('button', { name: 'Continue' }).click();
      await visit.page.getByRole('heading', { name: 'Preparing your payment' }).waitFor();
      return { url, visit, order: new OrderAtChannel(testbed, url, channelId) };
    };

    const redirected = await ordered();
    await look('preparing', redirected.visit, 'Preparing your payment');
    // The page follows by itself.
    const paymentUrl = 'https://pay.channel.example/o/1';
    await redirected.order.opened({ paymentUrl, paymentInfo: null });
    await look('redirect', redirected.visit, 'Your payment is ready');
    const link = redirected.visit.page.getByRole('link', { name: 'Continue to payment' });
    expect(await link.getAttribute('href')).toBe(paymentUrl);
    expect(await link.getAttribute('rel')).toBe('noreferrer');
    expect(await codeOf(redirected.visit.page)).toBe(pathOf(paymentUrl));
    await redirected.order.failed();
    await look('failed', redirected.visit, 'This payment did not go through');
    await redirected.visit.context.close();

    const shown = await ordered();
    const details = {
      bank_code: 'UPB',
      bank_name: 'Upstream Bank',
      bank_branch: 'Main',
      account_no: '9876543210',
      account_holder: 'Upstream Ltd.',
      qr_data: '0002010102',
    };
    await shown.order.opened({ paymentUrl: null, paymentInfo: details });
    await look('channel-details', shown.visit, 'Transfer exactly');
    const rows = await shown.visit.page.locator('dl.details').innerText();
    for (const text of ['Upstream Bank', '9876543210', 'Upstream Ltd.', 'Main']) expect(rows).toContain(text);
    expect(await codeOf(shown.visit.page)).toBe(pathOf('0002010102'));
    await shown.order.seen();
    await look('channel-confirming', shown.visit, 'We have your payment');
    await shown.visit.context.close();

    const scanned = await ordered();
    const payload = '00020101021229370016A000000677010111';
    await scanned.order.opened({ paymentUrl: null, paymentInfo: { qr_data: payload } });
    await look('channel-code', scanned.visit, 'Transfer exactly');
    await scanned.visit.page.getByText('Scan this code with your banking app').waitFor();
    expect(await codeOf(scanned.visit.page)).toBe(pathOf(payload));
    await scanned.visit.context.close();
    // The same without a script.
    await open('channel-code-plain', scanned.url, 'Transfer exactly');
    expect(testbed.faults.splice(0)).toEqual([]);
  });

  test('an invalid link', async () => {
    const visit = await testbed.visit(`http://localhost:${testbed.platform.port}/cashier/none`);
    // The browser logs the 401 itself.
    await until('that', () => visit.complaints.length > 0);
    expect(visit.complaints.splice(0)).toHaveLength(1);
    await look('invalid', visit, 'This link does not work');
    await visit.context.close();
    expect(testbed.faults.splice(0)).toEqual([]);
  });
});
