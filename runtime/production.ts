import { proxiesOf, trustsStrangers } from './client-address';
import { readTemporalTls, readTls } from './tls';

/** The settings that production checks. */
type JudgedSettings = Parameters<typeof readTemporalTls>[0] &
  Parameters<typeof readTls<'DATABASE'>>[1] & {
    readonly CASHIER_URL?: string;
    readonly CAUSEWAY_FAILPOINTS?: string;
    readonly CONSOLE_URL?: string;
    readonly COOLING_HOURS?: number;
    readonly DATABASE_URL: string;
    readonly MARKER_FOLDER?: string;
    readonly ONE_PERSON_CHANGES?: boolean;
    readonly SANDBOX_APPROVERS?: string;
    readonly SANDBOX_MAILS?: string;
    readonly SANDBOX_PURGE_DAYS?: number;
    readonly SMTP_URL?: string;
    readonly TEMPORAL_ADDRESS: string;
    readonly TRUSTED_PROXIES?: string;
    readonly WEBHOOK_SSL_VERIFY: boolean;
  };

/** @throws with the setting's name if production must not start with these settings */
export function refuseUnsafe(settings: JudgedSettings): void {
  for (const [isUnsafe, why] of [
    [
      !settings.WEBHOOK_SSL_VERIFY,
      'WEBHOOK_SSL_VERIFY=false is allowed only in a sandbox: production verifies certificates',
    ],
    [
      settings.SANDBOX_MAILS !== undefined,
      'SANDBOX_MAILS is allowed only in a sandbox: production sends mails to their recipients',
    ],
    [
      settings.SMTP_URL === undefined || settings.CONSOLE_URL === undefined,
      'production requires SMTP_URL and CONSOLE_URL: operators are invited by mail',
    ],
    [settings.CASHIER_URL === undefined, 'production requires CASHIER_URL: payers are sent there'],
    [
      settings.MARKER_FOLDER === undefined,
      'production requires MARKER_FOLDER: by it a database is recognised that was restored',
    ],
    [
      settings.SANDBOX_PURGE_DAYS !== undefined,
      'SANDBOX_PURGE_DAYS is allowed only in a sandbox: production keeps its books',
    ],
    [
      settings.SANDBOX_APPROVERS !== undefined,
      'SANDBOX_APPROVERS is allowed only in a sandbox: production invites people',
    ],
    [
      settings.ONE_PERSON_CHANGES === true,
      'ONE_PERSON_CHANGES is allowed only in a sandbox: production always takes two people',
    ],
    [
      settings.CAUSEWAY_FAILPOINTS !== undefined,
      'CAUSEWAY_FAILPOINTS is allowed only in a sandbox: production never rehearses failures',
    ],
    [
      settings.COOLING_HOURS === 0,
      'COOLING_HOURS=0 is allowed only in a sandbox: in production new keys and rules cool',
    ],
    [
      settings.TRUSTED_PROXIES === undefined,
      'production requires TRUSTED_PROXIES: limits and the audit log need the addresses of clients',
    ],
    [
      trustsAll(settings.TRUSTED_PROXIES),
      'TRUSTED_PROXIES names networks that are not yours: their clients could each write the address that limits and the audit log use',
    ],
    [
      readTls('DATABASE', settings) === null && !isHere(settings.DATABASE_URL) && !verifies(settings.DATABASE_URL),
      'production requires DATABASE_TLS: true, or false where something else encrypts the connections',
    ],
    [
      readTemporalTls(settings) === null && !isHere(`tcp://${settings.TEMPORAL_ADDRESS}`),
      'production requires TEMPORAL_TLS: true, or false where something else encrypts the connections',
    ],
  ] as const)
    if (isUnsafe) throw new Error(why);
}

/**
 * Before anything is sent: keys come from Vault, and logins from a provider, by the client that this variable weakens.
 * @throws if production would not verify certificates
 */
export function refuseUnverified(env: NodeJS.ProcessEnv): void {
  if (env['CAUSEWAY_ENV'] === 'production' && env['NODE_TLS_REJECT_UNAUTHORIZED'] === '0')
    throw new Error('NODE_TLS_REJECT_UNAUTHORIZED=0 is allowed only in a sandbox: production verifies certificates');
}

/** @throws with the setting's name for what is no address and no network */
function trustsAll(setting: string | undefined): boolean {
  try {
    return setting !== undefined && trustsStrangers(proxiesOf(setting));
  } catch (cause) {
    throw new Error(`TRUSTED_PROXIES: ${(cause as Error).message}`, { cause });
  }
}

/** Whether the server is on this machine's loopback. */
const isHere = (url: string): boolean => /^(localhost|127(\.\d+){3}|\[::1\])$/.test(urlOf(url)?.hostname ?? '');

const verifies = (url: string): boolean => urlOf(url)?.searchParams.get('sslmode') === 'verify-full';

/** Null if it has several hosts. */
function urlOf(text: string): URL | null {
  try {
    return new URL(text);
  } catch {
    return null;
  }
}
