import { normaliseReference } from '../../domain/bank-reference';
import { Tenant, type TestMerchant } from '../support/tenant';
import { expectWholeLedger } from '../support/whole-ledger';
import { fundedMerchant, transferUnderWay } from '../support/withdrawals';

const range = (from: number, to: number): number[] => Array.from({ length: to - from + 1 }, (_, n) => from + n);

describe("a bank's reference", () => {
  let tenant: Tenant;
  let merchant: TestMerchant;
  let accountId: string;

  beforeAll(async () => {
    tenant = await Tenant.create();
    merchant = await fundedMerchant(tenant, '10000');
    accountId = await tenant.account();
  });
  afterAll(async () => {
    await expectWholeLedger(tenant);
    await tenant.close();
  });

  /** Pays a withdrawal manually under a reference. @returns its gateway number */
  async function paid(bankReference: string, account = accountId): Promise<string> {
    const { orderNo } = await transferUnderWay(tenant, merchant, account);
    await tenant.operate('CompleteTransfer', { orderNo, bankReference });
    return orderNo;
  }

  it.each<[string, string, string]>([
    ['spaces and case', 'FT 1', 'ft1'],
    ['a space of another kind', 'FT\u00a02', 'FT\u20282'],
    ['wide letters', 'FT3', 'ＦＴ３'],
    ['a letter that is two in capitals', 'straße 4', 'STRASSE4'],
  ])('is unique per account in any spelling: %s', async (_what, first, again) => {
    await paid(first);
    await expect(paid(again)).rejects.toMatchObject({ kind: 'CONFLICT' });
    await paid(again, await tenant.account());
    await paid(`${again}-1`);
  });

  it('finds the withdrawal that it paid, in any spelling', async () => {
    const orderNo = await paid('kb 77-Ab');
    const hits = await tenant.operate<{ field: string; found: { orderNo: string } }[]>('Search', {
      text: 'KB77-aB',
      first: 5,
    });
    expect(hits).toMatchObject([{ field: 'BANK_REFERENCE', found: { orderNo } }]);
  });

  it('is normalised equally by the database and the rules', async () => {
    // Letters whose capitals are equal in every version of Unicode, and every kind of space.
    const points = [
      ...range(1, 0x17f),
      ...range(0x386, 0x3ce),
      ...range(0x400, 0x45f),
      ...range(0x1680, 0x180e),
      ...range(0x2000, 0x206f),
      ...[0x3000, 0xfeff, 0xff21, 0xff41, 0xfb00, 0xfb01],
    ];
    const texts = [
      ...points.map((point) => `a${String.fromCodePoint(point)}z`),
      ...['e\u0301', 'é', '１２ ３', '\t\r\n', ' '],
    ];
    const rows = await tenant.database.sql<{ key: string }[]>`
      select bank_reference_key(t) as key from unnest(${texts}::text[]) with ordinality u (t, n) order by n`;
    const differ = texts.filter((text, n) => rows[n]?.key !== normaliseReference(text));
    expect(differ.map((text) => text.codePointAt(1)?.toString(16))).toEqual([]);
  });
});
