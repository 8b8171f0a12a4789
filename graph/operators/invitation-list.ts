import { Field, InputType } from 'type-graphql';
import * as db from '../../db/operators/invitation-list';
import { BY_ID, connectionOf, sortEnum } from '../connection';
import { listResolver } from '../list-resolver';
import { Invitation, shownInvitation } from './invitation';

@InputType({ description: 'Filter of invitations. All given conditions must hold.' })
export class InvitationFilter implements db.InvitationFilter {
  @Field(() => String, {
    nullable: true,
    description: 'Exactly this address, in upper or lower case.',
  })
  email?: string | null;

  @Field(() => Boolean, {
    nullable: true,
    description: 'True: can still be accepted. False: was accepted or revoked, or has expired.',
  })
  open?: boolean | null;
}

export const InvitationListResolver = listResolver('invitations', {
  description: 'The invitations, the newest first by default.',
  role: 'ADMIN',
  connection: connectionOf(Invitation, 'Invitation'),
  sort: sortEnum('InvitationSort', { CREATED_AT: 'By when they were mailed first' }),
  defaultSort: 'CREATED_AT_DESC',
  filter: InvitationFilter,
  sorts: db.INVITATION_SORTS,
  id: BY_ID,
  read: async (database, filter: db.InvitationFilter, page, now) => {
    const { rows, ...place } = await db.listInvitations(database, filter, page, now);
    return { ...place, rows: rows.map(shownInvitation) };
  },
  count: db.countInvitations,
});
