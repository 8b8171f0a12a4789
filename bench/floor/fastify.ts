import { hash, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import Fastify from 'fastify';

/*
 * A floor without our gateway: bare Fastify that verifies a create's MD5 signature, with the key in the request, and answers JSON
 * of the gateway's size. It has no merchants, checks no field and stores nothing.
 */

type Fields = Readonly<Record<string, string>>;

const header = (headers: IncomingHttpHeaders, name: string): string => String(headers[name] ?? '');

function isSigned(fields: Fields, headers: IncomingHttpHeaders): boolean {
  const all: Fields = { ...fields, timestamp: header(headers, 'x-timestamp') };
  const text = Object.keys(all)
    .sort()
    .map((key) => `${key}=${all[key] ?? ''}`)
    .join('&');
  const expected = Buffer.from(hash('md5', text + header(headers, 'x-api-key')));
  const given = Buffer.from(header(headers, 'x-signature'));
  return given.length === expected.length && timingSafeEqual(given, expected);
}

const app = Fastify();
let number = 0;

app.post('/api/v1/merchant/orders/deposit', async (request, reply) => {
  const fields = request.body as Fields;
  if (!isSigned(fields, request.headers)) return await reply.code(401).send({ success: false });
  number++;
  const now = new Date().toISOString();
  const data = {
    order_no: `D${now.replace(/\D/g, '')}${String(number).padStart(12, '0')}`,
    requested_amount: fields['amount'],
    amount: fields['amount'],
    currency_code: fields['currency_code'],
    expire_at: now,
    bank_code: 'KBANK',
    bank_name: 'Kasikornbank',
    bank_branch: null,
    account_no: '0123456789abcdef',
    account_holder: 'Causeway Bench',
    remark: 'ABCDEFGHJK',
  };
  return await reply.code(201).send({ success: true, code: 'SUCCESS', message: 'OK', data });
});

app.listen({ host: '127.0.0.1', port: 0 }).then(
  (url) => process.send?.({ ready: true, url }),
  (error: unknown) => {
    process.stderr.write(`${String(error)}\n`);
    process.exit(1);
  },
);
process.on('disconnect', () => {
  process.exit(0);
});
