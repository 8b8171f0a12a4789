import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';

const sha256 = (data: Buffer | string): Buffer => createHash('sha256').update(data).digest();
const text = (value: string): Buffer => Buffer.concat([Buffer.from([0x60 + value.length]), Buffer.from(value)]);
const bytes = (value: Buffer): Buffer =>
  Buffer.concat([
    value.length < 256 ? Buffer.from([0x58, value.length]) : Buffer.from([0x59, value.length >> 8, value.length & 255]),
    value,
  ]);

const PRESENT = 0x01;
const WITH_CREDENTIAL = 0x40;

/** What a page and its browser add to what a device signs. */
export interface AskedBy {
  readonly challenge: string;
  readonly rpId: string;
  readonly origin: string;
}

const clientData = (type: string, { challenge, origin }: AskedBy): Buffer =>
  Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }));

/** A security key with one passkey, as WebAuthn has it (ES256, attestation `none`). */
export class Authenticator {
  readonly id = randomBytes(32);
  private readonly publicKey: KeyObject;
  private readonly privateKey: KeyObject;
  /** The signature counter of its next answer. */
  counter = 1;

  constructor() {
    const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    this.publicKey = publicKey;
    this.privateKey = privateKey;
  }

  private authenticatorData(rpId: string, flags: number): Buffer {
    const counter = Buffer.alloc(4);
    counter.writeUInt32BE(this.counter++);
    return Buffer.concat([sha256(rpId), Buffer.from([flags]), counter]);
  }

  /** The public key in COSE: EC2, ES256, P-256. */
  private cose(): Buffer {
    const { x = '', y = '' } = this.publicKey.export({ format: 'jwk' });
    return Buffer.concat([
      Buffer.from('a5010203262001215820', 'hex'),
      Buffer.from(x, 'base64url'),
      Buffer.from('225820', 'hex'),
      Buffer.from(y, 'base64url'),
    ]);
  }

  /** Makes its passkey for a page. */
  create(by: AskedBy): Record<'id' | 'clientDataJSON' | 'attestationObject', string> & {
    transports: string[];
  } {
    const length = Buffer.from([0, this.id.length]);
    const data = Buffer.concat([
      this.authenticatorData(by.rpId, PRESENT | WITH_CREDENTIAL),
      ...[Buffer.alloc(16), length, this.id, this.cose()],
    ]);
    const attestation = Buffer.concat([
      Buffer.from([0xa3]),
      ...[text('fmt'), text('none')],
      ...[text('attStmt'), Buffer.from([0xa0])],
      ...[text('authData'), bytes(data)],
    ]);
    return {
      id: this.id.toString('base64url'),
      clientDataJSON: clientData('webauthn.create', by).toString('base64url'),
      attestationObject: attestation.toString('base64url'),
      transports: ['usb'],
    };
  }

  /** Signs a challenge for a page. */
  get(by: AskedBy): Record<'id' | 'clientDataJSON' | 'authenticatorData' | 'signature', string> {
    const data = this.authenticatorData(by.rpId, PRESENT);
    const client = clientData('webauthn.get', by);
    const signature = sign('sha256', Buffer.concat([data, sha256(client)]), this.privateKey);
    return {
      id: this.id.toString('base64url'),
      clientDataJSON: client.toString('base64url'),
      authenticatorData: data.toString('base64url'),
      signature: signature.toString('base64url'),
    };
  }
}
