import type { Deposit } from '../simulator/deposits';
import type { Faults } from '../simulator/faults';
import type { Payment } from '../simulator/payments';
import { Simulator } from '../simulator/server';
import type { SharedKey } from '../simulator/signing';
import { onOwnPlatform } from './own-platform';
import type { Platform, Size } from './platform';
import type { CampaignOptions, Outcome } from './outcome';

/** A channel's upstream, and its name with us. */
export interface Upstream extends SharedKey {
  readonly channelCode: string;
  readonly url: string;
}

/** The simulated upstreams of a campaign, each with its own key and its own books. */
export class Upstreams {
  private constructor(
    private readonly simulators: readonly Simulator[],
    readonly all: readonly Upstream[],
  ) {}

  /** @param channelCodes the names of the channels */
  static async listen(channelCodes: readonly string[]): Promise<Upstreams> {
    const keys = channelCodes.map((channelCode) => ({
      channelCode,
      keyId: 'chaos',
      secret: `of ${channelCode} alone`,
    }));
    const simulators = keys.map((key) => new Simulator(key));
    const urls = await Promise.all(simulators.map((simulator) => simulator.listen()));
    return new Upstreams(
      simulators,
      keys.map((key, n) => ({ ...key, url: urls[n] ?? '' })),
    );
  }

  /** Sets the faults of all from now on, and the gateway that gets their messages. */
  misbehave(faults: Partial<Faults>, { gatewayUrls: [gatewayUrl = ''] }: Platform): void {
    for (const [n, simulator] of this.simulators.entries())
      simulator.configure({
        faults,
        webhookUrl: `${gatewayUrl}/channels/${this.all[n]?.channelCode ?? ''}/webhook`,
      });
  }

  /** Every payout that they were requested to make. */
  get payments(): readonly Payment[] {
    return this.simulators.flatMap(({ payments }) => payments.all());
  }

  /** Every deposit that they were requested to open. */
  get deposits(): readonly Deposit[] {
    return this.simulators.flatMap(({ deposits }) => deposits.all());
  }

  /** What the payers of these deposits do: begin to pay, which their channel reports as matched, or pay. */
  payers(does: 'match' | 'pay', those: (deposit: Deposit) => boolean): void {
    for (const simulator of this.simulators)
      for (const deposit of simulator.deposits.all().filter(those))
        if (does === 'match') simulator.move(deposit, 'matched');
        else simulator.payIn(deposit);
  }

  /** Forged messages that the platform accepted. */
  get forgeriesTaken(): number {
    return this.simulators.reduce((sum, { forgeriesTaken }) => sum + forgeriesTaken, 0);
  }

  async close(): Promise<void> {
    await Promise.all(this.simulators.map((simulator) => simulator.close()));
  }
}

const SMALL: Size = { gateways: 1, workers: 1 };

/** Runs `play` with upstreams and a platform of its own, by default a small one. */
export async function withUpstreams(
  channelCodes: readonly string[],
  options: CampaignOptions,
  play: (platform: Platform, upstreams: Upstreams) => Promise<Outcome>,
  size: Size = SMALL,
): Promise<Outcome> {
  const upstreams = await Upstreams.listen(channelCodes);
  try {
    return await onOwnPlatform(options, size, async (platform) => await play(platform, upstreams));
  } finally {
    await upstreams.close();
  }
}
