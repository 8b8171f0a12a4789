// Lists of orders, exports, the search, routing and holds. One suite in a run of all (jest.config.js).
import './deposit-list.test';
import './deposit-export.test';
import './withdrawal-list.test';
import './withdrawal-plans.test';
import './search.test';
import './routing-replay.test';
import './routing-rules.test';
import './routing-channels.test';
import './hold.test';
import './moved-deposits.test';
