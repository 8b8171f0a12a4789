import { randomBytes } from 'node:crypto';
import {
  openBankText,
  openBeneficiaryName,
  openPayerName,
  sealBankText,
  sealBeneficiaryName,
  sealPayer,
} from '../../crypto/personal';
import { createLookup } from '../../crypto/lookup';
import { KeyRing, platformKey } from '../../crypto/key-ring';
import { createSealer, sealedBy } from '../../crypto/seal';

describe('names on orders, and messages of banks', () => {
  const ring = new KeyRing([platformKey(randomBytes(32))]);
  const sealer = createSealer(ring);
  const seals = { sealer, lookup: createLookup(ring) };
  const order = { merchantId: 'm', merchantOrderNo: '1' };
  const nobody = { payerAccountNo: null, payerMobile: null, payerEmail: null };

  /** Each as its row keeps it. */
  const kept = (name: string) => ({
    payer: sealPayer(seals, { ...order, ...nobody, payerName: name }).payerName,
    beneficiary: sealBeneficiaryName(sealer, { ...order, beneficiaryName: name }),
    text: sealBankText(sealer, 'id', name),
  });
  const opened = ({ payer, beneficiary, text }: ReturnType<typeof kept>, of = order, id = 'id') => [
    () => openPayerName(sealer, { ...of, payerName: payer }),
    () => openBeneficiaryName(sealer, { ...of, beneficiaryName: beneficiary }),
    () => openBankText(sealer, { id, text }),
  ];
  const all = (name: string): readonly string[] => Array.from({ length: 3 }, () => name);

  afterEach(() => {
    ring.indexesPersonal = true;
  });

  it.each(['สมชาย ใจดี', '', '[erased]'])('open as they were: %j', (name) => {
    const rows = kept(name);
    for (const value of Object.values(rows)) expect(value).toMatch(sealedBy(ring.current));
    expect(opened(rows).map((open) => open())).toEqual(all(name));
    expect(sealPayer(seals, { ...order, ...nobody, payerName: null }).payerName).toBeNull();
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
    expect(Object.values(rows)).toEqual(all('Ann'));
    expect(opened(rows).map((open) => open())).toEqual(all('Ann'));
    // What only looks sealed would not open.
    const looksSealed = sealer.seal('Ann', 'elsewhere');
    expect(opened(kept(looksSealed)).map((open) => open())).toEqual(all(looksSealed));
  });
});
