import { Field, InputType } from 'type-graphql';
import * as db from '../../db/platform/finding-list';
import type { FindingKind } from '../../domain/recovery';
import { BY_ID, connectionOf, sortEnum } from '../connection';
import { listResolver } from '../list-resolver';
import { RecoveryFinding, RecoveryFindingKindEnum } from './recovery';

@InputType({ description: 'Filter of findings. All given conditions must hold.' })
export class RecoveryFindingFilter implements db.FindingFilter {
  @Field(() => [RecoveryFindingKindEnum], { nullable: true, description: 'One of these.' })
  kind?: FindingKind[] | null;
}

export const RecoveryFindingListResolver = listResolver('recoveryFindings', {
  description: 'What the recovery that goes on, or else the last one, found out; the newest first.',
  connection: connectionOf(RecoveryFinding, 'RecoveryFinding'),
  sort: sortEnum('RecoveryFindingSort', { FOUND_AT: 'By when it was found out' }),
  defaultSort: 'FOUND_AT_DESC',
  filter: RecoveryFindingFilter,
  sorts: db.FINDING_SORTS,
  id: BY_ID,
  read: db.listFindings,
  count: db.countListedFindings,
});
