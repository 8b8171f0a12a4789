import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { FastifyInstance } from 'fastify';
import {
  buildSchema,
  getNamedType,
  type GraphQLField,
  type GraphQLInputType,
  isEnumType,
  isInputObjectType,
  isLeafType,
  isListType,
  isNonNullType,
  parse,
} from 'graphql';
import pino from 'pino';
import { createAuditSigner } from '../../crypto/audit-signer';
import { ANONYMOUS, type Actor } from '../../steps/access/actor';
import { appendAudit, auditDigest, entryOfNobody } from '../../db/audit/audit-log';
import { buildGraphServer } from '../../graph/server';
import { OperatorClient } from '../../local/operator-client';
import { Tenant } from '../support/tenant';
import { verifyAudit } from '../../steps/audit/verify-audit';

const silent = pino({ level: 'silent' });
const mutationsOf = (file: string): [string, GraphQLField<unknown, unknown>][] => {
  const sdl = readFileSync(path.join(__dirname, '..', '..', file), 'utf8');
  return Object.entries(buildSchema(sdl).getMutationType()?.getFields() ?? {});
};
/** All mutations, including the gateway's, which refuse an operator. */
const mutations = [
  ...new Map(['gateway/generated/schema.graphql', 'docs/schema.graphql'].flatMap(mutationsOf)).values(),
];

/** A literal that fits a type. Most name no existing row, so most mutations are refused. */
function literal(type: GraphQLInputType): string {
  if (isNonNullType(type)) return literal(type.ofType);
  if (isListType(type)) return `[${literal(type.ofType)}]`;
  if (isEnumType(type)) return type.getValues()[0]?.name ?? '';
  if (isInputObjectType(type)) {
    const fields = Object.values(type.getFields()).map((f) => `${f.name}: ${literal(f.type)}`);
    return `{${fields.join(', ')}}`;
  }
  switch (type.name) {
    case 'Int':
      return '1';
    case 'JSONObject':
      return '{ a: "b" }';
    case 'Boolean':
      return 'true';
    case 'Decimal':
      return '"1"';
    case 'DateTime':
      return '"2026-01-02T03:04:05.678Z"';
    default:
      return '"01a1fe29-2b6c-748b-933b-47745b676f88"';
  }
}

interface Row {
  seq: string;
  action: string;
  outcome: string;
  reason: string | null;
  login: string | null;
  subject: string | null;
  address: string | null;
  userAgent: string | null;
  after: unknown;
}

