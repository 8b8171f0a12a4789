// Signatures, look-up, sealing and tokens. One suite in a run of all (jest.config.js).
import './hmac.test';
import './lookup.test';
import './md5.test';
import './seal.test';
import './tokens.test';
import './totp.test';
