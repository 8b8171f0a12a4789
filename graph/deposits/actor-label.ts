import type { Loaders } from '../loaders';

/** Who an actor such as `operator:{id}` is, as people call it; null where it is nobody in particular. */
export async function labelOfActor(loaders: Loaders, actor: string): Promise<string | null> {
  const [kind, id] = actor.split(':');
  if (id === undefined) return null;
  switch (kind) {
    case 'operator':
      return (await loaders.operators.load(id))?.login ?? null;
    case 'merchant':
      return (await loaders.merchants.load(id))?.merchantCode ?? null;
    case 'agent':
      return (await loaders.agentLabels.load(id)) ?? null;
    default:
      return null;
  }
}
