// Merchants, accounts, channels, settlements and their money in the graph. One suite in a run of all (jest.config.js).
import './account-limits.test';
import './alerts.test';
import './bank-debits.test';
import './bank-references.test';
import './billing.test';
import './callback-endpoints.test';
import './channels.test';
import './fee-schedules.test';
import './health.test';
import './merchant.test';
import './margin.test';
import './prepaid.test';
import './received-limits.test';
import './resolve-payout.test';
import './settlements.test';
import './transfer-proofs.test';
import './zones.test';
