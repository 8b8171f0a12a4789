import { hash } from 'node:crypto';
import { performance } from 'node:perf_hooks';
import { signatureMatches, signMd5 } from '../../crypto/md5';
import { signingString } from '../../domain/signing';
import type { Bench } from '../bench';
import { type Sample, secondsSince } from '../harness';

const OURS = 'sign + verify';
const FLOOR = 'bare crypto.hash, twice';

/** Calls between two readings of the clock. */
const CALLS = 1_000;

const API_KEY = 'pre_0123456789abcdefghijABCDEFGHIJ0123456789';
const TIMESTAMP = '1767323045';
/** The parameters of a typical create. */
const PARAMETERS: ReadonlyMap<string, string> = new Map([
  ['merchant_order_no', '019b76da-a800-7000-8000-000000000000'],
  ['amount', '1500.00'],
  ['currency_code', 'THB'],
  ['callback_url', 'https://merchant.example/payments/callbacks'],
  ['user_id', 'user-4711'],
  ['account_holder', 'Somchai Jaidee'],
]);

function repeat(seconds: number, work: () => boolean): Sample {
  const start = performance.now();
  let done = 0;
  while (secondsSince(start) < seconds)
    for (let n = 0; n < CALLS; n++) {
      if (!work()) throw new Error('a signature does not match itself');
      done++;
    }
  return { done, seconds: secondsSince(start) };
}

/** The merchant's signing, and its verification by `authenticate`. */
function signAndVerify(): boolean {
  const sent = signMd5(signingString(PARAMETERS, TIMESTAMP), API_KEY);
  return signatureMatches(sent, signMd5(signingString(PARAMETERS, TIMESTAMP), API_KEY));
}

export const signing: Bench = {
  sentence: 'signing and verifying a create, beside the bare MD5 of the ready text',
  needs: undefined,
  async openAlone() {
    const text = signingString(PARAMETERS, TIMESTAMP) + API_KEY;
    const variants = [
      { name: OURS, work: signAndVerify },
      { name: FLOOR, work: () => hash('md5', text) === hash('md5', text) },
    ];
    return await Promise.resolve({
      heats: [
        {
          name: 'one thread',
          unit: 'a second',
          variants: variants.map(({ name, work }) => ({
            name,
            run: async (seconds: number) => await Promise.resolve(repeat(seconds, work)),
          })),
          aims: [{ of: OURS, beside: FLOOR, atLeast: 0.3 }],
        },
      ],
    });
  },
};
