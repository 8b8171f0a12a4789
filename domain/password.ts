import { invalidField } from './errors';

/** Lengths in code points. Length makes a password hard to guess; NIST 800-63B asks for no mixture of characters. */
export const PASSWORD = { min: 12, max: 128 } as const;

/** The same letter may be one code point on one keyboard and two on another. */
export const normalPassword = (password: string): string => password.normalize('NFKC');

/** Logins are compared without regard to case and to how letters are composed. */
export const normalLogin = (login: string): string => login.trim().normalize('NFKC').toLowerCase();

/** Whether a password is little more than one repeated character, or a run of the keyboard or the alphabet. */
function isMonotonous(password: string): boolean {
  const characters = Array.from(password.toLowerCase());
  if (new Set(characters).size < 5) return true;
  const steps = characters.slice(1).map((c, i) => {
    const before = characters[i] ?? '';
    return (c.codePointAt(0) ?? 0) - (before.codePointAt(0) ?? 0);
  });
  return steps.every((step) => step === 1) || steps.every((step) => step === -1);
}

/**
 * Refuses a password that is easily guessed: too short, monotonous, or made from what is known of its owner.
 * @param known the login, name and so on
 * @throws INVALID_FIELD; the message never holds the password
 */
export function checkNewPassword(password: string, known: readonly string[]): void {
  const normal = normalPassword(password);
  const length = Array.from(normal).length;
  if (length < PASSWORD.min || length > PASSWORD.max)
    throw invalidField(
      'password',
      `must have ${PASSWORD.min}-${PASSWORD.max} characters`,
      'OUT_OF_RANGE',
    );
  if (isMonotonous(normal)) throw invalidField('password', 'must not repeat a few characters');
  const rest = known.reduce(
    (text, word) => (word.length < 3 ? text : text.replaceAll(normalLogin(word), '')),
    normal.toLowerCase(),
  );
  if (Array.from(rest).length < PASSWORD.min / 2)
    throw invalidField('password', 'must not be made from the login or name of its owner');
}
