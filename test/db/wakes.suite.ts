// Wakes, rechecks, volumes and the purge in the database. One suite in a run of all (jest.config.js).
import './channel-wakes.test';
import './channels.test';
import './credit-age.test';
import './month-volumes.test';
import './payout-rechecks.test';
import './payout-references.test';
import './payout-wakes.test';
import './purge.test';
import './billing.test';
