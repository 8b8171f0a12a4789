/** `deposit_completed` and `WAITING_RETRY` as words: "Deposit completed", "Waiting retry". */
export function inWords(name: string): string {
  const text = name
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .replace(/[_.]/g, ' ')
    .toLowerCase();
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** Fields that allow more where nothing is set. */
const OPEN_WHERE_UNSET: Readonly<Record<string, string>> = {
  merchantIds: 'all merchants',
  accountIds: 'all accounts',
  approveLimits: 'no limit',
  quietHours: 'none',
};

/** The meaning of an empty field of a change, for the approver: "no limit". */
export const unsetInWords = (field: string): string =>
  OPEN_WHERE_UNSET[field] ??
  (/^(min|max)|limit|ceiling|(orders|amount)$/i.test(field) ? 'no limit' : 'not set');

/** "1 deposit", "3 deposits". */
export const count = (n: number, one: string, many = `${one}s`): string =>
  `${String(n)} ${n === 1 ? one : many}`;

/** Indents JSON; returns any other text unchanged. */
export function prettyJson(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
