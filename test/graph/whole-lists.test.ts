import { execute, parse } from 'graphql';
import { uuidv7 } from 'uuidv7';
import type { Transaction } from '../../db/client';
import { contextFor } from '../../graph';
import { Tenant } from '../support/tenant';

/** More rows than the former limit of any list. */
const ROWS = 501;

interface Page {
  readonly nodes: readonly Record<string, unknown>[];
  readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null };
}

/** A list, the key of its rows, and how to add a row beyond those of a fresh database. */
const LISTS: Readonly<
  Record<
    string,
    {
      readonly selects: string;
      readonly filter: string;
      readonly insert: (tx: Transaction, now: Date) => Promise<unknown>;
    }
  >
> = {
  listedBeneficiaries: {
    selects: 'bankCode accountNo list',
    filter: '{ list: [DENY], bankCode: ["TESTBANK"] }',
    insert: async (tx, now) =>
      await tx`
        insert into listed_beneficiaries (id, bank_code, account_no, account_key, list, reason, created_at)
        select gen_random_uuid(), 'TESTBANK', n::text, n::text, 'DENY', 'test', ${now}::timestamptz
        from generate_series(1, ${ROWS}) n`,
  },
  listedPayers: {
    selects: 'list trait value',
    filter: '{ list: [WATCH], trait: [USER] }',
    insert: async (tx, now) =>
      await tx`
        insert into listed_payers (id, list, trait, value, key, reason, created_at)
        select gen_random_uuid(), 'WATCH', 'USER', n::text, n::text, 'test', ${now}::timestamptz
        from generate_series(1, ${ROWS}) n`,
  },
  operators: {
    selects: 'login roles',
    filter: '{ loginPrefix: "somebody-", disabled: false }',
    insert: async (tx, now) =>
      await tx`
        insert into operators (id, login, password_hash, created_at)
        select gen_random_uuid(), 'somebody-' || n, 'x', ${now}::timestamptz
        from generate_series(1, ${ROWS}) n`,
  },
  invitations: {
    selects: 'email roles mails { id }',
    filter: '{ open: true }',
    insert: async (tx, now) =>
      await tx`
        insert into operator_links (id, purpose, token_hash, email, roles, created_at, expires_at)
        select gen_random_uuid(), 'INVITE', n::text, n || '@example.com', '{view}', ${now}::timestamptz,
          ${now}::timestamptz + interval '3 days'
        from generate_series(1, ${ROWS}) n`,
  },
  roles: {
    selects: 'name permissions approveLimits { amount }',
    filter: '{ builtIn: false, permission: [VIEW] }',
    insert: async (tx) =>
      await tx`
        insert into roles (name, permissions, built_in)
        select 'clerk-' || n, '{VIEW}', false from generate_series(1, ${ROWS}) n`,
  },
  trialBalance: {
    selects: 'account currencyCode balance',
    filter: '{ accountPrefix: "bank:", currencyCode: ["THB"], kind: [BANK] }',
    insert: async (tx, now) => {
      const id = uuidv7();
      await tx`
        insert into ledger_transfers (id, type, key, currency_code, at)
        values (${id}, 'BALANCE_ADJUSTMENT', ${`balance-adjustment:${id}`}, 'THB', ${now})`;
      await tx`
        insert into ledger_entries (transfer_id, line, account, currency_code, amount)
        select ${id}::uuid, n, 'bank:' || gen_random_uuid(), 'THB', -1
        from generate_series(1, ${ROWS}) n
        union all select ${id}::uuid, 0, 'suspense', 'THB', ${ROWS}`;
    },
  },
};

describe('lists that formerly ended after 500 rows', () => {
  let tenant: Tenant;
  beforeAll(async () => {
    tenant = await Tenant.create();
    await tenant.database.transaction(async (tx) => {
      for (const { insert } of Object.values(LISTS)) await insert(tx, new Date());
    });
  });
  afterAll(async () => {
    await tenant.close();
  });

  async function ask<Answer>(text: string): Promise<Answer> {
    const { data, errors } = await execute({
      schema: tenant.graph.operatorSchema,
      document: parse(text),
      contextValue: contextFor(tenant.graph.core, tenant.operator),
    });
    expect(errors).toBeUndefined();
    return data as Answer;
  }

  it.each(Object.entries(LISTS))('%s is read to its end', async (name, { selects, filter }) => {
    const seen = new Set<string>();
    const sizes: number[] = [];
    let after: string | null = null;
    do {
      const args: string = `first: 200, after: ${JSON.stringify(after)}, filter: ${filter}`;
      const { [name]: page } = await ask<Record<string, Page>>(
        `{ ${name}(${args}) { nodes { ${selects} } pageInfo { hasNextPage endCursor } } }`,
      );
      if (!page) throw new Error(`no ${name}`);
      for (const node of page.nodes) seen.add(JSON.stringify(node));
      sizes.push(page.nodes.length);
      after = page.pageInfo.hasNextPage ? page.pageInfo.endCursor : null;
    } while (after !== null);
    expect(sizes).toEqual([200, 200, ROWS - 400]);
    expect(seen.size).toBe(ROWS);
    const counted = await ask(`{ ${name}(filter: ${filter}) { countUpTo(max: 1000) } }`);
    expect(counted).toEqual({ [name]: { countUpTo: ROWS } });
  });

  it.each(Object.entries(LISTS))('%s is read back from its end', async (name, { filter }) => {
    const whole = await ask<Record<string, Page>>(
      `{ ${name}(last: 200, filter: ${filter}) { nodes { __typename } pageInfo { hasPreviousPage } } }`,
    );
    expect(whole[name]?.nodes).toHaveLength(200);
    expect(whole[name]?.pageInfo).toEqual({ hasPreviousPage: true });
  });

  it('hides the platform’s lists from restricted operators', async () => {
    const merchant = await tenant.merchant();
    const actor = tenant.operatorWith(['VIEW', 'ADMIN'], [merchant.id]);
    for (const name of ['operators', 'invitations', 'roles', 'trialBalance']) {
      const { errors } = await execute({
        schema: tenant.graph.operatorSchema,
        document: parse(`{ ${name} { nodes { __typename } } }`),
        contextValue: contextFor(tenant.graph.core, actor),
      });
      expect([name, errors?.[0]?.originalError]).toMatchObject([name, { kind: 'AUTHORIZATION_ERROR' }]);
    }
  });
});
