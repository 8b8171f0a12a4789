// Requests and their answers. One suite in a run of all (jest.config.js).
import './agent-texts.test';
import './batch-window.test';
import './cashier-api.test';
import './lifetime.test';
import './uploads.test';
import './envelope.test';
