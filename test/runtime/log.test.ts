import { newTraceId } from '../../runtime/log';
import { LogLines } from '../support/log-lines';

describe('the log', () => {
  const { log, lines, having } = new LogLines('worker');

  it('never shows a secret, three levels down, in lists and in a child’s own fields', () => {
    const secrets = { apiKey: 'S1', 'x-signature': 'S2', accountNo: 'S3', plain: 'shown' };
    log.child({ token: 'S4' }).info({ ...secrets, a: { ...secrets, b: secrets } }, 'nested');
    log.info({ list: [{ password: 'S5', name: 'kept' }, 'text', null] }, 'in a list');
    expect(JSON.stringify(lines)).not.toMatch(/S\d/);
    const shown = {
      apiKey: '[redacted]',
      'x-signature': '[redacted]',
      accountNo: '[redacted]',
      plain: 'shown',
    };
    expect(having({ msg: 'nested' })).toMatchObject([{ token: '[redacted]', ...shown, a: { ...shown, b: shown } }]);
    expect(having({ msg: 'in a list' })).toMatchObject([
      { list: [{ password: '[redacted]', name: 'kept' }, 'text', null] },
    ]);
  });

  it('does not change the logged value', () => {
    const given = { secret: 'S6', inner: { secret: 'S7' } };
    log.info(given, 'given');
    expect(given).toEqual({ secret: 'S6', inner: { secret: 'S7' } });
  });

  it('logs what helps to fix an error, and no value of a row', () => {
    const cause = Object.assign(new Error('inside'), { detail: 'Key (account_no)=(S8)' });
    const error = Object.assign(new Error('outside', { cause }), {
      code: '23505',
      constraint_name: 'bank_accounts_number',
      parameters: ['S9'],
    });
    log.error({ err: error, at: new Date(0) }, 'broken');
    const [line] = having({ msg: 'broken' });
    expect(line).toMatchObject({
      role: 'worker',
      level: 'error',
      at: '1970-01-01T00:00:00.000Z',
      err: { message: 'outside', code: '23505', constraint: 'bank_accounts_number' },
    });
    expect(line).toMatchObject({ err: { cause: { message: 'inside' } } });
    expect(JSON.stringify(line)).not.toMatch(/S\d/);
  });

  it('names each request by different 32 hex characters', () => {
    const ids = Array.from({ length: 1_000 }, newTraceId);
    expect(ids.every((id) => /^[0-9a-f]{32}$/.test(id))).toBe(true);
    expect(new Set(ids).size).toBe(1_000);
  });
});
