// Orders in the graph: matching and credits. One suite in a run of all (jest.config.js).
import './order-changes.test';
import './cashier.test';
import './matching.test';
import './reports-at-once.test';
import './late-receipts.test';
import './recall.test';
