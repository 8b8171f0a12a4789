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
