import { uuidv7 } from 'uuidv7';
import { normalLogin } from '../../domain/password';
import type { Database } from '../../db/client';
import { ensureOperator, findOperatorByLogin } from '../../db/operators/operators';
import { hashPassword } from './login';

/** One of the first operators of a deployment. */
export interface FirstOperator {
  readonly login: string;
  readonly password: string;
  /** Names of roles. */
  readonly roles: readonly string[];
}

/** Creates an operator, unless one with this login exists. */
export async function ensureFirstOperator(
  database: Database,
  { password, roles, ...operator }: FirstOperator,
  now: Date,
): Promise<void> {
  const login = normalLogin(operator.login);
  if (await findOperatorByLogin(database, login)) return;
  const passwordHash = await hashPassword(password);
  await ensureOperator(database, { id: uuidv7(), login, passwordHash, roles, createdAt: now });
}
