import { provideChromium } from './chromium';
import { provide, temporalCli, timeSkippingServer } from './servers';

/** The last step of local/setup.mjs: `node dist/local/provide-servers.js start|test`. */
async function main(purpose: string | undefined): Promise<void> {
  const say = (line: string): void => {
    console.log(line);
  };
  const hasServer = (process.env['TEMPORAL_ADDRESS'] ?? '') !== '';
  if (purpose === 'start' && hasServer) say('Temporal server: the one at TEMPORAL_ADDRESS');
  else await provide(temporalCli, process.env, say);
  if (purpose === 'test') {
    await provide(timeSkippingServer, process.env, say);
    await provideChromium(process.env, say);
  }
}

main(process.argv[2]).catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
});
