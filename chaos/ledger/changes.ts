import { decideChange, insertChange } from '../../db/changes/change-requests';
import type { Transaction } from '../../db/client';
import type { ChangeKind } from '../../domain/change-request';
import type { Money } from '../../domain/money';
import { CURRENCY, type Fixture } from './fixture';

const A_DAY_MS = 86_400_000;

/** Changes that two people agree on. */
export interface Agreement {
  readonly id: string;
  readonly kind: Extract<ChangeKind, 'TOP_UP_BALANCE' | 'ADJUST_BALANCE' | 'RECALL_DEPOSIT'>;
  readonly merchantId: string;
  readonly amount: Money;
  readonly now: Date;
}

/** A change that one person proposes and another approves, in the transaction that carries it out. */
export async function agreeOn(
  tx: Transaction,
  { maker, checker }: Fixture,
  { id, kind, merchantId, amount, now }: Agreement,
): Promise<void> {
  await insertChange(tx, {
    id,
    kind,
    merchantId,
    subjectKind: 'merchant',
    subjectId: merchantId,
    subjectName: 'one of many',
    summary: kind,
    before: {},
    after: {},
    touches: [],
    money: { amount, currencyCode: CURRENCY },
    payload: {},
    basis: null,
    reason: 'chaos',
    evidence: null,
    evidenceLinks: [],
    proposedBy: maker,
    proposedAt: now,
    expiresAt: new Date(now.getTime() + A_DAY_MS),
  });
  const decision = { id, decidedBy: checker, reason: null, alone: null, now };
  await decideChange(tx, { ...decision, status: 'APPLIED' });
}
