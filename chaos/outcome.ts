import type { Verdict } from './verdict';

/** The options of a campaign. */
export interface CampaignOptions {
  readonly orders: number;
  readonly seed: number;
  /** The campaign's own folder; it is emptied first. */
  readonly folder: string;
  readonly env: NodeJS.ProcessEnv;
  readonly say: (line: string) => void;
  /** Ends the campaign early. */
  readonly signal: AbortSignal;
}

/** The result of a campaign. */
export interface Outcome {
  /** `orders=N double=0 lost=0 stuck=0` */
  readonly line: string;
  readonly good: boolean;
}

/** The result over so many orders: good if nothing was found and nothing was breached. */
export const outcomeOf = (orders: number, { double, lost, stuck }: Verdict, breaches: readonly string[]): Outcome => ({
  line: `orders=${orders} double=${double.length} lost=${lost.length} stuck=${stuck.length}`,
  good: double.length + lost.length + stuck.length + breaches.length === 0,
});
