import { checkNewPassword, normalLogin, normalPassword } from '../../domain/password';

describe('a new password', () => {
  it.each(['correct horse battery', 'пароль из пяти слов', 'twelve chars', 'x9$kd-22pq!!', 'a few good words'])(
    'may be %j',
    (password) => {
      expect(() => {
        checkNewPassword(password, ['admin']);
      }).not.toThrow();
    },
  );

  it.each([
    ['eleven char', 'characters'],
    ['x'.repeat(129), 'characters'],
    ['aaaaaaaaaaaaaaaa', 'guessed'],
    ['abababababababab', 'guessed'],
    ['abcdefghijklmnop', 'guessed'],
    ['ponmlkjihgfedcba', 'guessed'],
    ['qwertyuiop[]', 'guessed'],
    ['Password1234', 'guessed'],
    ['P@ssw0rd1234!', 'guessed'],
    ['iloveyou2024', 'guessed'],
    ['letmeinletmein', 'guessed'],
    ['owner@example.com', 'guessed'],
    ['Owner@Example.com1', 'guessed'],
    [`${'x'.repeat(100)}password`, 'guessed'],
  ])('may not be %j', (password, why) => {
    expect(() => {
      checkNewPassword(password, ['owner@example.com']);
    }).toThrow(why);
  });

  it('is not quoted in its refusal', () => {
    const refuse = (): void => {
      checkNewPassword('hunter2', []);
    };
    expect(refuse).toThrow('characters');
    expect(refuse).not.toThrow('hunter2');
  });

  it('is the same in each Unicode form of its letters', () => {
    expect(normalPassword('cafe\u0301')).toBe(normalPassword('caf\u00e9'));
    expect(normalLogin('  Admin ')).toBe('admin');
  });
});
