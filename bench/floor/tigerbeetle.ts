import { execFileSync } from 'node:child_process';
import { createRequire } from 'node:module';
import path from 'node:path';
import { freePort } from '../../local/ports';
import type { Watched } from '../cpu';
import { type Accounts, type Amounts, minorUnits, type PeerLedger, transfersOf } from './peer-ledger';
import { listens, peerFolder, type PeerServer, startPeer } from './peer-server';

/** What is used of the package tigerbeetle-node. */
interface Package {
  createClient(options: { cluster_id: bigint; replica_addresses: readonly string[] }): Client;
  readonly id: () => bigint;
  readonly CreateAccountStatus: { readonly created: number };
  readonly CreateTransferStatus: { readonly created: number };
  readonly TransferFlags: { readonly linked: number };
}

interface Client {
  createAccounts(accounts: readonly object[]): Promise<readonly Result[]>;
  createTransfers(transfers: readonly object[]): Promise<readonly Result[]>;
  destroy(): void;
}

interface Result {
  readonly status: number;
}

/** Numbers of ours: what the accounts are in, and what accounts and transfers are for. */
const KIND = { ledger: 1, code: 1 };
const NO_USER_DATA = { user_data_128: 0n, user_data_64: 0n, user_data_32: 0 };
const NEW_ACCOUNT = {
  debits_pending: 0n,
  debits_posted: 0n,
  credits_pending: 0n,
  credits_posted: 0n,
  ...KIND,
  ...NO_USER_DATA,
  reserved: 0,
  flags: 0,
  timestamp: 0n,
};
const NEW_TRANSFER = { ...KIND, ...NO_USER_DATA, pending_id: 0n, timeout: 0, timestamp: 0n };

/**
 * TigerBeetle (github.com/tigerbeetle/tigerbeetle): one replica, with its own settings, on a data file beside the bench's
 * PostgreSQL. A credit is two linked transfers: both or neither. Its client sends what is under way together, so that
 * single credits are batches too.
 *
 * The server: `zig build -Drelease -Dconfig-release=VERSION -Dconfig-release-client-min=OLDEST` in a checkout of the tag
 * VERSION, by the Zig that its zig/download.sh names (PyPI has it: `pip install ziglang==…`); OLDEST as in its build.zig.
 * The client: `npm install tigerbeetle-node@VERSION` in the folder of the server's binary.
 */
export class TigerBeetle implements PeerLedger {
  readonly name = 'TigerBeetle';
  readonly atLeast = undefined;

  private constructor(
    private readonly server: PeerServer,
    private readonly package_: Package,
    private readonly client: Client,
  ) {}

  /** @param binary the server; its folder has the package of the client */
  static async open(folder: string, binary: string): Promise<TigerBeetle> {
    const package_ = createRequire(binary)('tigerbeetle-node') as Package;
    const own = await peerFolder(folder, 'tigerbeetle');
    const file = path.join(own, 'data.tigerbeetle');
    execFileSync(binary, ['format', '--cluster=0', '--replica=0', '--replica-count=1', file], {
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    const port = await freePort();
    const address = `127.0.0.1:${port}`;
    const server = await startPeer(own, {
      name: 'TigerBeetle',
      command: binary,
      args: ['start', `--addresses=${address}`, file],
      isReady: async () => await listens(port),
    });
    const client = package_.createClient({ cluster_id: 0n, replica_addresses: [address] });
    return new TigerBeetle(server, package_, client);
  }

  get watched(): readonly Watched[] {
    return this.server.watched;
  }

  async accounts(merchants: number): Promise<readonly Accounts[]> {
    const { CreateAccountStatus, id } = this.package_;
    const made = Array.from({ length: merchants }, () => ({
      suspense: id(),
      balance: id(),
      fees: id(),
    }));
    const ids = made.flatMap(({ suspense, balance, fees }) => [suspense, balance, fees]);
    mustAllBe(
      CreateAccountStatus.created,
      await this.client.createAccounts(ids.map((account) => ({ ...NEW_ACCOUNT, id: account }))),
      ids.length,
    );
    return made.map(({ suspense, balance, fees }) => ({
      suspense: `${suspense}`,
      balance: `${balance}`,
      fees: `${fees}`,
    }));
  }

  async credit(credited: readonly Accounts[], amounts: Amounts): Promise<void> {
    const { CreateTransferStatus, TransferFlags, id } = this.package_;
    const transfers = credited.flatMap((accounts) =>
      transfersOf(accounts, amounts).map(({ from, to, amount }, n) => ({
        ...NEW_TRANSFER,
        id: id(),
        amount: minorUnits(amount),
        debit_account_id: BigInt(from),
        credit_account_id: BigInt(to),
        // Linked to the next one.
        flags: n === 0 ? TransferFlags.linked : 0,
      })),
    );
    mustAllBe(CreateTransferStatus.created, await this.client.createTransfers(transfers), transfers.length);
  }

  async close(): Promise<void> {
    this.client.destroy();
    await this.server.stop();
  }
}

function mustAllBe(created: number, results: readonly Result[], count: number): void {
  const other = results.find(({ status }) => status !== created);
  if (other || results.length !== count)
    throw new Error(`TigerBeetle made ${results.length} of ${count}: status ${other?.status ?? '-'}`);
}
