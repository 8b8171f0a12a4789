import { issueWarrant } from '../../domain/authority/issue';
import { stepOfKind } from '../../domain/authority/table';
import type { Warrant } from '../../domain/authority/warrant';
import type { ChangeKind } from '../../domain/change-request';
import type { Needs } from '../context';
import { rowOfChange } from '../authority/row';

/** The warrant to apply an approved change. @throws AUTHORIZATION_ERROR if its step has no row */
export function warrantOfChange(context: Needs<'authority'>, kind: ChangeKind): Warrant {
  rowOfChange(context, kind);
  return issueWarrant(stepOfKind(kind));
}
