import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface KeyPair {
  readonly key: string;
  readonly cert: string;
}

/** The files for a TLS test: an authority, two certificates that it signed, and a self-signed one. */
export interface Certificates {
  readonly ca: string;
  readonly localhost: KeyPair;
  readonly otherName: KeyPair;
  readonly selfSigned: KeyPair;
}

const KEY = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-sha256'];

/** Makes them with the openssl command. */
export function makeCertificates(): Certificates {
  const folder = mkdtempSync(join(tmpdir(), 'causeway-certificates-'));
  const file = (name: string): string => join(folder, name);
  const openssl = (...args: string[]): void => {
    execFileSync('openssl', args, { stdio: 'pipe' });
  };
  const pair = (name: string): KeyPair => ({
    key: readFileSync(file(`${name}.key`), 'utf8'),
    cert: readFileSync(file(`${name}.pem`), 'utf8'),
  });
  const names = (host: string): string => `subjectAltName=DNS:${host}`;

  const selfSign = (name: string, host: string): KeyPair => {
    const out = ['-keyout', file(`${name}.key`), '-out', file(`${name}.pem`)];
    const subject = ['-subj', `/CN=${host}`, '-addext', names(host)];
    openssl('req', '-x509', ...KEY, '-days', '2', ...out, ...subject);
    return pair(name);
  };
  const signByAuthority = (name: string, host: string): KeyPair => {
    const out = ['-keyout', file(`${name}.key`), '-out', file(`${name}.csr`)];
    openssl('req', '-new', ...KEY, ...out, '-subj', `/CN=${host}`);
    writeFileSync(file(`${name}.ext`), names(host));
    const authority = ['-CA', file('ca.pem'), '-CAkey', file('ca.key'), '-CAcreateserial'];
    const request = ['-in', file(`${name}.csr`), '-extfile', file(`${name}.ext`)];
    openssl('x509', '-req', '-days', '2', ...request, ...authority, '-out', file(`${name}.pem`));
    return pair(name);
  };

  try {
    return {
      ca: selfSign('ca', 'Causeway test authority').cert,
      localhost: signByAuthority('localhost', 'localhost'),
      otherName: signByAuthority('other', 'receiver.example'),
      selfSigned: selfSign('self', 'localhost'),
    };
  } finally {
    rmSync(folder, { recursive: true });
  }
}
