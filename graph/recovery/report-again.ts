import { Ctx, FieldResolver, Resolver } from 'type-graphql';
import type { GraphContext } from '../context';
import { AgentDevice } from '../texts/agent-text';

/** From when agents must report again after a restore: the database lacks the bank's movements of the lost time. */
@Resolver(() => AgentDevice)
export class ReportAgainResolver {
  @FieldResolver(() => Date, {
    nullable: true,
    description:
      'While a recovery goes on: everything that the bank has said since then is to be reported again. What is known changes nothing.',
  })
  async reportAgainSince(@Ctx() { loaders }: GraphContext): Promise<Date | null> {
    const recovery = await loaders.lastRecovery.load('last');
    return recovery?.endedAt === null ? recovery.lostSince : null;
  }
}
