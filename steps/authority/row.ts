import { HARMLESS } from '../../domain/authority/harmless';
import type { MoneyStep } from '../../domain/authority/step';
import { stepOfKind } from '../../domain/authority/table';
import type { ChangeKind } from '../../domain/change-request';
import { CatalogueError } from '../../domain/errors';
import type { Needs } from '../context';

export const refused = (why: string): CatalogueError => new CatalogueError('AUTHORIZATION_ERROR', why);

/** The row of a step that moves money or opens a way to it. @throws AUTHORIZATION_ERROR if there is none */
export function rowOf({ authority }: Needs<'authority'>, step: string): MoneyStep {
  const row = authority[step];
  if (!row) throw refused(`no rule of the platform allows ${step}`);
  return row;
}

/** Whether the safeguards of real money are in force: one person may not decide alone. */
export const takesTwo = ({ changes }: Needs<'changes'>): boolean => !changes.onePerson;

/** The row of changes that only close, whose mutations are listed as harmless. */
const CLOSING: MoneyStep = {
  power: [],
  decides: 'APPROVE',
  people: 'TWO_UNLESS_CLOSING',
  evidence: 'REASON',
  counts: [],
  cools: null,
  apart: [],
  factor: 'SESSION',
  shows: [],
};

/** The row of a change's step. @throws AUTHORIZATION_ERROR if there is none */
export function rowOfChange(context: Needs<'authority'>, kind: ChangeKind): MoneyStep {
  const step = stepOfKind(kind);
  return step in HARMLESS ? CLOSING : rowOf(context, step);
}
