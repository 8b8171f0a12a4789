import type { GraphCalls } from '../../gateway/deps';
import type { CashierViewQuery } from '../../gateway/generated/operations';
import { until } from '../support/until';
import { CashierTestbed, DESKTOP, PHONE, type Visit } from './testbed';

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
    await open(
      'own',
      await testbed.session({}, testbed.floating),
      'আপনি কত টাকা জমা দিতে চান?',
      'bn',
    );
    await open(
      'cards',
      await testbed.session({ payer_bank_cards: cards }),
      'คุณต้องการเติมเงินเท่าไร',
      'th',
    );
    await open(
      'card',
      await testbed.session({ payer_bank_cards: cards, amount: '200' }),
      'Số tiền',
      'vi',
    );

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
    await open(
      'pay-float',
      await testbed.session({ amount: '12.50' }, testbed.floating),
      'Transfer exactly',
    );
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
    await payer.page.getByLabel('Nomor referensi bank').fill('TX-998/12');
    await payer.page.getByRole('button', { name: 'Kirim' }).click();
    await payer.page.getByText('Anda mengirim nomor referensi TX-998/12.').waitFor();
    await look('claimed', payer, 'Waktu pembayaran sudah habis');
    await payer.context.close();

    const cancelled = await testbed.session({ amount: '100' });
    await testbed.cancel(cancelled);
    await open('cancelled', cancelled, 'This payment was cancelled');
    expect(testbed.faults.splice(0)).toEqual([]);
  });

  // For deposits through channels, which come later: no bank account, and they may fail.
  test.each([
    ['preparing', {}, 'Preparing your payment'],
    ['redirect', { paymentUrl: 'https://pay.channel.example/o/1' }, 'Your payment is ready'],
    ['failed', { status: 'FAILED' }, 'This payment did not go through'],
  ])('of an order at a channel: %s', async (name, ended, heading) => {
    const { graph } = testbed.platform.tenant;
    const channel = { bankCode: null, accountNo: null, remark: null, ...ended };
    const ofChannel: GraphCalls['execute'] = async (...asked) => {
      const data = await graph.execute(...asked);
      const { cashierView } = data as CashierViewQuery;
      return {
        cashierView: { ...cashierView, order: { ...cashierView.order, ...channel } },
      } as never;
    };
    const listener = await testbed.beside({ graph: { ...graph, execute: ofChannel } });
    try {
      const url = new URL(await testbed.session({ amount: '100' }));
      url.port = String(listener.port);
      await open(name, url.href, heading);
      const visit = await testbed.visit(url.href);
      const link = visit.page.getByRole('link', { name: 'Continue to payment' });
      expect(await link.count()).toBe(name === 'redirect' ? 1 : 0);
      expect(await visit.page.locator('figure.qr svg').count()).toBe(name === 'redirect' ? 1 : 0);
      await visit.context.close();
    } finally {
      await listener.close();
    }
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
