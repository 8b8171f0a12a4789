// What agents, channels and payers send to the public listener. One suite in a run of all (jest.config.js).
import './bank-debits.test';
import './bank-notifications.test';
import './cashier.test';
import './channel-webhooks.test';
import './clock-off.test';
import './credits-late.test';
import './pools.test';
import './accepting.test';
import './shared-limits.test';
