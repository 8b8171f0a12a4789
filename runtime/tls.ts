import { readFileSync } from 'node:fs';

/** How a connection to a server is encrypted. The server's certificate and its name are always verified. */
export interface Tls {
  /** Authorities that are trusted, PEM. Null: those that Node.js knows. */
  readonly ca: Buffer | null;
  /** Our own certificate and key for the server, PEM. */
  readonly client: { readonly cert: Buffer; readonly key: Buffer } | null;
  /** The name that the server's certificate must have. Null: that of the address. */
  readonly serverName: string | null;
}

type TextSetting = 'TLS_CA_FILE' | 'TLS_CERT_FILE' | 'TLS_KEY_FILE' | 'TLS_SERVER_NAME';
/** The settings of a server's TLS; its name is their first word. */
type Named<Server extends string> = Readonly<
  Partial<Record<`${Server}_TLS`, boolean> & Record<`${Server}_${TextSetting}`, string>>
>;

/** TLS with all defaults. */
const PLAINLY: Tls = { ca: null, client: null, serverName: null };

/**
 * Reads the settings and the files that they name. Any of them turns TLS on.
 * @param server the first word of the settings' names, such as DATABASE
 * @returns false if it is switched off, null if nothing is set
 * @throws with the setting's name if settings contradict each other or a file cannot be read
 */
export function readTls<Server extends string>(server: Server, settings: Named<Server>): Tls | false | null {
  const given = settings as Readonly<Record<string, string | boolean | undefined>>;
  const isOn = given[`${server}_TLS`] as boolean | undefined;
  const text = (name: TextSetting): string | undefined => given[`${server}_${name}`] as string | undefined;
  const file = (name: TextSetting): Buffer | null => readPem(`${server}_${name}`, text(name));
  const [cert, key] = [file('TLS_CERT_FILE'), file('TLS_KEY_FILE')];
  if ((cert === null) !== (key === null))
    throw new Error(`${server}_TLS_CERT_FILE and ${server}_TLS_KEY_FILE must both be set`);
  const ca = file('TLS_CA_FILE');
  const serverName = text('TLS_SERVER_NAME') ?? null;
  const isDetailed = [ca, cert, serverName].some((detail) => detail !== null);
  if (isOn === false && isDetailed) throw new Error(`${server}_TLS=false contradicts the other ${server}_TLS settings`);
  if (isDetailed) return { ca, client: cert && key && { cert, key }, serverName };
  if (isOn === undefined) return null;
  return isOn && PLAINLY;
}

/** TLS to Temporal. An api key turns it on. @throws as above, and if an api key would be sent without TLS */
export function readTemporalTls(
  settings: Named<'TEMPORAL'> & { readonly TEMPORAL_API_KEY?: string },
): Tls | false | null {
  const tls = readTls('TEMPORAL', settings);
  if (settings.TEMPORAL_API_KEY === undefined) return tls;
  if (tls === false) throw new Error('TEMPORAL_TLS=false: TEMPORAL_API_KEY is sent only over TLS');
  return tls ?? PLAINLY;
}

/** @throws if the file cannot be read or is not PEM */
function readPem(setting: string, file: string | undefined): Buffer | null {
  if (file === undefined) return null;
  let text: Buffer;
  try {
    text = readFileSync(file);
  } catch (cause) {
    throw new Error(`${setting}: ${file} cannot be read`, { cause });
  }
  if (!text.includes('-----BEGIN ')) throw new Error(`${setting}: ${file} must be PEM`);
  return text;
}
