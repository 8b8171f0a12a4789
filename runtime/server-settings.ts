import envSchema from 'env-schema';
import { Type, type Static } from 'typebox';
import { readTemporalTls, readTls, type Tls } from './tls';

const Text = Type.Optional(Type.String({ minLength: 1 }));

/** The settings of PostgreSQL and Temporal; config.ts has all others. */
export const SERVER_SETTINGS = {
  DATABASE_URL: Type.String({ minLength: 1 }),
  /**
   * TLS to PostgreSQL, with its certificate and name verified; any of the other settings turns it on. Without these
   * settings the sslmode of DATABASE_URL applies. Files are PEM: the authorities to trust (by default those that
   * Node.js knows), our own certificate and its key. SERVER_NAME: the name in the certificate, if it is not that of the
   * address. Production requires true or false for a server that is not on loopback.
   */
  DATABASE_TLS: Type.Optional(Type.Boolean()),
  DATABASE_TLS_CA_FILE: Text,
  DATABASE_TLS_CERT_FILE: Text,
  DATABASE_TLS_KEY_FILE: Text,
  DATABASE_TLS_SERVER_NAME: Text,

  /**
   * Whether DATABASE_URL leads to a pooler in transaction mode, such as pgbouncer: then no statement is prepared, and
   * the database user must have the timeouts (docs/production.md). `migrate` needs an address without a pooler.
   */
  DATABASE_POOLER: Type.Boolean({ default: false }),
  /** Connections of one process: for single statements, for transactions, for operators' lists; and two more. */
  DATABASE_CONNECTIONS: Type.Integer({ minimum: 1, default: 16 }),
  DATABASE_TRANSACTIONS: Type.Integer({ minimum: 1, default: 8 }),
  DATABASE_READERS: Type.Integer({ minimum: 1, default: 4 }),

  TEMPORAL_ADDRESS: Type.String({ default: '127.0.0.1:7233' }),
  TEMPORAL_NAMESPACE: Type.String({ default: 'default' }),
  /** TLS to Temporal, with the same meanings. */
  TEMPORAL_TLS: Type.Optional(Type.Boolean()),
  TEMPORAL_TLS_CA_FILE: Text,
  TEMPORAL_TLS_CERT_FILE: Text,
  TEMPORAL_TLS_KEY_FILE: Text,
  TEMPORAL_TLS_SERVER_NAME: Text,
  /** Sent to Temporal with each call, for example for Temporal Cloud; only over TLS, which it turns on. */
  TEMPORAL_API_KEY: Text,
};

const Settings = Type.Object(SERVER_SETTINGS);
type ServerSettings = Static<typeof Settings>;

/** PostgreSQL, as openDatabase takes it. */
export interface DatabaseSettings {
  readonly url: string;
  /** False: without TLS. Null: as the URL says. */
  readonly tls: Tls | false | null;
  readonly pooler: boolean;
  readonly max: number;
  readonly transactions: number;
  readonly readers: number;
}

/** Temporal, as its client takes it. */
export interface TemporalSettings {
  /** host:port */
  readonly address: string;
  readonly namespace: string;
  /** Null: without TLS. */
  readonly tls: Tls | null;
  readonly apiKey: string | null;
}

/** @throws with the setting's name if one is wrong */
export const databaseOf = (s: ServerSettings): DatabaseSettings => ({
  url: s.DATABASE_URL,
  tls: readTls('DATABASE', s),
  pooler: s.DATABASE_POOLER,
  max: s.DATABASE_CONNECTIONS,
  transactions: s.DATABASE_TRANSACTIONS,
  readers: s.DATABASE_READERS,
});

/** @throws with the setting's name if one is wrong */
export const temporalOf = (s: ServerSettings): TemporalSettings => ({
  address: s.TEMPORAL_ADDRESS,
  namespace: s.TEMPORAL_NAMESPACE,
  tls: readTemporalTls(s) || null,
  apiKey: s.TEMPORAL_API_KEY ?? null,
});

/**
 * The settings of a database for programs that need no other setting.
 * @param url its address
 * @throws with the setting's name if one is wrong
 */
export const readDatabase = (env: NodeJS.ProcessEnv, url: string): DatabaseSettings =>
  databaseOf(
    envSchema<ServerSettings>({
      schema: Settings,
      dotenv: false,
      data: { ...env, DATABASE_URL: url },
    }),
  );
