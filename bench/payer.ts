import { type CDPSession, chromium, type Page } from 'playwright-core';
import { locateChromium } from '../local/chromium';

/** A phone four times slower than this machine, on a slow line: bytes a second and milliseconds. */
const SLOW_PHONE = { cpu: 4, latencyMs: 400, down: 200_000, up: 94_000 };

/** Times and bytes of a payer's path, milliseconds. */
export interface PayerPath {
  readonly firstPaint: number;
  /** Until the page that asks for the amount is loaded and its script has run. */
  readonly usable: number;
  /** From the click on "Continue" until the page with the account is loaded. */
  readonly paying: number;
  /** All bytes of the first page, including headers. */
  readonly bytes: number;
}

const paintedAt = `performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? NaN`;
const loadedAt = `performance.getEntriesByType('navigation')[0].loadEventEnd`;

const isLoaded = async (page: Page, heading: string): Promise<void> => {
  await page.getByRole('heading', { name: heading }).waitFor();
  await page.waitForFunction(`${loadedAt} > 0`);
};

async function slowDown(line: CDPSession): Promise<void> {
  const { cpu, latencyMs, down, up } = SLOW_PHONE;
  await line.send('Emulation.setCPUThrottlingRate', { rate: cpu });
  await line.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: latencyMs,
    downloadThroughput: down,
    uploadThroughput: up,
  });
}

/**
 * Takes payers' paths, one after the other, each in a browser with an empty cache.
 * @param slow as a slow phone; otherwise like this machine
 */
export async function walkPayerPaths(urls: readonly string[], slow: boolean): Promise<PayerPath[]> {
  const browser = await chromium.launch({
    executablePath: locateChromium(process.env),
    args: ['--no-sandbox', '--disable-dev-shm-usage'],
  });
  const paths: PayerPath[] = [];
  try {
    for (const url of urls) {
      const context = await browser.newContext({ viewport: { width: 390, height: 844 } });
      const page = await context.newPage();
      const line = await context.newCDPSession(page);
      await line.send('Network.enable');
      let bytes = 0;
      line.on('Network.loadingFinished', ({ encodedDataLength }) => (bytes += encodedDataLength));
      if (slow) await slowDown(line);
      await page.goto(url);
      await isLoaded(page, 'How much do you want to pay in?');
      const first = {
        firstPaint: Number(await page.evaluate(paintedAt)),
        usable: Number(await page.evaluate(loadedAt)),
        bytes,
      };
      await page.getByLabel('฿100').check();
      const from = performance.now();
      await page.getByRole('button', { name: 'Continue' }).click();
      await isLoaded(page, 'Transfer exactly');
      paths.push({ ...first, paying: performance.now() - from });
      await context.close();
    }
  } finally {
    await browser.close();
  }
  return paths;
}
