import { refusalOf } from '../../db/refusals';

const failing = (code: string, cause?: unknown): Error =>
  Object.assign(new Error('from the driver', { cause }), { code });

describe('a database error', () => {
  it.each([
    'ECONNREFUSED',
    'EAI_AGAIN',
    'EHOSTUNREACH',
    'ENETUNREACH',
    'CONNECT_TIMEOUT',
    'CONNECTION_CLOSED',
    '57P01',
    '57P03',
    '57014',
    '53300',
    '08006',
    '25006',
    'ERR_TLS_CERT_ALTNAME_INVALID',
    'CERT_HAS_EXPIRED',
    '58030',
  ])('%s: the caller may retry later', (code) => {
    expect(refusalOf(failing(code))).toMatchObject({ status: 503, retryable: true });
  });

  it.each(['55P03', '40001', '40P01'])('%s: the lock was not granted', (code) => {
    expect(refusalOf(failing(code))?.code).toBe('OPTIMISTIC_LOCK_ERROR');
  });

  it('is found in the error that wraps it', () => {
    const wrapped = new Error('from the query builder', { cause: failing('ECONNREFUSED') });
    expect(refusalOf(wrapped)?.status).toBe(503);
  });

  it.each([failing('42P01'), failing('CW001'), new Error('ours'), 'text', null])(
    'is an error that no caller can correct: %p',
    (error) => {
      expect(refusalOf(error)).toBeUndefined();
    },
  );
});
