import fc from 'fast-check';
import { CHANGE_KINDS } from '../../domain/change-request';
import { type AppliedChange, coolingUntil, openedTheWay } from '../../domain/cooling';

const DAY = 86_400_000;
const now = new Date('2026-03-02T12:00:00Z');
const applied = (change: Partial<AppliedChange> = {}): AppliedChange => ({
  kind: 'ISSUE_API_KEY',
  touches: ['hint'],
  closing: false,
  proposedBy: 'ann',
  approvedBy: 'bob',
  appliedAt: new Date(now.getTime() - 1000),
  ...change,
});
const anyChange: fc.Arbitrary<AppliedChange> = fc.record({
  kind: fc.constantFrom(...CHANGE_KINDS),
  touches: fc.subarray(['callbackHosts', 'defaultCallbackUrl', 'depositFee.THB', 'enabled']),
  closing: fc.boolean(),
  proposedBy: fc.constantFrom('ann', 'bob'),
  approvedBy: fc.constantFrom('bob', 'cy'),
  appliedAt: fc.integer({ min: -3 * DAY, max: 0 }).map((ms) => new Date(now.getTime() + ms)),
});

describe('cooling', () => {
  it.each<[string, Partial<AppliedChange>, boolean]>([
    ['a new key', {}, true],
    ['a rotated key', { kind: 'ROTATE_API_KEY' }, true],
    ['new callback hosts', { kind: 'UPDATE_MERCHANT', touches: ['callbackHosts'] }, true],
    ['other addresses of requests', { kind: 'UPDATE_MERCHANT', touches: ['allowedAddresses'] }, true],
    ['another fee', { kind: 'UPDATE_MERCHANT', touches: ['depositFee.THB'] }, false],
    ['a revoked key', { kind: 'REVOKE_API_KEY', closing: true }, false],
    ['other review rules', { kind: 'PUT_REVIEW_RULES', touches: ['autoApproveUpTo'] }, true],
    ['an allowed beneficiary', { kind: 'LIST_BENEFICIARY' }, true],
    ['a denied beneficiary', { kind: 'LIST_BENEFICIARY', closing: true }, false],
    ['another bank', { kind: 'PUT_BANKS', touches: ['TESTBANK'] }, false],
    ['a top-up', { kind: 'TOP_UP_BALANCE', touches: ['available.THB'] }, false],
  ])('after %s', (_what, change, cools) => {
    const ends = cools ? new Date(now.getTime() - 1000 + DAY) : null;
    expect(coolingUntil([applied(change)], DAY, now)).toEqual(ends);
  });

  it('ends to the millisecond, and does not exist if the period is zero', () => {
    const appliedAt = new Date(now.getTime() - DAY);
    expect(coolingUntil([applied({ appliedAt })], DAY, now)).toBeNull();
    expect(coolingUntil([applied({ appliedAt })], DAY + 1, now)).toEqual(new Date(now.getTime() + 1));
    fc.assert(
      fc.property(fc.array(anyChange), (changes) => {
        expect(coolingUntil(changes, 0, now)).toBeNull();
        expect(openedTheWay('bob', changes, 0, now)).toBe(false);
      }),
      { seed: 14 },
    );
  });

  it('lasts as long as that of the latest sensitive change', () => {
    fc.assert(
      fc.property(fc.array(anyChange, { maxLength: 5 }), (changes) => {
        const each = changes.map((change) => coolingUntil([change], DAY, now)?.getTime() ?? 0);
        const longest = Math.max(0, ...each);
        expect(coolingUntil(changes, DAY, now)?.getTime() ?? 0).toBe(longest);
      }),
      { seed: 14 },
    );
  });
});

/** Independent of the tested table. */
const OPENS: ReadonlySet<string> = new Set([
  ...['ISSUE_API_KEY', 'ROTATE_API_KEY', 'CREATE_MERCHANT', 'UPDATE_MERCHANT'],
  ...['PUT_REVIEW_RULES', 'LIST_BENEFICIARY', 'UNLIST_BENEFICIARY', 'PUT_BANKS'],
  ...['PUT_PAYER_RULES', 'LIST_PAYER', 'UNLIST_PAYER'],
  'PUT_EVENT_ADDRESSES',
  ...[
    'CREATE_CHANNEL',
    'UPDATE_CHANNEL',
    'SET_CHANNEL_ENABLED',
    'CREATE_SETTLEMENT_ACCOUNT',
    'PUT_SETTLEMENT_PLAN',
    'PUT_POOL',
    'PUT_ROUTING_RULES',
    'PUT_CHANNEL_MAPPING',
    'PUT_FEE_SCHEDULE',
    'PUT_COMMISSION_RATE',
    'PUT_PAYER_RULES',
    'LIST_PAYER',
    'UNLIST_PAYER',
  ],
]);

describe('the people behind a sensitive change', () => {
  it('are its proposer and its approver for the cooling period, and no one else', () => {
    fc.assert(
      fc.property(fc.array(anyChange, { maxLength: 5 }), (changes) => {
        for (const person of ['ann', 'bob', 'cy', 'zoe'])
          expect(openedTheWay(person, changes, DAY, now)).toBe(
            changes.some(
              ({ kind, closing, proposedBy, approvedBy, appliedAt }) =>
                OPENS.has(kind) &&
                !closing &&
                [proposedBy, approvedBy].includes(person) &&
                now.getTime() - appliedAt.getTime() < DAY,
            ),
          );
      }),
      { numRuns: 1_000, seed: 14 },
    );
  });
});
