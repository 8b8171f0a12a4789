import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { openBody, sealBodyAgain } from '../../crypto/callback-body';
import { KeyRing, platformKey } from '../../crypto/key-ring';
import { openExtraData, sealExtraData } from '../../crypto/personal';
import { createSealer } from '../../crypto/seal';
import { depositCallbackBody, type DepositNews, withdrawalCallbackBody } from '../../domain/callback';
import { money } from '../../domain/money';

const ring = new KeyRing([platformKey(randomBytes(32))]);
const sealer = createSealer(ring);
const at = new Date('2026-11-24T05:06:07Z');
const merchantId = '0190b8d3-0000-7000-8000-000000000001';
/** Text as PostgreSQL can keep it. */
const text = fc
  .oneof(fc.string({ unit: 'binary' }), fc.constantFrom('', '"extra_data":"x"', '\\', '"', '\u2028'))
  .map((any) => any.replaceAll('\0', ''));

const news = (merchantOrderNo: string, extraData: string | null): DepositNews => ({
  orderNo: 'D1',
  merchantOrderNo,
  currencyCode: 'THB',
  matchedAt: at,
  extraData,
  requestedAmount: money('10'),
  actualAmount: money('10'),
});
const withdrawal = (merchantOrderNo: string, extraData: string | null): string =>
  withdrawalCallbackBody(
    'REJECTED',
    {
      orderNo: 'W1',
      merchantOrderNo,
      currencyCode: 'THB',
      extraData,
      amount: money('10'),
      fee: money('1'),
    },
    at,
    { reason: '"extra_data":"no"' },
  );
const bodies = (number: string, extraData: string | null): string[] => [
  ...(['MATCHED', 'COMPLETED', 'EXPIRED', 'CANCELLED'] as const).map((status) =>
    depositCallbackBody(status, news(number, extraData), at),
  ),
  withdrawal(number, extraData),
];

test('a callback made from a sealed text is sent with the bytes of one from a clear text', () => {
  fc.assert(
    fc.property(text, text, (number, extraData) => {
      const kept = sealExtraData(sealer, { merchantId, merchantOrderNo: number, extraData });
      const clear = bodies(number, extraData);
      for (const [n, body] of bodies(number, kept).entries()) {
        expect(body).not.toBe(clear[n]);
        expect(openBody(sealer, body, merchantId)).toBe(clear[n]);
      }
    }),
    { numRuns: 300, seed: 5 },
  );
});

test('one is sent as it was, under any key, also where the merchant said nothing', () => {
  fc.assert(
    fc.property(text, fc.option(text), (number, extraData) => {
      const next = new KeyRing([platformKey(randomBytes(32)), ...ring.all]);
      const kept = sealExtraData(sealer, { merchantId, merchantOrderNo: number, extraData });
      const sealed = bodies(number, kept);
      for (const [n, body] of bodies(number, extraData).entries()) {
        const once = sealed[n] ?? '';
        const twice = sealBodyAgain(createSealer(next), once, merchantId);
        expect(openBody(createSealer(next), twice, merchantId)).toBe(body);
        expect(new Set([body, once, twice]).size).toBe(extraData === null ? 1 : 3);
      }
    }),
    { numRuns: 100, seed: 6 },
  );
});

test('a text opens only under the number of its order', () => {
  const order = { merchantId, merchantOrderNo: 'n1', extraData: 'for Ann' };
  const kept = sealExtraData(sealer, order);
  expect(openExtraData(sealer, { ...order, extraData: kept })).toBe('for Ann');
  const moved = { ...order, merchantOrderNo: 'n2', extraData: kept };
  expect(() => openExtraData(sealer, moved)).toThrow('does not open');
  const body = depositCallbackBody('COMPLETED', news('n2', kept), at);
  expect(() => openBody(sealer, body, merchantId)).toThrow('does not open');
});

test('a text that is not sealed is not sent', () => {
  const body = depositCallbackBody('COMPLETED', news('n1', 'for Ann'), at);
  expect(() => openBody(sealer, body, merchantId)).toThrow('does not open');
});

test('a text that looks sealed comes back as it was', () => {
  const extraData = sealer.seal('a token of the merchant', 'its own');
  const order = { merchantId, merchantOrderNo: 'n1', extraData };
  const kept = sealExtraData(sealer, order);
  expect(openExtraData(sealer, { ...order, extraData: kept })).toBe(extraData);
});
