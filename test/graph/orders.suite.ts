// Orders in the graph: lists, search, matching and credits. One suite when all tests run (jest.config.js).
import './deposit-list.test';
import './deposit-export.test';
import './withdrawal-list.test';
import './withdrawal-plans.test';
import './search.test';
import './order-changes.test';
import './cashier.test';
import './matching.test';
import './reports-at-once.test';
import './hold.test';
import './late-receipts.test';
import './recall.test';
import './moved-deposits.test';
import './routing-rules.test';
import './routing-channels.test';
import './routing-replay.test';
