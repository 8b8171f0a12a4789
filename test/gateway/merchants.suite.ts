// The merchants' REST API. One suite in a run of all (jest.config.js).
import './arrival.test';
import './deposits.test';
import './keys.test';
import './limits.test';
import './merchant-rate.test';
import './merchant-settings.test';
import './openapi.test';
import './order-of-checks.test';
import './cashier-network.test';
import './owner-links.test';
import './payers.test';
import './signing-keys.test';
import './signing-vectors.test';
import './tenants.test';
import './withdrawals.test';
