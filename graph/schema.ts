import 'reflect-metadata';
import { createPubSub } from '@graphql-yoga/subscription';
import type { GraphQLSchema } from 'graphql';
import { buildSchemaSync } from 'type-graphql';
import { AgentKeyResolver } from './agent-key';
import { AlertResolver } from './alert';
import { AgentKeyListResolver } from './agent-key-list';
import { ApiKeyResolver } from './api-key';
import { ApiTokenResolver } from './api-token';
import { auditMutations } from './audit';
import { AuditLogResolver } from './audit-log';
import { answerInTime, AuthChecker, denyAnonymous } from './authorization';
import { BalanceResolver } from './balance';
import { BalanceChangeResolver } from './balance-change';
import { BankAccountResolver } from './bank-account';
import { BankAccountListResolver } from './bank-account-list';
import { BankTransferResolver } from './bank-transfer';
import { BankTransferListResolver } from './bank-transfer-list';
import { CallbackResolver } from './callback';
import { ChangeRequestResolver } from './change-request';
import { CallbackListResolver } from './callback-list';
import { DepositResolver } from './deposit';
import { DepositListResolver } from './deposit-list';
import { DepositRouteResolver } from './deposit-route';
import { catalogueErrors } from './errors';
import { guardFields } from './guard';
import { idsAreIds } from './ids';
import { InvitationResolver } from './invitation';
import { LedgerListResolver } from './ledger-list';
import { MerchantResolver } from './merchant';
import { MerchantListResolver } from './merchant-list';
import { timeOperations } from './operation-metrics';
import { OperatorAccessResolver } from './operator-access';
import { OperatorResolver } from './operator';
import { OrderChangeResolver } from './order-change';
import { OutboxResolver } from './outbox';
import { PasswordResolver } from './password';
import { SandboxMailResolver } from './sandbox-mails';
import { SecondFactorResolver } from './second-factor';
import { QueuesResolver } from './queues';
import { OutboxListResolver } from './outbox-list';
import { SearchResolver } from './search';
import { SessionResolver } from './session';
import { TransferCandidateResolver, TransferCandidatesResolver } from './transfer-candidate';

const schemaOfResolvers = (): GraphQLSchema =>
  buildSchemaSync({
    resolvers: [
      SessionResolver,
      OperatorResolver,
      SecondFactorResolver,
      PasswordResolver,
      ApiTokenResolver,
      InvitationResolver,
      OperatorAccessResolver,
      SandboxMailResolver,
      MerchantResolver,
      MerchantListResolver,
      ApiKeyResolver,
      BankAccountResolver,
      BankAccountListResolver,
      AgentKeyResolver,
      AgentKeyListResolver,
      DepositResolver,
      DepositListResolver,
      DepositRouteResolver,
      BankTransferResolver,
      BankTransferListResolver,
      CallbackResolver,
      CallbackListResolver,
      BalanceResolver,
      BalanceChangeResolver,
      OrderChangeResolver,
      OutboxResolver,
      QueuesResolver,
      AlertResolver,
      ChangeRequestResolver,
      AuditLogResolver,
      OutboxListResolver,
      LedgerListResolver,
      SearchResolver,
      TransferCandidatesResolver,
      TransferCandidateResolver,
    ],
    authChecker: AuthChecker,
    globalMiddlewares: [timeOperations, catalogueErrors, denyAnonymous, answerInTime, idsAreIds],
    // type-graphql insists on one; our subscriptions read published events by number instead.
    pubSub: createPubSub(),
    // Types and lengths belong to the gateway's route schemas, rules to domain/.
    validate: false,
  });

/**
 * The one schema that everything goes through: facade, operators, agents. Every field has its rule, and every
 * mutation is under audit.
 */
export const buildGraphSchema = (): GraphQLSchema =>
  auditMutations(guardFields(schemaOfResolvers()));
