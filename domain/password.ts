import { invalidField } from './errors';

/** Lengths in code points. Length is what makes a password hard to guess; NIST 800-63B asks for no mixture. */
export const PASSWORD = { min: 12, max: 128 } as const;

/** One person's keyboard may write a letter in two code points, another's in one. */
export const normalPassword = (password: string): string => password.normalize('NFKC');

/** Logins are compared without regard to case, and to how letters are written. */
export const normalLogin = (login: string): string => login.trim().normalize('NFKC').toLowerCase();

/** Whether it is little else than one character, or a run of the keyboard or the alphabet, repeated. */
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
 * Says no to a password that is guessed soon: too short, monotonous, or made of what is known of its owner.
 * @param known the login and the like
 * @throws INVALID_FIELD; the message never holds the password
 */
export function checkNewPassword(password: string, known: readonly string[]): void {
  const normal = normalPassword(password);
  const length = Array.from(normal).length;
  if (length < PASSWORD.min || length > PASSWORD.max)
    throw invalidField('password', `must have ${PASSWORD.min}-${PASSWORD.max} characters`);
  if (isMonotonous(normal)) throw invalidField('password', 'must not repeat a few characters');
  const rest = known.reduce(
    (text, word) => (word.length < 3 ? text : text.replaceAll(normalLogin(word), '')),
    normal.toLowerCase(),
  );
  if (Array.from(rest).length < PASSWORD.min / 2)
    throw invalidField('password', 'must not be made from the login or name of its owner');
}