describe('the audit log', () => {
  let tenant: Tenant;
  let app: FastifyInstance;
  let url: string;

  beforeAll(async () => {
    tenant = await Tenant.create();
    app = await buildGraphServer(tenant.graph, silent);
    url = `${await app.listen({ port: 0, host: '127.0.0.1' })}/graphql`;
  });
  afterAll(async () => {
    await app.close();
    await tenant.close();
  });

  const rows = async (): Promise<Row[]> => await tenant.database.sql<Row[]>`select * from audit_log order by seq`;
  const since = async (work: () => Promise<unknown>): Promise<Row[]> => {
    const before = (await rows()).length;
    await work();
    return (await rows()).slice(before);
  };
  const verify = async () => await verifyAudit(tenant.database, tenant.graph.core.signer);
  const run = async (text: string, actor: Actor): Promise<unknown> =>
    await tenant.graph.execute(parse(text), {}, actor, silent).catch((error: unknown) => error);

  it('has one row for every mutation of an operator, for any outcome', async () => {
    let refused = 0;
    for (const { name, args, type } of mutations) {
      const values = args.map((arg) => `${arg.name}: ${literal(arg.type)}`).join(', ');
      const selection = isLeafType(getNamedType(type)) ? '' : '{ __typename }';
      const text = `mutation { ${name}${values === '' ? '' : `(${values})`} ${selection} }`;
      const noted = await since(async () => await run(text, tenant.operator));
      expect([name, noted.map(({ action }) => action)]).toEqual([name, [name]]);
      if (noted[0]?.outcome !== 'OK') refused++;
    }
    expect((await verify()).faults).toEqual([]);
    process.stdout.write(`audit: mutations=${mutations.length} noted=all refused=${refused}\n`);
  });

  it('records a change in its own transaction: neither exists without the other', async () => {
    const account = await tenant.account();
    await tenant.database.sql`
      alter table audit_log add constraint full_disk check (reason is distinct from 'full disk')`;
    const pause = { id: account, status: 'PAUSED', reason: 'full disk' };
    await expect(tenant.operate('SetBankAccountStatus', pause)).rejects.toBeDefined();
    await tenant.database.sql`alter table audit_log drop constraint full_disk`;
    const [row] = await tenant.database.sql`select status from bank_accounts where id = ${account}`;
    expect(row).toEqual({ status: 'ACTIVE' });
    expect((await verify()).faults).toEqual([]);
  });

  it('records the operator, the origin and the outcome of a login, never the password', async () => {
    const login = async (name: string, password: string): Promise<unknown> =>
      await fetch(url, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'user-agent': 'a test' },
        body: JSON.stringify({
          query: `mutation { login(login: "${name}", password: "${password}") { expiresAt } }`,
        }),
      });
    const noted = await since(async () => {
      await login('admin', 'a password of the tests');
      await login('admin', 'secret-that-is-wrong');
      await login('my-password-by-mistake', 'secret-that-is-wrong');
    });
    const here = { action: 'login', address: '127.0.0.1', userAgent: 'a test' };
    expect(noted).toMatchObject([
      { ...here, login: 'admin', outcome: 'OK' },
      { ...here, login: 'admin', outcome: 'UNAUTHENTICATED' },
      { ...here, login: null, outcome: 'UNAUTHENTICATED' },
    ]);
    expect(JSON.stringify(await rows())).not.toMatch(/of the tests|is-wrong|by-mistake/);
  });

  it('contains no secret', async () => {
    const { id, apiKey } = await tenant.merchant();
    const accountIds = [await tenant.account()];
    const { secret } = await tenant.operate<{ secret: string }>('CreateAgentKey', {
      reason: 'test',
      input: { label: 'agent', accountIds },
    });
    const rotated = await tenant.operate<{ apiKey: string }>('RotateApiKey', {
      merchantId: id,
      reason: 'test',
    });
    const [changes] = await tenant.database.sql<{ all: string }[]>`
      select string_agg(to_jsonb(c)::text, '') as all from change_requests c`;
    const sealed = await tenant.database.sql<{ sealed: string }[]>`
      select sealed_key as sealed from api_keys union all select sealed_secret from agent_keys`;
    const shown = JSON.stringify(await rows()) + (changes?.all ?? '');
    for (const hidden of [apiKey, secret, rotated.apiKey, ...sealed.map((one) => one.sealed)])
      expect(shown).not.toContain(hidden);
  });

  it('has no rows of merchants and anonymous callers', async () => {
    const merchant = await tenant.merchant();
    const noted = await since(async () => {
      await tenant.deposit(merchant);
      await run('mutation { logout { ok } }', ANONYMOUS);
    });
    expect(noted).toEqual([]);
  });

  it('chains concurrent actions without a gap', async () => {
    const ids = await Promise.all(Array.from({ length: 5 }, async () => await tenant.account()));
    await Promise.all(
      ids.map(async (id) => {
        await tenant.operate('SetBankAccountStatus', { id, status: 'PAUSED', reason: 'test' });
      }),
    );
    const all = await rows();
    expect(all.map(({ seq }) => seq)).toEqual(all.map((_row, n) => String(n + 1)));
    expect((await verify()).faults).toEqual([]);
  });

  it('gets no text that cannot be stored', async () => {
    const { id: m } = await tenant.merchant();
    const bearer = await new OperatorClient(url).run<{ token: string }>('Login', {
      login: 'admin',
      password: 'a password of the tests',
    });
    const noted = await since(async () => {
      const answer = await fetch(url, {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: `Bearer ${bearer.token}` },
        body: JSON.stringify({
          query:
            'mutation($m:ID!,$r:String!){topUpBalance(merchantId:$m,currencyCode:"USD",amount:"1",reason:$r,evidence:{text:"x"}){change{id status}}}',
          variables: { m, r: 'a\ud800b' },
        }),
      });
      expect(answer.status).toBe(400);
      expect(await answer.json()).toMatchObject({
        errors: [
          {
            message: 'r: malformed text: it must not contain NUL characters or lone surrogates',
            extensions: { code: 'VALIDATION_ERROR', field: 'r', reason: 'MALFORMED' },
          },
        ],
      });
    });
    expect(noted).toEqual([]);
    // In process too, where no listener is in front.
    const rejected = await tenant.operate('RejectChange', { id: m, reason: '\udc00' }).catch((error: unknown) => error);
    expect(rejected).toMatchObject({ kind: 'INVALID_FIELD', detail: { field: 'reason' } });
    expect((await verify()).faults).toEqual([]);
  });

  it('cuts no character of a long reason in two', async () => {
    const { id } = await tenant.merchant();
    const reader = await tenant.person('reader', ['view']);
    const noted = await since(async () => {
      await expect(
        tenant.operate('RejectChange', { id, reason: `${'a'.repeat(255)}😀` }, reader),
      ).rejects.toBeDefined();
    });
    expect(noted).toMatchObject([{ reason: 'a'.repeat(255) }]);
    expect((await verify()).faults).toEqual([]);
  });

  it.each([
    ['decomposed', 'Ame\u0301lie'],
    ['no character', '\ufffe\uffff'],
    ['a line separator', 'a\u2028b\u2029c'],
    ['a mark of the byte order', '\ufeffa'],
    ['a control character', 'a\tb\u0001\u007f'],
    ['outside the first plane', '😀\u{10ffff}'],
    ['replaced by the database', 'a\ud800b\udc00'],
  ])('has the hash of what was stored, of a text that is %s', async (_what, text) => {
    const { signer } = tenant.graph.core;
    const well = Buffer.from(text).toString();
    await tenant.database.transaction(async (tx) => {
      const entry = entryOfNobody({
        at: new Date(),
        action: 'test',
        subject: text,
        reason: text,
        traceId: text,
        after: { [well]: [well, 1e21, -0, 0.1, 5e-324], b: { z: null, a: true } },
      });
      await appendAudit(tx, entry, auditDigest(signer.sign));
    });
    expect((await rows()).at(-1)).toMatchObject({ subject: well, reason: well });
    expect((await verify()).faults).toEqual([]);
  });

  it('refuses every change of its rows', async () => {
    const { sql } = tenant.database;
    await expect(sql`update audit_log set reason = 'x'`).rejects.toMatchObject({ code: 'CW001' });
    await expect(sql`delete from audit_log`).rejects.toMatchObject({ code: 'CW001' });
    await expect(sql`truncate audit_log`).rejects.toMatchObject({ code: 'CW001' });
  });

  it('is searched by ADMIN, newest first', async () => {
    const id = await tenant.account();
    await tenant.operate('SetBankAccountStatus', { id, status: 'PAUSED', reason: 'look here' });
    const search = async (filter: object, actor?: Actor): Promise<{ nodes: Row[] }> =>
      await tenant.operate('AuditLog', { filter }, actor);
    const subject = `bank_account:${id}`;
    expect((await search({ subject })).nodes).toMatchObject([
      { action: 'setBankAccountStatus', reason: 'look here', after: { status: 'PAUSED' } },
      { action: 'createBankAccount' },
    ]);
    expect((await search({ subject, action: ['createBankAccount'] })).nodes).toHaveLength(1);
    expect((await search({ subject, outcome: ['CONFLICT'] })).nodes).toEqual([]);
    expect((await search({ subject, at: { to: '2020-01-01T00:00:00Z' } })).nodes).toEqual([]);
    const viewer = await tenant.person('viewer', ['view', 'configure', 'approve']);
    await expect(search({}, viewer)).rejects.toMatchObject({ kind: 'AUTHORIZATION_ERROR' });
  });

  describe('after tampering by the database’s owner', () => {
    /** Makes a change that the triggers forbid, verifies, and restores all rows. */
    async function tampered(statements: string): Promise<string[]> {
      const asOwner = async (text: string): Promise<void> => {
        await tenant.database.transaction(async (tx) => {
          await tx.unsafe(`set local session_replication_role = replica; ${text}`);
        });
      };
      await asOwner('create table kept as select * from audit_log; create table top as select * from audit_head');
      try {
        await asOwner(statements);
        return (await verify()).faults.map(({ subject, problem }) => `${subject}: ${problem}`);
      } finally {
        await asOwner(`
          delete from audit_log; insert into audit_log select * from kept; drop table kept;
          delete from audit_head; insert into audit_head select * from top; drop table top`);
      }
    }
    const FORGED = `insert into audit_log (seq, id, at, action, outcome, trace_id, hash)
      select max(seq) + 1, uuidv7(), now(), 'login', 'OK', 'x', repeat('0', 64) from audit_log`;

    it('verifies again after each restore', async () => {
      await tenant.account();
      const { faults, rows: count } = await verify();
      expect(faults).toEqual([]);
      expect(count).toBeGreaterThan(10n);
    });

    it.each([
      ['a reason', `update audit_log set reason = 'another' where seq = 3`],
      ['an operator', `update audit_log set operator_id = null, login = null where seq = 3`],
      ['a time', `update audit_log set at = at + interval '1 hour' where seq = 3`],
      ['a state after the change', `update audit_log set after = '{"harmless": true}' where seq = 3`],
      ['an outcome', `update audit_log set outcome = 'CONFLICT' || outcome where seq = 3`],
    ])('reports %s that was changed', async (_what, statement) => {
      const [fault, ...others] = await tampered(statement);
      expect(fault).toMatch(/^row 3 \(.*changed$/);
      expect(others).toEqual([]);
    });

    it('reports a changed row with a recomputed hash', async () => {
      const [fault] = await tampered(
        `update audit_log set reason = 'another', hash = encode(sha256('guess'), 'hex') where seq = 3`,
      );
      expect(fault).toMatch(/^row 3 /);
    });

    it('reports removed rows, in the middle and at the end', async () => {
      expect(await tampered('delete from audit_log where seq in (4, 5)')).toEqual(['rows 4 to 5: missing']);
      const last = (await verify()).rows;
      expect(await tampered(`delete from audit_log where seq = ${last}`)).toEqual([`row ${last}: missing`]);
    });

    it('reports an inserted row', async () => {
      const next = (await verify()).rows + 1n;
      const found = await tampered(FORGED);
      expect(found[0]).toMatch(new RegExp(`^row ${next} \\(login by nobody known`));
      const withHead = `${FORGED}; update audit_head set seq = seq + 1, hash = repeat('0', 64)`;
      expect((await tampered(withHead))[0]).toMatch(new RegExp(`^row ${next} `));
    });

    it('lists rows whose key is missing as not proven, not as tampered with', async () => {
      const { rows } = await verify();
      const another = createAuditSigner({ own: [randomBytes(32)], lookup: null });
      expect((await verifyAudit(tenant.database, another)).faults).toEqual([
        {
          subject: `${rows} rows from 1 to ${rows}`,
          problem: expect.stringContaining('CAUSEWAY_LOOKUP_KEY, which was not given') as string,
        },
      ]);
    });

    it('reports a cut-off end, by a row recorded earlier', async () => {
      const { signer } = tenant.graph.core;
      const { rows: seq, hash } = await verify();
      const asked = async (noted: { seq: bigint; hash: string }): Promise<string[]> =>
        (await verifyAudit(tenant.database, signer, noted)).faults.map(({ subject }) => subject);
      expect(await asked({ seq, hash })).toEqual([]);
      expect(await asked({ seq: seq + 1n, hash })).toEqual([`row ${seq + 1n}`]);
      expect(await asked({ seq, hash: hash.replace(/^./, (c) => (c === '0' ? '1' : '0')) })).toEqual([
        expect.stringMatching(new RegExp(`^row ${seq} `)),
      ]);
    });

    it('reports two swapped rows', async () => {
      const found = await tampered(`
        update audit_log set seq = -1 where seq = 4; update audit_log set seq = 4 where seq = 5;
        update audit_log set seq = 5 where seq = -1`);
      expect(found.map((one) => one.slice(0, 5))).toEqual(expect.arrayContaining(['row 4', 'row 5']));
    });
  });
});
