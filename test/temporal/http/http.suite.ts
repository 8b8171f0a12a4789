// Outgoing requests. One suite in a run of all (jest.config.js).
import './connections.test';
import './kept-body.test';
import './lanes.test';
import './notices.test';
import './targets.test';
