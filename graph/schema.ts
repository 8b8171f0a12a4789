import 'reflect-metadata';
import { createPubSub } from '@graphql-yoga/subscription';
import type { GraphQLSchema } from 'graphql';
import { buildSchemaSync } from 'type-graphql';
import { AgentKeyResolver } from './agent-key';
import { ApiKeyResolver } from './api-key';
import { auditMutations } from './audit';
import { AuditLogResolver } from './audit-log';
import { answerInTime, AuthChecker, denyAnonymous } from './authorization';
import { BalanceResolver } from './balance';
import { BalanceChangeResolver } from './balance-change';
import { BankAccountResolver } from './bank-account';
import { BankTransferResolver } from './bank-transfer';
import { CallbackResolver } from './callback';
import { ChangeRequestResolver } from './change-request';
import { DepositResolver } from './deposit';
import { DepositListResolver } from './deposit-list';
import { DepositRouteResolver } from './deposit-route';
import { catalogueErrors } from './errors';
import { idsAreIds } from './ids';
import { MerchantResolver } from './merchant';
import { timeOperations } from './operation-metrics';
import { OperatorResolver } from './operator';
import { OrderChangeResolver } from './order-change';
import { OutboxResolver } from './outbox';
import { SessionResolver } from './session';

const schemaOfResolvers = (): GraphQLSchema =>
  buildSchemaSync({
    resolvers: [
      SessionResolver,
      OperatorResolver,
      MerchantResolver,
      ApiKeyResolver,
      BankAccountResolver,
      AgentKeyResolver,
      DepositResolver,
      DepositListResolver,
      DepositRouteResolver,
      BankTransferResolver,
      CallbackResolver,
      BalanceResolver,
      BalanceChangeResolver,
      OrderChangeResolver,
      OutboxResolver,
      ChangeRequestResolver,
      AuditLogResolver,
    ],
    authChecker: AuthChecker,
    globalMiddlewares: [timeOperations, catalogueErrors, denyAnonymous, answerInTime, idsAreIds],
    // type-graphql insists on one; our subscriptions read published events by number instead.
    pubSub: createPubSub(),
    // Types and lengths belong to the gateway's route schemas, rules to domain/.
    validate: false,
  });

/** The one schema that everything goes through: facade, operators, agents. Every mutation is under audit. */
export const buildGraphSchema = (): GraphQLSchema => auditMutations(schemaOfResolvers());
