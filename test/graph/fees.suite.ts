// Fees, settlements, and what is reported to merchants and operators. One suite in a run of all (jest.config.js).
import './billing.test';
import './commission-payments.test';
import './commissions.test';
import './fee-schedules.test';
import './margin.test';
import './prepaid.test';
import './settlement-plans.test';
import './settlements.test';
import './zones.test';
import './platform-events.test';
import './callback-endpoints.test';
import './alerts.test';
