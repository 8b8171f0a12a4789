import { setTimeout as sleep } from 'node:timers/promises';

/** A service that holds the key of keys: our keys are stored wrapped by it, and only it can unwrap them. */
export interface Kms {
  /** @returns what may be stored; only this service opens it */
  readonly wrap: (key: Buffer) => Promise<string>;
  /** @throws if the service refuses, or does not answer in time */
  readonly unwrap: (wrapped: string) => Promise<Buffer>;
}

/** The address of Vault's transit engine, and our credentials. */
export interface VaultSettings {
  /** Such as https://vault.example.com:8200. */
  readonly address: string;
  readonly token: string;
  /** The transit key that wraps ours. */
  readonly key: string;
  /** Where the engine is mounted. */
  readonly mount: string;
  /** Milliseconds for one answer. */
  readonly timeoutMs?: number;
  /** Milliseconds before each retry; their number is the number of retries. */
  readonly pausesMs?: readonly number[];
}

/** The prefix of Vault's ciphertexts. */
export const VAULT_PREFIX = 'vault:';

/** Vault is sealed, restarts or is busy: retry. Any other status is an answer. */
const isPassing = (status: number): boolean => status === 429 || status >= 500;

/** Wraps keys by HashiCorp Vault's transit engine, over its HTTP API. */
export function vaultTransit({
  address,
  token,
  key,
  mount,
  timeoutMs = 5_000,
  pausesMs = [250, 500, 1_000, 2_000, 4_000],
}: VaultSettings): Kms {
  /** One request. @returns the field of its answer; null if it should be retried. @throws if it is refused */
  async function once(action: string, body: object, field: string): Promise<string | null> {
    const url = `${address.replace(/\/$/, '')}/v1/${mount}/${action}/${encodeURIComponent(key)}`;
    let status: number;
    let text: string;
    try {
      const answer = await fetch(url, {
        method: 'POST',
        headers: { 'X-Vault-Token': token, 'Content-Type': 'application/json' },
        body: JSON.stringify(body),
        redirect: 'error',
        signal: AbortSignal.timeout(timeoutMs),
      });
      status = answer.status;
      text = await answer.text();
    } catch {
      return null;
    }
    if (isPassing(status)) return null;
    // The answer itself is not shown: it may hold a key.
    if (status !== 200) throw new Error(`the KMS refuses to ${action} with ${key}: HTTP ${status}`);
    const value = fieldOf(text, field);
    if (value === undefined) throw new Error(`the KMS answered ${action} without ${field}`);
    return value;
  }

  async function ask(action: string, body: object, field: string): Promise<string> {
    for (const pause of [...pausesMs, null]) {
      const value = await once(action, body, field);
      if (value !== null) return value;
      if (pause !== null) await sleep(pause);
    }
    throw new Error(`the KMS at ${address} does not answer`);
  }

  return {
    wrap: async (plain) => await ask('encrypt', { plaintext: plain.toString('base64') }, 'ciphertext'),
    unwrap: async (wrapped) => Buffer.from(await ask('decrypt', { ciphertext: wrapped }, 'plaintext'), 'base64'),
  };
}

function fieldOf(text: string, field: string): string | undefined {
  try {
    const { data } = JSON.parse(text) as { readonly data?: Readonly<Record<string, unknown>> };
    const value = data?.[field];
    return typeof value === 'string' ? value : undefined;
  } catch {
    return undefined;
  }
}
