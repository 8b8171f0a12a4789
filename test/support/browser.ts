import { type Browser, chromium } from 'playwright-core';
import { locateChromium } from '../../local/chromium';

/** What Playwright disables itself (a second list replaces the first). */
const BY_PLAYWRIGHT = [
  ...['AimEnabled', 'AvoidCorsURLLoaderRestartOnRedirect', 'AvoidUnnecessaryBeforeUnloadCheckSync'],
  ...['DestroyProfileOnBrowserClose', 'HttpsFirstBalancedModeAutoEnable', 'HttpsUpgrades'],
  ...['LensOverlay', 'MediaRouter', 'NetworkTimeServiceQuerying', 'OptimizationHints'],
  ...['PaintHolding', 'PreconnectToSearch', 'ThirdPartyStoragePartitioning'],
];
/** The address bar's suggestions, which nobody sees: in each window a page, which takes 0.3 s of a core. */
const SUGGESTIONS = ['WebUIOmniboxAimPopup', 'WebUIOmniboxPopup'];

/** Debian's browser asks for a GPU, which a program would emulate: that takes a tenth of the browser's time. */
const NO_GPU = ['--disable-gpu'];

/** Starts a browser without a window. */
export async function launchBrowser(): Promise<Browser> {
  const disabled = [...BY_PLAYWRIGHT, ...SUGGESTIONS].join(',');
  return await chromium.launch({
    executablePath: locateChromium(process.env),
    args: ['--no-sandbox', '--disable-dev-shm-usage', ...NO_GPU, `--disable-features=${disabled}`],
  });
}
