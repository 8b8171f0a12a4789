// All other statements. One suite when all tests run (jest.config.js).
import './batcher.test';
import './change-requests.test';
import './ids.test';
import './ledger.test';
import './login-throttles.test';
import './opening.test';
import './operators.test';
import './outbox.test';
import './platform-events.test';
import './platform-marker.test';
import './pooler.test';
import './refusals.test';
import './rights.test';
import './tls.test';
import './zones.test';
