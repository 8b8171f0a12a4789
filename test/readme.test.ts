import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { ModuleKind, ScriptTarget, transpileModule } from 'typescript';
import { MERCHANT_API, type MerchantClient, Platform } from './support/platform';
import { temporaryFolder } from './support/temporary-folder';

const run = promisify(execFile);
const readme = readFileSync(path.join(__dirname, '..', 'README.md'), 'utf8');

/** The one code block of a language. */
function sample(language: string): string {
  const blocks = [...readme.matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\`$`, 'gms'))];
  expect(blocks).toHaveLength(1);
  return blocks[0]?.[1] ?? '';
}

describe('the samples of a signed request in the README', () => {
  let platform: Platform;
  let merchant: MerchantClient;
  const folder = temporaryFolder();

  beforeAll(async () => {
    platform = await Platform.open();
    await platform.account({ currencyCode: 'THB' });
    merchant = await platform.merchant();
    await platform.tenant.operate('UpdateMerchant', {
      id: merchant.id,
      currencies: [{ currencyCode: 'THB' }],
      reason: 'test',
    });
  });
  afterAll(async () => {
    await platform.close();
  });

  async function expectDeposit(program: string, file: string): Promise<void> {
    const { stdout } = await run(program, [file], {
      env: {
        PATH: process.env['PATH'],
        PYTHONIOENCODING: 'utf8',
        MERCHANT_API: `http://127.0.0.1:${platform.port}${MERCHANT_API}`,
        API_KEY: merchant.apiKey,
      },
      timeout: 30_000,
    });
    const numbers = [...stdout.matchAll(/D\d{8}[0-9A-Z]{12}/g)].map(([number]) => number);
    expect(stdout).toContain('1500.0000');
    // The create and the query name the same order, and it is there.
    expect(new Set(numbers).size).toBe(1);
    const [row] = await platform.tenant.database.sql<{ payerName: string }[]>`
      select payer_name from deposit_orders where order_no = ${numbers[0] ?? ''}`;
    expect(row).toEqual({ payerName: 'สมชาย' });
  }

  it('in TypeScript creates a deposit and finds it', async () => {
    const file = path.join(folder, 'sample.mjs');
    const { outputText } = transpileModule(sample('ts'), {
      compilerOptions: { module: ModuleKind.ESNext, target: ScriptTarget.ES2022 },
    });
    writeFileSync(file, outputText);
    await expectDeposit(process.execPath, file);
  });

  it('in Python creates a deposit and finds it', async () => {
    const file = path.join(folder, 'sample.py');
    writeFileSync(file, sample('python'));
    await expectDeposit('python3', file);
  });
});
