// Merchants, accounts, channels and payers in the graph. One suite in a run of all (jest.config.js).
import './account-limits.test';
import './bank-debits.test';
import './bank-references.test';
import '../steps/bare-picture.test';
import './channel-limits.test';
import './channels.test';
import './health.test';
import './merchant.test';
import './erase-person.test';
import './payer-counts.test';
import './payers.test';
import './personal.test';
import './received-limits.test';
import './resolve-payout.test';
import './transfer-proofs.test';
