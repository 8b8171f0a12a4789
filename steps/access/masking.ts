import { maskedText } from '../../domain/personal';
import type { StepContext } from '../context';

/** Whether the caller is an operator who sees payers and beneficiaries masked. Everybody else sees only its own. */
export const seesMasked = ({
  actor,
  maskPersonal = false,
}: Pick<StepContext, 'actor' | 'maskPersonal'>): boolean =>
  maskPersonal && actor.kind === 'operator' && !actor.operator.permissions.has('READ_PERSONAL');

/** A payer's name within a sentence, as this caller sees it. */
export const shownNameTo =
  (context: Pick<StepContext, 'actor' | 'maskPersonal'>) =>
  (name: string): string =>
    seesMasked(context) ? maskedText(name, 'NAME') : name;
