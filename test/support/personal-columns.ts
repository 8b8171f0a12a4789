import { readFileSync } from 'node:fs';
import path from 'node:path';

/** The columns of PostgreSQL that may hold a secret or personal value in clear. No other place may. */
export const CLEAR: Readonly<Record<string, readonly string[]>> = {
  'bank_accounts.account_no': ['managed account'],
  'bank_accounts.account_holder': ['managed holder'],
  // An approver must see the account, and so must a later reader of the change.
  'change_requests.subject_name': ['managed account', 'listed payer', 'listed beneficiary'],
  'change_requests.summary': [
    ...['managed account', 'managed holder', 'payee name', 'listed payer', 'listed beneficiary'],
  ],
  'change_requests.after': [
    ...['managed account', 'managed holder', 'payee name', 'payee account'],
    ...['listed payer', 'listed beneficiary'],
  ],
  // It names people only by the change in which they occur.
  'audit_log.after': ['managed account', 'managed holder'],
  'deposit_orders.payment_snapshot': ['managed account', 'managed holder'],
  // The signature over a callback, which five attempts share.
  'notification_logs.signature': ['callback signature'],
  'payment_claims.reference': ['claimed reference'],
  'payment_claims.reference_key': ['claimed reference'],
};

const PAGE = path.join(__dirname, '..', '..', 'docs', 'personal-data.md');

/** The columns that docs/personal-data.md says are kept so, in order of their names. */
const columnsOf = (wanted: string): string[] =>
  readFileSync(PAGE, 'utf8')
    .split('\n')
    .flatMap((line) => {
      const [, columns = '', , state = ''] = line.split('|').map((cell) => cell.trim());
      if (state !== wanted) return [];
      return [...columns.matchAll(/`([a-z_]+\.[a-z_0-9]+)`/g)].map(([, column = '']) => column);
    })
    .sort();

/** Those in clear. */
export const clearColumns = (): string[] => columnsOf('clear');

/** Those that need the ring of keys. */
export const sealedColumns = (): string[] => columnsOf('sealed');
