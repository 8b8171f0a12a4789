// Tasks of the roles. One suite in a run of all (jest.config.js).
import './archive.test';
import './erase.test';
import './personal-columns.test';
import './beneficiary-counts.test';
import './listed-beneficiaries.test';
import './sealed-beneficiaries.test';
import './ask-payouts.test';
import './audit-stream.test';
import './break-glass.test';
import './recovery.test';
import './restored-copy.test';
