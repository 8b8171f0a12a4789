// Signatures, look-up, sealing and tokens. One suite in a run of all (jest.config.js).
import './audit-signer.test';
import './blind-index.test';
import './ed25519.test';
import './hmac.test';
import './key-ring.test';
import './key-settings.test';
import './lookup.test';
import './md5.test';
import './seal.test';
import './sealed-names.test';
import './tokens.test';
import './totp.test';
