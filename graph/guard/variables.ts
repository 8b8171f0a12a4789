import { placeOfMalformed } from '../../domain/well-formed';
import { malformedText } from './inputs';
import { OPERATION_LIMITS } from './limits';
import { tooMuch } from './refusal';

/**
 * @throws Refusal for variables that are nested too deeply or hold too much; it reads no further than the limit. And for
 * a text that cannot be stored, whatever scalar it is for.
 */
export function checkVariables(variables: unknown): void {
  const { variablesDepth, variablesItems } = OPERATION_LIMITS;
  let items = 0;
  let level: readonly unknown[] = [variables];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > variablesDepth) throw tooMuch('variables', `variables are nested more than ${variablesDepth} deep`);
    const next: unknown[] = [];
    for (const value of level) {
      if (typeof value !== 'object' || value === null) continue;
      const inside = Object.values(value) as unknown[];
      items += inside.length;
      if (items > variablesItems) throw tooMuch('variables', `variables hold more than ${variablesItems} values`);
      next.push(...inside);
    }
    level = next;
  }
  const place = placeOfMalformed(variables);
  if (place) throw malformedText('variables', place.join('.'));
}
