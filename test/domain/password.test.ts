import { checkNewPassword, normalLogin, normalPassword } from '../../domain/password';

describe('a new password', () => {
  it.each(['correct horse battery', 'пароль из пяти слов', 'twelve chars', 'x9$kd-22pq!!'])(
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
    ['aaaaaaaaaaaaaaaa', 'repeat'],
    ['abababababababab', 'repeat'],
    ['abcdefghijklmnop', 'repeat'],
    ['ponmlkjihgfedcba', 'repeat'],
    ['owner@example.com', 'name of its owner'],
    ['Owner@Example.com1', 'name of its owner'],
  ])('is not %j', (password, why) => {
    expect(() => {
      checkNewPassword(password, ['owner@example.com']);
    }).toThrow(why);
  });

  it('is not quoted where it is refused', () => {
    const refuse = (): void => {
      checkNewPassword('hunter2', []);
    };
    expect(refuse).toThrow('characters');
    expect(refuse).not.toThrow('hunter2');
  });

  it('is the same however its letters are written', () => {
    expect(normalPassword('cafe\u0301')).toBe(normalPassword('caf\u00e9'));
    expect(normalLogin('  Admin ')).toBe('admin');
  });
});
