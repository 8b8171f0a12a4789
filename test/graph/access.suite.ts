// Authorization in the graph, and the audit log. One suite when all tests run (jest.config.js).
import './actor-info.test';
import './audit.test';
import './authorization.test';
import './browser.test';
import './clock-off.test';
import './idempotent.test';
import './insider.test';
import './malformed-input.test';
import './public-answers.test';
import './two-people.test';
import './errors.test';
import './guard.test';
