// Operators, their requests and their views. One suite when all tests run (jest.config.js).
import './channel-mappings.test';
import './evidence.test';
import './identity.test';
import './numbered-stream.test';
import './operator-changes.test';
import './orders.test';
import './outage.test';
import './passkeys.test';
import './platform-health.test';
import './security-alerts.test';
import './single-sign-on.test';
import './audit-busy.test';
