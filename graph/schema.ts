import 'reflect-metadata';
import { createPubSub } from '@graphql-yoga/subscription';
import type { GraphQLSchema } from 'graphql';
import { buildSchemaSync } from 'type-graphql';
import { ActorInfoResolver } from './actor-info';
import { AgentKeyResolver } from './accounts/agent-key';
import { AlertResolver } from './events/alert';
import { AlertListResolver } from './events/alert-list';
import { AgentKeyListResolver } from './accounts/agent-key-list';
import { ApiKeyResolver } from './merchants/api-key';
import { AgentEnrolmentResolver } from './accounts/agent-enrolment';
import { SecretLinkResolver } from './merchants/secret-link';
import { ApiTokenResolver } from './operators/api-token';
import { auditMutations } from './audit/audit';
import { AuditLogListResolver, AuditLogResolver } from './audit/audit-log';
import { aroundFields, AuthChecker } from './access/root-fields';
import { BalanceResolver } from './ledger/balance';
import { BooksProofResolver } from './ledger/books-proof';
import { BalanceChangeResolver } from './ledger/balance-change';
import { BankAccountResolver } from './accounts/bank-account';
import { BankAccountListResolver } from './accounts/bank-account-list';
import { BankDebitListResolver } from './debits/bank-debit-list';
import { BankDebitResolver, DebitOfPayoutResolver } from './debits/bank-debit';
import { ExplainDebitResolver } from './debits/explain-debit';
import { BankTransferResolver } from './transfers/bank-transfer';
import { BankTransferListResolver, UnmatchedTransferListResolver } from './transfers/bank-transfer-list';
import { BillingLineResolver, BillingListResolver, BillingStatementResolver } from './billing/billing-statement';
import { BillingDayExportResolver } from './exports/billing-day';
import { BookOfAccountResolver, BookOfChannelResolver } from './closes/book-balance';
import { CloseItemResolver, DayCloseListResolver, DayCloseResolver } from './closes/day-close';
import { AccountHealthResolver, ChannelHealthResolver } from './health/board';
import { OutageListResolver, OutageResolver } from './health/outage';
import { AgentDeviceResolver, AgentTextResolver, TextPatternResolver } from './texts/agent-text';
import { CallbackAttemptResolver, CallbackResolver } from './callbacks/callback';
import { ChangeRequestListResolver, ChangeRequestResolver } from './changes/change-request';
import { CallbackEndpointResolver } from './callbacks/endpoint';
import { CallbackListResolver } from './callbacks/callback-list';
import { DepositResolver } from './deposits/deposit';
import { BankTransferExportResolver } from './exports/bank-transfers';
import { DepositListResolver } from './deposits/deposit-list';
import { CostsOfDepositResolver, CostsOfWithdrawalResolver } from './fees/order-costs';
import { DepositExportResolver } from './exports/deposits';
import { JournalExportResolver } from './exports/journal';
import { JournalChartResolver } from './exports/journal-chart';
import { LedgerEntryExportResolver } from './exports/ledger-entries';
import { WithdrawalExportResolver } from './exports/withdrawals';
import { OrderEventResolver } from './deposits/order-event';
import { DepositRouteResolver } from './deposits/deposit-route';
import { DepositEvidenceResolver } from './deposits/deposit-evidence';
import { HeldBalanceResolver, HeldDepositResolver } from './deposits/held-credit';
import { RecallResolver } from './deposits/recall';
import {
  DebitRestResolver,
  OperatorPostingListResolver,
  OperatorPostingResolver,
  PayoutReturnedResolver,
  TransferRestResolver,
} from './postings/operator-posting';
import { LateReceiptChannelResolver, LateReceiptListResolver, LateReceiptResolver } from './postings/late-receipt';
import { WaitingMoneyResolver } from './postings/waiting-money';
import { BooksResolver } from './postings/books';
import { OwnMoneyResolver } from './postings/own-money';
import {
  PayerReturnListResolver,
  PayerReturnResolver,
  RefundsOfDepositResolver,
  ReturnsOfTransferResolver,
} from './postings/payer-return';
import { ReturnMoneyResolver } from './postings/return-money';
import { ReturnPayoutResolver } from './postings/return-payout';
import { ReversePostingResolver } from './postings/reverse-posting';
import { TransferTaskResolver } from './payouts/transfer-task';
import { SendReturnResolver } from './postings/send-return';
import { ChannelResolver } from './channels/channel';
import { ChannelMappingOfChannelResolver, ChannelMappingResolver } from './channels/channel-mapping';
import { ChannelListResolver } from './channels/channel-list';
import { ChannelWebhookResolver } from './channels/channel-webhook';
import { MockDepositResolver } from './channels/mock-deposit';
import { CashierListResolver } from './cashier/cashier-list';
import { DepositClaimResolver, PaymentClaimListResolver, PaymentClaimResolver } from './cashier/payment-claim';
import { CashierDepositResolver, CashierSessionResolver } from './cashier/cashier-session';
import { CashierViewResolver } from './cashier/cashier-view';
import { PayerActionsResolver } from './cashier/payer-actions';
import { guardFields } from './access/guard';
import { PasswordResolver } from './operators/password';
import { InvitationListResolver } from './operators/invitation-list';
import { InvitationResolver } from './operators/invitation';
import { LedgerEntryResolver } from './ledger/ledger-entry';
import { LedgerListResolver } from './ledger/ledger-list';
import { TrialBalanceListResolver } from './ledger/trial-balance-list';
import { MerchantResolver } from './merchants/merchant';
import { MerchantListResolver } from './merchants/merchant-list';
import { hintRelays } from './mutation-hints';
import { OperatorListResolver } from './operators/operator-list';
import { RoleListResolver } from './operators/role-list';
import { OperatorAccessResolver } from './operators/operator-access';
import { OperatorResolver } from './operators/operator';
import { TransferChangeResolver } from './events/transfer-change';
import { OrderChangeResolver } from './events/order-change';
import { CancelDepositsResolver } from './deposits/cancel-deposits';
import { ResendCallbacksResolver } from './callbacks/resend-callbacks';
import { DayTotalsResolver, MerchantOfDepositTotals, MerchantOfWithdrawalTotals } from './orders/day-totals';
import { FindOrdersResolver } from './orders/find-orders';
import { OutboxResolver } from './outbox/outbox';
import { PayoutAttemptResolver, PayoutPartiesResolver } from './payouts/payout-attempt';
import { RecoveryResolver } from './recovery/recovery';
import { ReportAgainResolver } from './recovery/report-again';
import { RecoveryFindingListResolver } from './recovery/recovery-finding-list';
import { ResolvePayoutResolver } from './payouts/resolve-payout';
import { AlertMailsResolver } from './operators/alert-mails';
import { FactorResolver } from './operators/factor';
import { OidcResolver } from './operators/oidc';
import { PasskeyResolver, PasskeysOfOperatorResolver } from './operators/passkey';
import { SandboxMailResolver } from './operators/sandbox-mails';
import { SecondFactorResolver } from './operators/second-factor';
import { PlatformHealthResolver } from './platform/platform-health';
import { QueuesResolver } from './events/queues';
import { OutboxListResolver } from './outbox/outbox-list';
import { DateTimeScalar } from './scalars';
import { ErasePersonResolver } from './personal/erase';
import { RevealPersonalResolver } from './personal/reveal';
import { SearchResolver } from './search';
import { AccountCostsResolver, CostsOfAccountResolver } from './fees/account-costs';
import {
  FeeScheduleOfDepositResolver,
  FeeScheduleOfWithdrawalResolver,
  FeeScheduleResolver,
  FeeSchedulesOfMerchantResolver,
} from './fees/fee-schedule';
import {
  CommissionRateResolver,
  CommissionRatesOfMerchantResolver,
  CommissionResolver,
  CommissionsOfDepositResolver,
  CommissionsOfWithdrawalResolver,
  RatesOfResellerResolver,
} from './fees/commission';
import { CommissionListResolver } from './fees/commission-list';
import { PayCommissionResolver } from './fees/pay-commission';
import { PutCommissionRateResolver } from './fees/put-commission-rate';
import { ResellerOfPostingResolver, ResellerResolver } from './fees/reseller';
import { FeeQuoteResolver } from './fees/fee-quote';
import { MarginResolver } from './fees/margin';
import { PutFeeScheduleResolver } from './fees/put-fee-schedule';
import { MovedDepositResolver, RoutingReplayResolver } from './routing/routing-replay';
import { RouteQuoteResolver } from './routing/route-quote';
import { RoutingRulesResolver } from './routing/routing-rules';
import { RouteOfDepositResolver } from './routing/order-route';
import { RoutesOfWithdrawalResolver } from './routing/withdrawal-routes';
import { PutRoutingRulesResolver } from './routing/put-routing-rules';
import { PoolOfCurrencyResolver, PoolResolver } from './pools/pool';
import { BankResolver } from './banks/bank';
import { AttemptProofsResolver, TransferProofResolver } from './payouts/transfer-proof';
import { ListedBeneficiaryListResolver } from './withdrawals/listed-beneficiary-list';
import { ListedBeneficiaryResolver, ReviewRulesResolver } from './withdrawals/review-rules';
import { ListedPayerResolver } from './payers/listed-payer';
import { ListedPayerListResolver } from './payers/listed-payer-list';
import { PayerCheckOfDepositResolver, PayerFindingOfTransferResolver } from './payers/payer-check';
import { PayerRulesResolver } from './payers/payer-rules';
import { EventAddressesResolver } from './platform-events/event-addresses';
import { EventDeliveryResolver } from './platform-events/event-delivery';
import { EventDeliveryListResolver } from './platform-events/event-delivery-list';
import { PutEventAddressesResolver } from './platform-events/put-event-addresses';
import { WithdrawalDecidingResolver, WithdrawalDecisionResolver } from './withdrawals/withdrawal-decision';
import { WithdrawalResolver } from './withdrawals/withdrawal';
import { StatementProofResolver } from './statements/statement-proof';
import { StatementLineResolver, StatementResolver } from './statements/statement';
import { StatementListResolver } from './statements/statement-list';
import { StatementMappingResolver } from './statements/statement-mapping';
import {
  RuleOfLineResolver,
  RuleOfPostingResolver,
  RulesOfStatementResolver,
  StatementRuleResolver,
  StatementRuleTotalResolver,
} from './statements/statement-rule';
import { CalendarResolver } from './settlements/calendar';
import { SettlementPlanResolver, SettlementPlansOfMerchantResolver } from './settlements/settlement-plan';
import { PutSettlementPlanResolver } from './settlements/put-settlement-plan';
import { SettlementRunListResolver, SettlementRunResolver } from './settlements/settlement-run-list';
import { SettlementAccountResolver } from './settlements/settlement-account';
import { SettlementAccountListResolver } from './settlements/settlement-account-list';
import { SettlementOfWithdrawalResolver, SettlementResolver } from './settlements/settlement';
import { WithdrawalListResolver } from './withdrawals/withdrawal-list';
import { SessionResolver } from './operators/session';
import { CreditWorkResolver } from './transfers/credit-work';
import { MatchPartsResolver } from './transfers/match-parts';
import { TransferCandidateResolver, TransferCandidatesResolver } from './transfers/transfer-candidate';

