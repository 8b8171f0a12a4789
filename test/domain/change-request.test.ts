import fc from 'fast-check';
import {
  canonical,
  type ChangeCase,
  CHANGE_STATUSES,
  type Decider,
  difference,
  type Plain,
  problemOfApproval,
  problemOfRejection,
  problemOfWithdrawal,
  type Settings,
  statusAt,
  SUBJECT_KINDS,
} from '../../domain/change-request';
import { money } from '../../domain/money';
import { PERMISSIONS } from '../../domain/permissions';

const now = new Date('2026-03-01T12:00:00Z');
const people = fc.constantFrom('ann', 'bob', 'cy');
const merchants = fc.constantFrom('m1', 'm2');
const amounts = fc.integer({ min: -2_000, max: 2_000 }).map((n) => money(String(n)));

const changes: fc.Arbitrary<ChangeCase> = fc.record({
  status: fc.constantFrom(...CHANGE_STATUSES),
  proposedBy: people,
  expiresAt: fc.integer({ min: -5, max: 5 }).map((n) => new Date(now.getTime() + n * 1000)),
  subjectKind: fc.constantFrom(...SUBJECT_KINDS),
  subjectId: fc.constantFrom('ann', 'bob', 'reviewers'),
  merchantId: fc.option(merchants),
  money: fc.option(fc.record({ currencyCode: fc.constantFrom('THB', 'USD'), amount: amounts })),
});
const deciders: fc.Arbitrary<Decider> = fc.record({
  id: people,
  via: fc.constantFrom('session', 'token'),
  roles: fc.subarray(['reviewers', 'others']),
  permissions: fc.subarray([...PERMISSIONS]).map((list) => new Set(list)),
  approveLimits: fc.option(fc.record({ THB: fc.constant(money('1000')) })),
  merchantIds: fc.option(fc.subarray(['m1', 'm2'])),
});

describe('the approver of a change', () => {
  it('is another person with a login, the permission, the merchants and the limit, while the change is open', () => {
    fc.assert(
      fc.property(changes, deciders, fc.boolean(), (change, decider, alone) => {
        const allowed = problemOfApproval(change, decider, alone, now) === null;
        const amount = change.money?.amount.abs();
        const limit = decider.approveLimits;
        const expected =
          change.status === 'PROPOSED' &&
          change.expiresAt > now &&
          decider.via === 'session' &&
          decider.permissions.has('APPROVE') &&
          (decider.merchantIds === null || decider.merchantIds.some((id) => id === change.merchantId)) &&
          (alone ||
            (change.proposedBy !== decider.id &&
              !(change.subjectKind === 'operator' && change.subjectId === decider.id) &&
              !(change.subjectKind === 'role' && decider.roles.includes(change.subjectId)))) &&
          (amount === undefined || limit === null || (change.money?.currencyCode === 'THB' && amount.lte(1000)));
        expect(allowed).toBe(expected);
      }),
      { numRuns: 2_000, seed: 15 },
    );
  });

  it('is never its proposer or an API token', () => {
    fc.assert(
      fc.property(changes, deciders, (change, decider) => {
        const own = { ...decider, id: change.proposedBy };
        expect(problemOfApproval(change, own, false, now)).not.toBeNull();
        const token = { ...decider, via: 'token' as const };
        expect(problemOfApproval(change, token, true, now)?.kind).toBe('AUTHORIZATION_ERROR');
      }),
      { seed: 15 },
    );
  });

  it('refuses a decided change with its outcome', () => {
    const [decider] = fc.sample(deciders, 1);
    const able: Decider = {
      ...(decider as Decider),
      id: 'zoe',
      via: 'session',
      roles: [],
      approveLimits: null,
      merchantIds: null,
      permissions: new Set(['APPROVE']),
    };
    const change: ChangeCase = {
      status: 'APPLIED',
      proposedBy: 'ann',
      expiresAt: new Date(now.getTime() + 1),
      subjectKind: 'merchant',
      subjectId: 'm1',
      merchantId: 'm1',
      money: null,
    };
    expect(problemOfApproval(change, able, false, now)).toMatchObject({
      kind: 'CONFLICT',
      message: 'the change was already approved and applied',
    });
    const late = { ...change, status: 'PROPOSED' as const, expiresAt: now };
    expect(problemOfApproval(late, able, false, now)?.message).toBe('the change has expired');
    expect(statusAt(late, now)).toBe('EXPIRED');
  });
});

describe('ending a change without effect', () => {
  it('means that others reject it and its proposer withdraws it, never the reverse', () => {
    fc.assert(
      fc.property(changes, deciders, (change, decider) => {
        const own = change.proposedBy === decider.id;
        if (problemOfRejection(change, decider, now) === null) expect(own).toBe(false);
        const withdraws = problemOfWithdrawal(change, decider.id, now) === null;
        expect(withdraws).toBe(own && statusAt(change, now) === 'PROPOSED');
      }),
      { seed: 15 },
    );
  });
});

const plain: fc.Arbitrary<Plain> = fc.jsonValue({ maxDepth: 3 }) as fc.Arbitrary<Plain>;
const settings = fc.dictionary(fc.constantFrom('a', 'b', 'c', 'd.e'), plain);

/** The same data, with the keys in reverse order. */
function reversed(value: Plain): Plain {
  if (Array.isArray(value)) return value.map((one) => reversed(one as Plain));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([key, one]) => [key, reversed(one)]),
  );
}

describe('the differences of a change', () => {
  it('do not depend on the order of keys, and survive a round trip through JSON', () => {
    fc.assert(
      fc.property(plain, (value) => {
        expect(canonical(reversed(value))).toBe(canonical(value));
        expect(canonical(JSON.parse(JSON.stringify(value)) as Plain)).toBe(canonical(value));
      }),
      { seed: 15 },
    );
  });

  it('are exactly the fields that differ', () => {
    fc.assert(
      fc.property(settings, settings, (before, after) => {
        const found = difference(before, after);
        const at = (state: Settings, field: string): string => canonical(state[field] ?? null);
        for (const field of ['a', 'b', 'c', 'd.e'])
          expect(found.fields.includes(field)).toBe(at(before, field) !== at(after, field));
        expect(Object.keys(found.after).sort()).toEqual(found.fields);
        expect(difference(after, after).fields).toEqual([]);
      }),
      { seed: 15 },
    );
  });
});
