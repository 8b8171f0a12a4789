/** The cookies of the calling browser: of its session, and of the device. */
export interface BrowserSession {
  /** The origin of the calling page: one of ours. */
  readonly origin: string;
  readonly device: string | undefined;
  readonly know: (device: string, seconds: number) => void;
  readonly keep: (token: string, seconds: number) => void;
  readonly drop: () => void;
}

/** The origin of a request, as far as it is known. */
export interface Origin {
  readonly address: string | null;
  readonly userAgent: string | null;
}

/** The origin of a request from within the process. */
export const INSIDE: Origin = { address: null, userAgent: null };
