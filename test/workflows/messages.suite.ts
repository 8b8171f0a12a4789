// Mails, events of the platform and the purge. One suite in a run of all (jest.config.js).
import './mail-delivery.test';
import './platform-events.test';
import './sandbox-purge.test';
