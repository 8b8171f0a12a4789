import { isEmail } from './email';

/** The request that key holders sign: whom they invite, and why (docs/operators.md). */
export interface BreakGlassRequest {
  readonly environment: 'sandbox' | 'production';
  /** Who is invited, with every built-in role. */
  readonly email: string;
  readonly reason: string;
  readonly askedAt: Date;
}

/** How long a signed request is valid, minutes. */
export const BREAK_GLASS_MINUTES = 60;
/** How many holders must sign. */
export const BREAK_GLASS_HOLDERS = 2;

const FORM =
  /^causeway break-glass\nenvironment: (?<environment>sandbox|production)\ninvite: (?<email>\S+)\nreason: (?<reason>.+)\nasked at: (?<askedAt>\S+)\n$/;

/** The exact text that is signed. */
export const breakGlassText = ({ askedAt, ...r }: BreakGlassRequest): string =>
  `causeway break-glass\nenvironment: ${r.environment}\ninvite: ${r.email}\nreason: ${r.reason}\nasked at: ${askedAt.toISOString()}\n`;

/** Reads a signed request. @throws if it has another form or environment, is too old, or is from the future */
export function readBreakGlass(
  text: string,
  environment: BreakGlassRequest['environment'],
  now: Date,
): BreakGlassRequest {
  const { email = '', reason = '', ...rest } = FORM.exec(text)?.groups ?? {};
  const askedAt = new Date(rest['askedAt'] ?? '');
  const request = { environment, email, reason, askedAt };
  if (!isEmail(email) || Number.isNaN(askedAt.getTime()) || breakGlassText(request) !== text)
    throw new Error(`this is not a request of break-glass:ask in ${environment}`);
  const age = now.getTime() - askedAt.getTime();
  if (age < 0 || age > BREAK_GLASS_MINUTES * 60_000)
    throw new Error(`a request is valid for ${BREAK_GLASS_MINUTES} minutes: ask for a new one`);
  return request;
}
