/** Whether a payer's browser may be sent there. @param allowInsecure http too: in a sandbox */
export function isPaymentUrl(text: string, allowInsecure: boolean): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, username, password } = new URL(text);
  const known = protocol === 'https:' || (allowInsecure && protocol === 'http:');
  return known && username === '' && password === '';
}
