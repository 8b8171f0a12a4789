import { maskedText } from '../../domain/personal';
import type { Needs } from '../context';

/** Whether the caller is an operator who sees payers and beneficiaries masked. Everybody else sees only its own. */
export const seesMasked = ({ actor, maskPersonal = false }: Needs<'actor' | 'maskPersonal'>): boolean =>
  maskPersonal && actor.kind === 'operator' && !actor.operator.permissions.has('READ_PERSONAL');

/** A payer's name within a sentence, as this caller sees it. */
export const shownNameTo =
  (context: Needs<'actor' | 'maskPersonal'>) =>
  (name: string): string =>
    seesMasked(context) ? maskedText(name, 'NAME') : name;
