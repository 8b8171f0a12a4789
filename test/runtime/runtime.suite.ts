// What every role runs on. One suite in a run of all (jest.config.js).
import './client-address.test';
import './cookies.test';
import './draining.test';
import './failpoints.test';
import './log.test';
import './metrics-listener.test';
import './role-clock.test';
import './secret-settings.test';
import './tracing.test';
