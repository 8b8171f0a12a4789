import { randomBytes } from 'node:crypto';
import { Simulator } from './server';

/** `npm run simulator`: an upstream on this machine, to try an HTTP channel. */
async function main(): Promise<void> {
  const key = {
    keyId: process.env['SIMULATOR_KEY_ID'] ?? 'simulator',
    secret: process.env['SIMULATOR_SECRET'] ?? randomBytes(24).toString('base64url'),
  };
  const simulator = new Simulator(key);
  simulator.configure({ webhookUrl: process.env['SIMULATOR_WEBHOOK_URL'] ?? null });
  const url = await simulator.listen(Number(process.env['SIMULATOR_PORT'] ?? '8090'));
  console.log(`Channel simulator at ${url}`);
  console.log(`baseUrl ${url}  keyId ${key.keyId}  secret ${key.secret}`);
  console.log(`Settings: POST ${url}/admin/settings  What it paid: GET ${url}/admin/report`);
  const stop = (): void => {
    void simulator.close();
  };
  process.once('SIGINT', stop).once('SIGTERM', stop);
}

void main();
