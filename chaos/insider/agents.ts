import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto';

/** What an agent signs with: its own key pair, as production requires. */
export interface AgentLogin {
  readonly keyId: string;
  readonly privateKey: KeyObject;
}

/** An agent to propose, and the key pair whose private key only it has. */
export function newAgent(
  label: string,
  accountId: string,
  maxTransferAmount = '9999999',
): {
  readonly input: Record<string, unknown> & { readonly ownerEmail: string };
  readonly publicKey: string;
  readonly privateKey: KeyObject;
} {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  return {
    input: {
      label,
      accountIds: [accountId],
      maxTransferAmount,
      maxDailyAmount: '99999999',
      ownerEmail: `${label}@agents.example`,
    },
    publicKey: publicKey.export({ format: 'der', type: 'spki' }).toString('base64'),
    privateKey,
  };
}

/** The headers of a report. */
export function signedBy(
  { keyId, privateKey }: AgentLogin,
  timestamp: string,
  nonce: string,
  body: string,
): Record<string, string> {
  const signature = sign(null, Buffer.from(`${timestamp}.${nonce}.${body}`), privateKey);
  return {
    'x-agent-key': keyId,
    'x-agent-timestamp': timestamp,
    'x-agent-nonce': nonce,
    'x-agent-signature': signature.toString('base64'),
  };
}
