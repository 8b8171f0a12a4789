import { Arg, Authorized, Ctx, Mutation, Resolver } from 'type-graphql';
import { setAlertMails } from '../../db/operators/operators';
import { type GraphContext } from '../context';
import { DONE, Done } from '../done';
import { operatorAction } from '../../steps/operators/operator-action';
import { operatorOf } from '../../steps/access/caller';

@Resolver()
export class AlertMailsResolver {
  @Authorized('PERSON')
  @Mutation(() => Done, {
    description:
      'Switches the caller’s mails about new alerts on or off. The first comes within a minute; those of the next ten minutes come together.',
  })
  async setAlertMails(
    @Arg('wanted', { description: 'True: you are mailed alerts that you may see.' })
    wanted: boolean,
    @Ctx() context: GraphContext,
  ): Promise<Done> {
    const { id } = operatorOf(context.actor);
    const action = { action: 'setAlertMails', subject: `operator:${id}`, reason: 'own account' };
    await operatorAction(context, action, async (tx) => {
      await setAlertMails(tx, id, wanted);
    });
    return DONE;
  }
}
