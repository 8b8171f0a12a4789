/**
 * A name of code in lower-case words: `WAITING_RETRY` and `canWithdraw` are "waiting retry" and "can withdraw",
 * `limits.THB` is "limits THB", with the code of the currency (ISO 4217) as it is.
 */
export const words = (name: string): string =>
  name
    .split('.')
    .map((part, n) =>
      n > 0 && /^[A-Z]{3}$/.test(part)
        ? part
        : part
            .replace(/([a-z])([A-Z])/g, '$1 $2')
            .replace(/_/g, ' ')
            .toLowerCase(),
    )
    .join(' ');
