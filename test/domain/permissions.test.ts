import { money } from '../../domain/money';
import {
  type Authority,
  authorityOf,
  mayApprove,
  type Permission,
  reaches,
  readApproveLimits,
  type Role,
} from '../../domain/permissions';

const role = (permissions: Permission[], limits: Record<string, string> | null = null): Role => ({
  name: 'a role',
  permissions,
  approveLimits: readApproveLimits(limits),
});
const withRoles = (...roles: Role[]): Authority => authorityOf(roles, null);

describe('the powers of an operator', () => {
  it('are the sum of its roles', () => {
    const { permissions } = withRoles(role(['VIEW', 'SUPPORT']), role(['VIEW', 'RECONCILE']));
    expect([...permissions].sort()).toEqual(['RECONCILE', 'SUPPORT', 'VIEW']);
    expect(withRoles().permissions.size).toBe(0);
  });

  it.each([
    ['an amount up to the limit', '100', true],
    ['no amount above the limit', '100.0001', false],
  ])('include the approval of %s', (_what, amount, may) => {
    const clerk = withRoles(role(['APPROVE'], { THB: '100' }));
    expect(mayApprove(clerk, 'THB', money(amount))).toBe(may);
  });

  it('include no approval in a currency without a limit, and none without APPROVE', () => {
    expect(mayApprove(withRoles(role(['APPROVE'], { THB: '100' })), 'INR', money('1'))).toBe(false);
    expect(mayApprove(withRoles(role(['VIEW', 'ADMIN'])), 'THB', money('1'))).toBe(false);
  });

  it('use the widest limit of the roles that may approve', () => {
    const clerk = withRoles(
      role(['APPROVE'], { THB: '100', INR: '5' }),
      role(['APPROVE'], { THB: '50', INR: '10' }),
      role(['VIEW'], null),
    );
    expect(mayApprove(clerk, 'THB', money('100'))).toBe(true);
    expect(mayApprove(clerk, 'INR', money('10'))).toBe(true);
    expect(mayApprove(clerk, 'INR', money('11'))).toBe(false);
    const chief = withRoles(role(['APPROVE'], { THB: '100' }), role(['APPROVE'], null));
    expect(mayApprove(chief, 'VND', money('1000000000'))).toBe(true);
  });

  it('extend to all merchants, or to those to which it is restricted', () => {
    expect(reaches({ merchantIds: null }, 'm1')).toBe(true);
    expect(reaches({ merchantIds: ['m1'] }, 'm1')).toBe(true);
    expect(reaches({ merchantIds: ['m1'] }, 'm2')).toBe(false);
    expect(reaches({ merchantIds: [] }, 'm1')).toBe(false);
  });
});
