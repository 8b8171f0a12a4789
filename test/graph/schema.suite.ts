// The schema as a text, and its guarantees. One suite when all tests run (jest.config.js).
import './described.test';
import './error-codes.test';
import './frozen-schema.test';
import './guards.test';
import './operations.test';
import './outbox.test';
import './outside-operations.test';
import './page.test';
import './roots.test';
import './whole-lists.test';
