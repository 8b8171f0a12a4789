import { Arg, Authorized, Ctx, Field, Mutation, ObjectType, Resolver } from 'type-graphql';
import { uuidv7 } from 'uuidv7';
import { businessError } from '../../domain/errors';
import { currencyDecimals } from '../../domain/money';
import { keepRule, type RoutingRule } from '../../domain/routing-rules';
import { wordsOfRule } from '../../domain/routing-words';
import type { ChangeRow } from '../../db/changes/change-requests';
import * as db from '../../db/routing/routing-rules';
import { ChangeRequest, EvidenceInput } from '../changes/change-request';
import { propose } from '../../steps/changes/propose';
import type { GraphContext } from '../context';
import { EVIDENCE, PAYLOAD_CHANGE, REASON } from '../descriptions';
import { namesOfRules } from '../../steps/routing/rule-names';
import { RoutingRulesInput, rulesOfInput } from './rule-input';
import { basisOf, type RoutingPayload } from '../../steps/routing/routing-effects';
import { RoutingRules } from './routing-rules';
import { actorName } from '../../steps/access/caller';
import { replayOfYesterday } from '../../steps/routing/put-routing-rules';

@ObjectType({ simpleResolvers: true, description: 'Proposed routing rules.' })
export class RoutingRulesChange {
  @Field(() => ChangeRequest, { description: PAYLOAD_CHANGE })
  change!: ChangeRow;

  @Field(() => RoutingRules, { nullable: true, description: 'Null until the change is applied.' })
  rules!: db.RoutingRulesRow | null;
}

@Resolver()
export class PutRoutingRulesResolver {
  @Authorized('CONFIGURE')
  @Mutation(() => RoutingRulesChange, {
    description:
      'Proposes where orders of a currency go: the next version of its rules, in force from its approval. Orders that are there keep their way.',
  })
  async putRoutingRules(
    @Arg('input', { description: 'The version as it is to be.' }) input: RoutingRulesInput,
    @Arg('reason', { description: REASON }) reason: string,
    @Ctx() context: GraphContext,
    @Arg('evidence', () => EvidenceInput, { nullable: true, description: EVIDENCE })
    evidence?: EvidenceInput | null,
  ): Promise<RoutingRulesChange> {
    const { database } = context;
    const { currencyCode, orderKind } = input;
    const rules = await rulesOfInput(context, input);
    const [newest] = await db.findRoutingRules(database.sql, currencyCode, orderKind, true);
    const before = newest ? db.ruleSetOf(newest).rules : [];
    if (rules.length === 0 && before.length === 0)
      throw businessError('NO_CHANGE', 'there are no rules for these orders');
    const names = await namesOfRules(context, [...rules, ...before]);
    const decimals = currencyDecimals(currencyCode) ?? 0;
    const shown = (list: readonly RoutingRule[]): string[] =>
      list.map((rule) => wordsOfRule(rule, orderKind, names, decimals));
    const payload: RoutingPayload = {
      id: uuidv7(),
      currencyCode,
      orderKind,
      rules: rules.map(keepRule),
      createdBy: actorName(context.actor),
    };
    const orders = `${currencyCode} ${orderKind.toLowerCase()}s`;
    const change = await propose(context, {
      kind: 'PUT_ROUTING_RULES',
      subject: { kind: 'routing_rules', id: payload.id, name: orders },
      summary:
        rules.length === 0
          ? `End the routing rules for ${orders}`
          : `Route ${orders} by ${rules.length === 1 ? '1 rule' : `${rules.length} rules`}`,
      before: { ...basisOf(newest), rules: shown(before) },
      after: {
        ...basisOf({ version: (newest?.version ?? 0) + 1 }),
        rules: shown(rules),
        replayOfYesterday: await replayOfYesterday(context, input, rules),
      },
      payload,
      reason,
      evidence,
    });
    const [made] = await db.findRoutingRulesById(database, [payload.id]);
    return { change, rules: made ?? null };
  }
}
