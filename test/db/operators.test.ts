import { BUILT_IN_ROLES } from '../../domain/permissions';
import { Tenant } from '../support/tenant';

describe('roles in the database', () => {
  let tenant: Tenant;
  beforeAll(async () => {
    tenant = await Tenant.create();
  });
  afterAll(async () => {
    await tenant.close();
  });

  it('equal the built-in ones at first', async () => {
    const rows = await tenant.database.sql<{ name: string; permissions: string[] }[]>`
      select name, permissions from roles where built_in and approve_limits is null`;
    expect(Object.fromEntries(rows.map((row) => [row.name, row.permissions]))).toEqual(BUILT_IN_ROLES);
  });
});
