import { ZxcvbnFactory } from '@zxcvbn-ts/core';
import { adjacencyGraphs, dictionary } from '@zxcvbn-ts/language-common';
import { invalidField } from './errors';

/** Lengths in code points. Length makes a password hard to guess; NIST 800-63B asks for no mixture of characters. */
export const PASSWORD = { min: 12, max: 128 } as const;

/** The same letter may be one code point on one keyboard and two on another. */
export const normalPassword = (password: string): string => password.normalize('NFKC');

/** Logins are compared without regard to case and to how letters are composed. */
export const normalLogin = (login: string): string => login.trim().normalize('NFKC').toLowerCase();

/** Guesses that a password must withstand: the delays of logins let through some thousand a day (lockout.ts). */
const LEAST_GUESSES = 1e8;
/** What a longer password begins with is judged: the time to judge grows with the square of its length. */
const JUDGED = 64;

/** Knows the passwords of known breaches; loaded at its first use. */
let estimator: ZxcvbnFactory | undefined;

const guessesFor = (password: string, known: readonly string[]): number => {
  estimator ??= new ZxcvbnFactory({ dictionary, graphs: adjacencyGraphs });
  const judged = Array.from(password).slice(0, JUDGED).join('');
  return estimator.check(judged, [...known]).guesses;
};

/**
 * Refuses a password that is easily guessed: too short, from a known breach or close to one, a run of a keyboard, or
 * made from what is known of its owner.
 * @param known the login, name and so on
 * @throws INVALID_FIELD; the message never holds the password
 */
export function checkNewPassword(password: string, known: readonly string[]): void {
  const normal = normalPassword(password);
  const length = Array.from(normal).length;
  if (length < PASSWORD.min || length > PASSWORD.max)
    throw invalidField('password', `must have ${PASSWORD.min}-${PASSWORD.max} characters`, 'OUT_OF_RANGE');
  if (guessesFor(normal, known) < LEAST_GUESSES)
    throw invalidField(
      'password',
      'is easily guessed: it is a common password, a repetition, or made from the name of its owner',
    );
}
