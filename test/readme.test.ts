import { execFile } from 'node:child_process';
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { openPayerName } from '../crypto/personal';
import { findDeposit } from '../db/deposits/deposits';
import { MERCHANT_API, type MerchantClient, Platform } from './support/platform';
import { temporaryFolder } from './support/temporary-folder';

const run = promisify(execFile);
const root = path.join(__dirname, '..');
const readme = readFileSync(path.join(root, 'README.md'), 'utf8');

/** The one code block of a language that contains this text. */
function sample(language: string, words = ''): string {
  const blocks = [...readme.matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\`$`, 'gms'))]
    .map(([, text = '']) => text)
    .filter((text) => text.includes(words));
  expect(blocks).toHaveLength(1);
  return blocks[0] ?? '';
}

describe('the samples of a signed request in the README, run by the commands of the README', () => {
  let platform: Platform;
  let merchant: MerchantClient;
  const folder = temporaryFolder();
  let printed: { readonly shell: string; readonly typescript: string; readonly python: string };

  beforeAll(async () => {
    platform = await Platform.open();
    await platform.account({ currencyCode: 'THB' });
    merchant = await platform.merchant();
    await platform.tenant.operate('UpdateMerchant', {
      id: merchant.id,
      currencies: [{ currencyCode: 'THB' }],
      reason: 'test',
    });
    const [shell = '', typescript = '', python = ''] = await inTerminal();
    printed = { shell, typescript, python };
  });
  afterAll(async () => {
    await platform.close();
  });

  /** Runs the README's commands in order, in a folder like the project's beside a running sandbox. */
  async function inTerminal(): Promise<string[]> {
    symlinkSync(path.join(root, 'node_modules'), path.join(folder, 'node_modules'));
    mkdirSync(path.join(folder, '.causeway'));
    const sandbox = {
      merchantApi: `http://127.0.0.1:${platform.port}${MERCHANT_API}`,
      merchant: { apiKey: merchant.apiKey },
      accounts: [{ currencyCode: 'THB' }],
    };
    writeFileSync(path.join(folder, '.causeway/sandbox.json'), JSON.stringify(sandbox));
    writeFileSync(path.join(folder, 'first.mts'), sample('ts'));
    writeFileSync(path.join(folder, 'first.py'), sample('python'));
    const [environment = '', typescript = '', python = ''] = sample('sh', 'first.py').split('\n');
    const compiled = sample('sh', 'npx tsc');
    const commands = [
      `${sample('sh', 'sandbox()')}\n${environment}`,
      'typescript' in process.features ? typescript : compiled,
      python,
    ];
    const { stdout } = await run('sh', ['-euc', commands.join('\necho ======\n')], {
      cwd: folder,
      env: { PATH: process.env['PATH'], HOME: folder, PYTHONIOENCODING: 'utf8' },
      timeout: 90_000,
    });
    return stdout.split('======\n');
  }

  /** Checks that the create and the query name the same stored order. */
  async function expectDeposit(text: string, payerName: string | null): Promise<void> {
    const numbers = [...text.matchAll(/D\d{8}[0-9A-Z]{12}/g)].map(([number]) => number);
    expect(text.match(/1500\.0000/g)?.length).toBeGreaterThan(1);
    expect(new Set(numbers).size).toBe(1);
    const { database, seals } = platform.tenant;
    const order = await findDeposit(database, { orderNo: numbers[0] ?? '' });
    expect(order && openPayerName(seals.sealer, order)).toBe(payerName);
  }

  it('in the shell creates a deposit and finds it', async () => {
    await expectDeposit(printed.shell, null);
  });

  it.each(['typescript', 'python'] as const)(
    'in %s creates a deposit, finds it, and shows a refusal',
    async (language) => {
      await expectDeposit(printed[language], 'สมชาย');
      expect(printed[language]).toMatch(/success"?: false/);
      expect(printed[language]).toMatch(/code"?: ["']CONFLICT["']/);
      expect(printed[language]).toMatch(/message"?: ["'].*merchant_order_no/);
    },
  );
});
