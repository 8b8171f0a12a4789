import { randomBytes } from 'node:crypto';
import {
  openBankText,
  openBeneficiaryName,
  openCredit,
  openDebitAccount,
  openDebitName,
  openFinding,
  openPayerName,
  sealBankText,
  sealBeneficiaryName,
  sealCredit,
  sealDebit,
  sealFinding,
  sealPayer,
} from '../../crypto/personal';
import { createLookup } from '../../crypto/lookup';
import { KeyRing, platformKey } from '../../crypto/key-ring';
import { createSealer, sealedBy } from '../../crypto/seal';

describe('names on orders, and what banks say', () => {
  const ring = new KeyRing([platformKey(randomBytes(32))]);
  const sealer = createSealer(ring);
  const seals = { sealer, lookup: createLookup(ring) };
  const order = { merchantId: 'm', merchantOrderNo: '1' };
  const row = { id: 'id' };
  const nobody = { payerAccountNo: null, payerMobile: null, payerEmail: null };

  /** Each as its row keeps it. */
  const kept = (name: string) => ({
    payer: sealPayer(seals, { ...order, ...nobody, payerName: name }).payerName,
    beneficiary: sealBeneficiaryName(sealer, { ...order, beneficiaryName: name }),
    text: sealBankText(sealer, row.id, name),
    payerName: sealCredit(seals, { ...row, payerName: name }).payerName,
    finding: sealFinding(sealer, row.id, name),
    ...sealDebit(sealer, { ...row, payeeName: name, payeeAccount: name }),
  });
  const opened = (rows: ReturnType<typeof kept>, of = order, id = row.id) => [
    () => openPayerName(sealer, { ...of, payerName: rows.payer }),
    () => openBeneficiaryName(sealer, { ...of, beneficiaryName: rows.beneficiary }),
    () => openBankText(sealer, { id, text: rows.text }),
    () => openCredit(sealer, { id, payerName: rows.payerName }).payerName,
    () => openFinding(sealer, { id, payerFinding: rows.finding }),
    () => openDebitName(sealer, { ...rows, id }),
    () => openDebitAccount(sealer, { ...rows, id }),
  ];
  const values = ({ id: _id, ...rows }: ReturnType<typeof kept>) => Object.values(rows);
  const all = (name: string): readonly string[] => Array.from({ length: 7 }, () => name);

  afterEach(() => {
    ring.indexesPersonal = true;
  });

  it.each(['สมชาย ใจดี', '', '[erased]'])('open as they were: %j', (name) => {
    const rows = kept(name);
    for (const value of values(rows)) expect(value).toMatch(sealedBy(ring.current));
    expect(opened(rows).map((open) => open())).toEqual(all(name));
    expect(sealPayer(seals, { ...order, ...nobody, payerName: null }).payerName).toBeNull();
    const unknown = { ...row, payeeName: null, payeeAccount: null };
    expect(sealDebit(sealer, unknown)).toEqual(unknown);
  });

  it('open only for their own order, or in their own row', () => {
    for (const open of opened(kept('Ann'), { ...order, merchantOrderNo: '2' }, 'other'))
      expect(open).toThrow('does not open');
    const { payer } = kept('Ann');
    expect(() => openBeneficiaryName(sealer, { ...order, beneficiaryName: payer ?? '' })).toThrow();
  });

  it('stay in clear while the columns from before are sealed and these are not', () => {
    ring.indexesPersonal = false;
    const rows = kept('Ann');
    expect(values(rows)).toEqual(all('Ann'));
    expect(opened(rows).map((open) => open())).toEqual(all('Ann'));
    // What only looks sealed would not open.
    const looksSealed = sealer.seal('Ann', 'elsewhere');
    expect(opened(kept(looksSealed)).map((open) => open())).toEqual(all(looksSealed));
  });
});
