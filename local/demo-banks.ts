import type { OperatorClient } from './operator-client';

/** The sandbox's bank directory: by currency, our code → the bank's name. */
export const DEMO_BANKS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  THB: {
    BBL: 'Bangkok Bank',
    KBANK: 'Kasikornbank',
    KTB: 'Krungthai Bank',
    SCB: 'Siam Commercial Bank',
    BAY: 'Bank of Ayudhya',
    TTB: 'TMBThanachart Bank',
    GSB: 'Government Savings Bank',
  },
  BDT: {
    BRAC: 'BRAC Bank',
    DBBL: 'Dutch-Bangla Bank',
    IBBL: 'Islami Bank Bangladesh',
    SONALI: 'Sonali Bank',
    CITY: 'City Bank',
  },
  VND: {
    VCB: 'Vietcombank',
    BIDV: 'BIDV',
    TCB: 'Techcombank',
    ACB: 'Asia Commercial Bank',
    MB: 'MB Bank',
    CTG: 'VietinBank',
  },
  INR: {
    HDFC: 'HDFC Bank',
    ICIC: 'ICICI Bank',
    SBIN: 'State Bank of India',
    UTIB: 'Axis Bank',
    KKBK: 'Kotak Mahindra Bank',
  },
  IDR: {
    BCA: 'Bank Central Asia',
    BRI: 'Bank Rakyat Indonesia',
    BNI: 'Bank Negara Indonesia',
    MANDIRI: 'Bank Mandiri',
    CIMB: 'CIMB Niaga',
  },
};

/**
 * Adds the missing banks to the directory.
 * @returns the codes of each currency
 */
export async function ensureBanks(operator: OperatorClient, reason: string): Promise<Record<string, string[]>> {
  const there = await operator.run<{ currencyCode: string; bankCode: string }[]>('Banks', {});
  for (const [currencyCode, names] of Object.entries(DEMO_BANKS)) {
    const banks = Object.entries(names)
      .filter(([code]) => !there.some((b) => b.currencyCode === currencyCode && b.bankCode === code))
      .map(([bankCode, name]) => ({ bankCode, name }));
    if (banks.length > 0) await operator.run('PutBanks', { currencyCode, banks, reason });
  }
  return Object.fromEntries(Object.entries(DEMO_BANKS).map(([currency, names]) => [currency, Object.keys(names)]));
}
