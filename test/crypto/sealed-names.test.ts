import { randomBytes } from 'node:crypto';
import {
  openBankText,
  openBeneficiaryName,
  openCreditAccount,
  openCreditMemo,
  openCreditName,
  openDebitAccount,
  openDebitMemo,
  openDebitName,
  openFinding,
  openPayerName,
  openReturnAccount,
  openReturnName,
  sealBankText,
  sealBeneficiaryName,
  sealCredit,
  sealDebit,
  sealFinding,
  sealPayer,
  sealReturn,
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

  const creditOf = (name: string, account: string | null = name) =>
    sealCredit(seals, {
      ...row,
      payerName: name,
      payerAccount: account,
      payerAccountIndex: null,
      memo: name,
    });
  const returnTo = (name: string) => sealReturn(seals, { ...row, payeeName: name, payeeAccount: name });
  /** Each as its row keeps it. */
  const kept = (name: string) => {
    const [credit, back] = [creditOf(name), returnTo(name)];
    const debit = sealDebit(sealer, {
      ...row,
      payeeName: name,
      payeeAccount: name,
      memo: name,
    });
    return {
      payer: sealPayer(seals, { ...order, ...nobody, payerName: name }).payerName,
      beneficiary: sealBeneficiaryName(sealer, { ...order, beneficiaryName: name }),
      text: sealBankText(sealer, row.id, name),
      finding: sealFinding(sealer, row.id, name),
      payerName: credit.payerName,
      payerAccount: credit.payerAccount,
      debitName: debit.payeeName,
      debitAccount: debit.payeeAccount,
      creditMemo: credit.memo,
      debitMemo: debit.memo,
      returnName: back.payeeName,
      returnAccount: back.payeeAccount,
    };
  };
  const opened = (rows: ReturnType<typeof kept>, of = order, id = row.id) => [
    () => openPayerName(sealer, { ...of, payerName: rows.payer }),
    () => openBeneficiaryName(sealer, { ...of, beneficiaryName: rows.beneficiary }),
    () => openBankText(sealer, { id, text: rows.text }),
    () => openFinding(sealer, { id, payerFinding: rows.finding }),
    () => openCreditName(sealer, { ...rows, id }),
    () => openCreditAccount(sealer, { ...rows, id }),
    () => openDebitName(sealer, { id, payeeName: rows.debitName }),
    () => openDebitAccount(sealer, { id, payeeAccount: rows.debitAccount }),
    () => openCreditMemo(sealer, { id, memo: rows.creditMemo }),
    () => openDebitMemo(sealer, { id, memo: rows.debitMemo }),
    () => openReturnName(sealer, { id, payeeName: rows.returnName }),
    () => openReturnAccount(sealer, { id, payeeAccount: rows.returnAccount }),
  ];
  const all = (name: string): readonly string[] => Array.from({ length: 12 }, () => name);

  it.each(['สมชาย ใจดี', '', '[erased]'])('open as they were: %j', (name) => {
    const rows = kept(name);
    const { creditMemo, debitMemo, ...always } = rows;
    for (const value of Object.values(always)) expect(value).toMatch(sealedBy(ring.current));
    // An empty memo stays empty.
    for (const memo of [creditMemo, debitMemo]) expect(memo).toMatch(name === '' ? /^$/ : sealedBy(ring.current));
    expect(opened(rows).map((open) => open())).toEqual(all(name));
    expect(sealPayer(seals, { ...order, ...nobody, payerName: null }).payerName).toBeNull();
    const unknown = { ...row, payeeName: null, payeeAccount: null, memo: '' };
    expect(sealDebit(sealer, unknown)).toEqual(unknown);
    expect(creditOf(name, null)).toMatchObject({ payerAccount: null, payerAccountIndex: null });
  });

  it('tell the proof of the books whether money goes back to the account that it came from', () => {
    const { payerAccountIndex } = creditOf('Ann', ' 001-23 ');
    expect(payerAccountIndex).toMatch(/^[0-9a-f]{8}[.][0-9a-f]{32}$/);
    expect(returnTo('001-23').payeeAccountIndex).toBe(payerAccountIndex);
    expect(returnTo('00123').payeeAccountIndex).not.toBe(payerAccountIndex);
  });

  it('open only for their own order, or in their own row', () => {
    for (const open of opened(kept('Ann'), { ...order, merchantOrderNo: '2' }, 'other'))
      expect(open).toThrow('does not open');
    const { payer } = kept('Ann');
    expect(() => openBeneficiaryName(sealer, { ...order, beneficiaryName: payer ?? '' })).toThrow();
  });

  it('open as they were where they look sealed', () => {
    const looksSealed = sealer.seal('Ann', 'elsewhere');
    expect(opened(kept(looksSealed)).map((open) => open())).toEqual(all(looksSealed));
  });
});