const schemaOfResolvers = (): GraphQLSchema =>
  buildSchemaSync({
    resolvers: [
      SessionResolver,
      OperatorResolver,
      SecondFactorResolver,
      OidcResolver,
      PasskeyResolver,
      PasskeysOfOperatorResolver,
      FactorResolver,
      AlertMailsResolver,
      PasswordResolver,
      ApiTokenResolver,
      InvitationResolver,
      InvitationListResolver,
      OperatorAccessResolver,
      OperatorListResolver,
      RoleListResolver,
      SandboxMailResolver,
      MerchantResolver,
      MerchantListResolver,
      ApiKeyResolver,
      SecretLinkResolver,
      AgentEnrolmentResolver,
      BankAccountResolver,
      BankAccountListResolver,
      AccountHealthResolver,
      ChannelHealthResolver,
      OutageResolver,
      OutageListResolver,
      AgentTextResolver,
      AgentDeviceResolver,
      TextPatternResolver,
      DayCloseResolver,
      DayCloseListResolver,
      CloseItemResolver,
      BookOfAccountResolver,
      BookOfChannelResolver,
      StatementResolver,
      StatementProofResolver,
      StatementLineResolver,
      StatementListResolver,
      StatementMappingResolver,
      StatementRuleResolver,
      RuleOfLineResolver,
      RuleOfPostingResolver,
      RulesOfStatementResolver,
      StatementRuleTotalResolver,
      ChannelResolver,
      PayoutAttemptResolver,
      RecoveryResolver,
      ReportAgainResolver,
      RecoveryFindingListResolver,
      PayoutPartiesResolver,
      ResolvePayoutResolver,
      ChannelListResolver,
      ChannelMappingResolver,
      ChannelMappingOfChannelResolver,
      ChannelWebhookResolver,
      MockDepositResolver,
      AgentKeyResolver,
      AgentKeyListResolver,
      DepositResolver,
      DepositExportResolver,
      WithdrawalExportResolver,
      LedgerEntryExportResolver,
      JournalExportResolver,
      JournalChartResolver,
      BankTransferExportResolver,
      DepositListResolver,
      OrderEventResolver,
      ActorInfoResolver,
      DepositRouteResolver,
      RecallResolver,
      DepositEvidenceResolver,
      HeldDepositResolver,
      HeldBalanceResolver,
      WithdrawalResolver,
      WithdrawalListResolver,
      SettlementAccountResolver,
      SettlementAccountListResolver,
      SettlementResolver,
      SettlementOfWithdrawalResolver,
      TransferTaskResolver,
      TransferProofResolver,
      AttemptProofsResolver,
      WithdrawalDecidingResolver,
      WithdrawalDecisionResolver,
      ListedBeneficiaryResolver,
      ReviewRulesResolver,
      ListedBeneficiaryListResolver,
      EventAddressesResolver,
      EventDeliveryListResolver,
      EventDeliveryResolver,
      PutEventAddressesResolver,
      PayerRulesResolver,
      ListedPayerResolver,
      ListedPayerListResolver,
      PayerCheckOfDepositResolver,
      PayerFindingOfTransferResolver,
      BankResolver,
      BillingLineResolver,
      BillingListResolver,
      BillingStatementResolver,
      BillingDayExportResolver,
      FeeScheduleResolver,
      FeeSchedulesOfMerchantResolver,
      FeeScheduleOfDepositResolver,
      FeeScheduleOfWithdrawalResolver,
      PutFeeScheduleResolver,
      CalendarResolver,
      SettlementPlanResolver,
      SettlementPlansOfMerchantResolver,
      PutSettlementPlanResolver,
      SettlementRunListResolver,
      SettlementRunResolver,
      ResellerResolver,
      ResellerOfPostingResolver,
      RatesOfResellerResolver,
      CommissionResolver,
      CommissionListResolver,
      CommissionRateResolver,
      CommissionRatesOfMerchantResolver,
      CommissionsOfDepositResolver,
      CommissionsOfWithdrawalResolver,
      PutCommissionRateResolver,
      PayCommissionResolver,
      AccountCostsResolver,
      MarginResolver,
      CostsOfAccountResolver,
      CostsOfDepositResolver,
      CostsOfWithdrawalResolver,
      FeeQuoteResolver,
      RoutingRulesResolver,
      RouteQuoteResolver,
      RoutingReplayResolver,
      MovedDepositResolver,
      PutRoutingRulesResolver,
      RouteOfDepositResolver,
      RoutesOfWithdrawalResolver,
      PoolResolver,
      PoolOfCurrencyResolver,
      CashierSessionResolver,
      CashierDepositResolver,
      CashierListResolver,
      PaymentClaimResolver,
      PaymentClaimListResolver,
      DepositClaimResolver,
      CashierViewResolver,
      PayerActionsResolver,
      BankTransferResolver,
      BankTransferListResolver,
      UnmatchedTransferListResolver,
      OperatorPostingResolver,
      OperatorPostingListResolver,
      TransferRestResolver,
      PayoutReturnedResolver,
      DebitRestResolver,
      WaitingMoneyResolver,
      ReturnPayoutResolver,
      LateReceiptResolver,
      LateReceiptChannelResolver,
      LateReceiptListResolver,
      OwnMoneyResolver,
      BooksResolver,
      ReversePostingResolver,
      ReturnMoneyResolver,
      SendReturnResolver,
      PayerReturnResolver,
      PayerReturnListResolver,
      ReturnsOfTransferResolver,
      RefundsOfDepositResolver,
      BankDebitResolver,
      BankDebitListResolver,
      DebitOfPayoutResolver,
      ExplainDebitResolver,
      CallbackAttemptResolver,
      CallbackResolver,
      CallbackListResolver,
      CallbackEndpointResolver,
      BalanceResolver,
      BooksProofResolver,
      BalanceChangeResolver,
      OrderChangeResolver,
      TransferChangeResolver,
      FindOrdersResolver,
      DayTotalsResolver,
      MerchantOfDepositTotals,
      MerchantOfWithdrawalTotals,
      CancelDepositsResolver,
      ResendCallbacksResolver,
      OutboxResolver,
      PlatformHealthResolver,
      QueuesResolver,
      AlertListResolver,
      AlertResolver,
      ChangeRequestResolver,
      ChangeRequestListResolver,
      AuditLogResolver,
      AuditLogListResolver,
      OutboxListResolver,
      LedgerEntryResolver,
      LedgerListResolver,
      TrialBalanceListResolver,
      SearchResolver,
      RevealPersonalResolver,
      ErasePersonResolver,
      TransferCandidatesResolver,
      CreditWorkResolver,
      MatchPartsResolver,
      TransferCandidateResolver,
    ],
    scalarsMap: [{ type: Date, scalar: DateTimeScalar }],
    authChecker: AuthChecker,
    globalMiddlewares: [aroundFields],
    // type-graphql requires one; our subscriptions read published events by number instead.
    pubSub: createPubSub(),
    // The gateway's route schemas check types and lengths, domain/ checks rules.
    validate: false,
    // type-graphql's check runs an introspection, which adds half of the time; the first operation validates the schema
    // anyway.
    skipCheck: true,
  });

let built: GraphQLSchema | undefined;

/**
 * The one schema for all callers: facade, operators, agents. Every field has a rule, and every mutation is audited and
 * tells the relays. A process has one schema, which holds nothing of a request or a deployment.
 */
export const buildGraphSchema = (): GraphQLSchema =>
  (built ??= hintRelays(auditMutations(guardFields(schemaOfResolvers()))));
