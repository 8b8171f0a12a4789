import path from 'node:path';
import type { Size } from '../bench';
import type { Testbed } from '../testbed';
import { Blnk } from './blnk';
import type { PeerLedger } from './peer-ledger';
import { Pgledger } from './pgledger';
import { TigerBeetle } from './tigerbeetle';

/** The ledgers of others that were given. */
export async function openPeers(
  { servers }: Testbed,
  { pgledger, tigerbeetle, blnk }: Size['peers'],
): Promise<readonly PeerLedger[]> {
  const { databaseUrl, folder } = servers;
  const peers: PeerLedger[] = [];
  try {
    if (pgledger !== undefined) peers.push(await Pgledger.open(databaseUrl, path.resolve(pgledger)));
    if (tigerbeetle !== undefined) peers.push(await TigerBeetle.open(folder, path.resolve(tigerbeetle)));
    if (blnk !== undefined) peers.push(...(await Blnk.open(servers, path.resolve(blnk))));
    return peers;
  } catch (error) {
    await closePeers(peers);
    throw error;
  }
}

export async function closePeers(peers: readonly PeerLedger[]): Promise<void> {
  for (const peer of peers) await peer.close();
}
