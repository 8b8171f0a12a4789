// Files, locks and ports of this machine. One suite in a run of all (jest.config.js).
import './cache.test';
import './dockerfile.test';
import './failpoint-folder.test';
import './loaded-by.test';
import './lock.test';
import './node.test';
import './persisted.test';
import './ports.test';
import './processes.test';
import './role-environment.test';
import './v8-options.test';
import '../support/places.test';
import '../support/run-folder.test';
