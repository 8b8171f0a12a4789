import { keepBusy, type Variant } from '../harness';
import { CURRENCY, type Testbed } from '../testbed';
import type { Accounts, Amounts, PeerLedger } from './peer-ledger';

/** Credits of a large request, and such requests at once. */
const BATCH = 50;
const LANES = 2;

/** A ledger of others in a heat. */
export interface PeerVariant extends Variant, Pick<PeerLedger, 'atLeast'> {}

/**
 * Credits in a ledger of others, to merchants who take turns: one a request, and many.
 * @param callers requests of one credit at once
 */
export function peerVariants(
  peer: PeerLedger,
  testbed: Testbed,
  merchants: number,
  callers: number,
  amounts: Amounts,
): PeerVariant[] {
  let turn = 0;
  let accounts: readonly Accounts[] = [];
  const variant = (name: string, requests: number, batch: number): PeerVariant => ({
    name: `${peer.name}, ${name}`,
    atLeast: peer.atLeast,
    watched: [...testbed.servers.own, ...peer.watched],
    prepare: async () => {
      if (accounts.length === 0) accounts = await peer.accounts(merchants, CURRENCY);
      await testbed.settle();
    },
    run: async (seconds) => {
      const { done, ...rest } = await keepBusy(requests, seconds, () => {
        const credited = Array.from({ length: batch }, () => accounts[turn++ % accounts.length]);
        return peer.credit(
          credited.filter((one) => one !== undefined),
          amounts,
        );
      });
      return { done: done * batch, ...rest };
    },
  });
  return [
    variant('one credit a request', callers, 1),
    variant(`${BATCH} credits a request, ${LANES} at once`, LANES, BATCH),
  ];
}
