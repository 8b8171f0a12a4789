import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { inWords } from '../../format/words';
import type { AlertRowFragment } from '../../generated/operations';

/** The subject of an alert, as far as the alert names it. */
type About = Readonly<Record<string, string | null | undefined>>;

/** Its page. */
function placeOf(about: About): string | null {
  const { endpoint, orderNo, transferId, debitId, accountId, deviceId, changeId } = about;
  if (endpoint) return '/callbacks';
  if (orderNo?.startsWith('D')) return `/deposits/${orderNo}`;
  if (orderNo?.startsWith('W')) return `/withdrawals/${orderNo}`;
  if (transferId) return `/unmatched?open=${transferId}`;
  if (debitId) return '/debits';
  if (accountId) return `/accounts?open=${accountId}`;
  if (deviceId) return '/accounts?tab=texts';
  if (changeId) return `/changes/${changeId}`;
  return null;
}

function nameOf(about: About): string {
  const { orderNo, transferId, debitId, accountId, channelCode, orders, overdue } = about;
  const { endpoint, count, device, changeId, operator, login, address } = about;
  if (endpoint) return `${endpoint} (${count ?? '1'})`;
  if (orderNo) return orderNo;
  if (channelCode) return `Channel ${channelCode}`;
  if (transferId) return 'Bank credit';
  if (debitId) return 'Bank debit';
  if (accountId) return 'Account';
  if (device) return device;
  if (changeId) return 'Change request';
  if (operator) return operator;
  if (address) return [login, address].filter(Boolean).join(' from ');
  return overdue ? `${orders ?? 'Some'} of ${inWords(overdue).toLowerCase()}` : '–';
}

/** A link to an alert's subject. */
export function About({ alert }: { alert: AlertRowFragment }): ReactNode {
  const about = alert.about as About;
  const to = placeOf(about);
  const name = nameOf(about);
  return to === null ? name : <Link to={to}>{name}</Link>;
}

/** The alert's reason. */
export const reasonOf = ({ about }: AlertRowFragment): string | null => (about as About)['reason'] ?? null;
