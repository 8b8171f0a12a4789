import {
  execute,
  getNamedType,
  type GraphQLError,
  type GraphQLField,
  type GraphQLInputType,
  type GraphQLObjectType,
  isEnumType,
  isInputObjectType,
  isLeafType,
  isListType,
  isNonNullType,
  isObjectType,
  isRequiredArgument,
  isRequiredInputField,
  parse,
} from 'graphql';
import { CatalogueError } from '../../domain/errors';
import { depositCredit } from '../../domain/ledger';
import { money } from '../../domain/money';
import { BUILT_IN_ROLES, type Permission, PERMISSIONS } from '../../domain/permissions';
import { creditDeposit } from '../../db/deposits/credits';
import { contextFor } from '../../graph';
import type { Role } from '../../graph/access/authorization';
import type { Actor } from '../../steps/access/actor';
import type { GraphContext } from '../../graph/context';
import { accessOfField } from '../../graph/access/guard';
import { Tenant, type TestMerchant } from '../support/tenant';

type Field = GraphQLField<unknown, GraphContext>;

/** A caller and its expected permissions, independent of the tested code. */
interface Asker {
  readonly name: string;
  readonly actor: Actor;
  readonly roles: ReadonlySet<Role>;
  readonly restricted: boolean;
}

/** Ids and numbers of one merchant, for the walk's arguments. */
interface World {
  readonly ids: readonly string[];
  readonly orderNos: readonly string[];
  readonly merchantId: string;
}

/** A marker in every text of the other merchant. */
const FOREIGN = 'FOREIGNMARK';

/** What no token may do where two people are required. */
const MONEY: readonly Permission[] = ['RECONCILE', 'TREASURER', 'CONFIGURE', 'APPROVE', 'ADMIN'];

/** How deep the walk follows objects within objects. */
const DEPTH = 4;

describe('a walk of the whole schema', () => {
  let tenant: Tenant;
  let own: World;
  let foreign: World;
  let askers: Asker[];

  beforeAll(async () => {
    tenant = await Tenant.create();
    const account = await tenant.account();
    own = await build('OWN', account);
    foreign = await build(FOREIGN, account);
    const roles: [string, readonly Permission[]][] = [
      ...Object.entries(BUILT_IN_ROLES),
      ['all', PERMISSIONS],
      ['none', []],
    ];
    const merchant = await tenant.merchant();
    askers = [
      ...roles.flatMap(([name, permissions]) =>
        [null, [own.merchantId]].map((merchantIds): Asker => ({
          name: merchantIds ? `${name}, restricted` : name,
          actor: tenant.operatorWith(permissions, merchantIds),
          roles: new Set<Role>([...permissions, 'OPERATOR', 'PERSON', 'ANYONE']),
          restricted: merchantIds !== null,
        })),
      ),
      {
        name: 'anonymous',
        actor: { kind: 'anonymous' },
        roles: new Set<Role>(['ANYONE']),
        restricted: false,
      },
      {
        name: 'merchant',
        actor: merchant.actor,
        roles: new Set<Role>(['MERCHANT', 'DEPOSITOR', 'ANYONE']),
        restricted: true,
      },
    ];
  });
  afterAll(async () => {
    process.stdout.write(`fields=${visited.size} roles=${askers.length} leaks=${found.length}\n`);
    await tenant.close();
  });

  /** A merchant with a row of every kind; each text has its marker. */
  async function build(mark: string, account: string): Promise<World> {
    const {
      id,
      actor,
      apiKey: _key,
      merchantCode,
    } = await tenant.merchant({
      defaultCallbackUrl: `https://${mark.toLowerCase()}.example/`,
      notifyDepositCancelled: true,
    });
    await tenant.database.sql`
      update merchants set name = ${mark}, merchant_code = ${`${mark}-code`} where id = ${id}`;
    const merchant: TestMerchant = { id, actor, apiKey: '', merchantCode };
    const make = async (): Promise<{ orderNo: string; expectedRemark: string; id: string }> => {
      const deposit = await tenant.deposit(merchant, {
        userId: mark,
        merchantOrderNo: `${mark}-${Math.random()}`,
        callbackUrl: `http://127.0.0.1:9/${mark}`,
      });
      const [row] = await tenant.database.sql<{ id: string }[]>`
        select id from deposit_orders where order_no = ${deposit.orderNo}`;
      return { ...deposit, id: row?.id ?? '' };
    };
    const [pending, matched, cancelled] = [await make(), await make(), await make()];
    const { transfer } = await tenant.notify({
      accountId: account,
      memo: `${matched.expectedRemark} ${mark}`,
      payerName: mark,
    });
    const unmatched = await tenant.notify({ accountId: account, memo: FOREIGN, amount: '7.00' });
    const { debit } = await tenant.operate<{ debit: { id: string } }>('RecordBankDebit', {
      input: {
        accountId: account,
        amount: '3.00',
        currencyCode: 'THB',
        memo: FOREIGN,
        payeeName: mark,
        bankTime: new Date().toISOString(),
      },
    });
    await creditDeposit(tenant.database, {
      depositId: matched.id,
      merchantId: id,
      actual: money('100'),
      fee: money('1.5'),
      postings: depositCredit(id, money('100'), money('1.5')),
      callbackBody: JSON.stringify({ mark }),
      now: new Date(Date.now() + 1_000),
    });
    await tenant.operate('CancelDeposit', { orderNo: cancelled.orderNo, reason: 'walk' });
    const { sql } = tenant.database;
    const many = async (rows: Promise<{ id: string }[]>): Promise<string[]> => (await rows).map((row) => row.id);
    return {
      merchantId: id,
      orderNos: [pending, matched, cancelled].map(({ orderNo }) => orderNo),
      ids: [
        id,
        ...[pending.id, matched.id, cancelled.id, transfer.id, unmatched.transfer.id, account],
        debit.id,
        ...(await many(sql`select id from notification_logs where merchant_id = ${id}`)),
        ...(await many(sql`select id from api_keys where merchant_id = ${id}`)),
      ],
    };
  }

  const rootType = (name: string): GraphQLObjectType => {
    const type = tenant.graph.schema.getType(name);
    if (!isObjectType(type)) throw new Error(`no ${name}`);
    return type;
  };
  const fieldsOf = (type: GraphQLObjectType): Field[] => Object.values(type.getFields()) as Field[];

  const mayUse = (asker: Asker, field: Field): boolean => {
    const { roles, platform } = accessOfField(field);
    if (platform && asker.restricted && asker.actor.kind === 'operator') return false;
    return roles.some((role) => asker.roles.has(role));
  };

  /** A literal of an input type, with this id and number in every possible place. */
  function literal(type: GraphQLInputType, name: string, id: string, orderNo: string): string {
    if (isNonNullType(type)) return literal(type.ofType, name, id, orderNo);
    if (isListType(type)) return `[${literal(type.ofType, name, id, orderNo)}]`;
    if (isEnumType(type)) return type.getValues()[0]?.name ?? '';
    if (isInputObjectType(type)) {
      const fields = Object.values(type.getFields()).filter(isRequiredInputField);
      return `{${fields.map((f) => `${f.name}: ${literal(f.type, f.name, id, orderNo)}`).join(', ')}}`;
    }
    switch (type.name) {
      case 'ID':
        return JSON.stringify(id);
      case 'Int':
        return '5';
      case 'Boolean':
        return 'true';
      case 'DateTime':
        return '"2026-01-02T03:04:05.678Z"';
      case 'JSONObject':
        return '{}';
      case 'String':
        return JSON.stringify(/orderNo/i.test(name) ? orderNo : 'THB');
      default:
        return '"1"';
    }
  }

  /** The calls of a root field with each id and number of a world. */
  function calls(field: Field, world: World): string[] {
    const texts = new Set<string>();
    for (const id of world.ids)
      for (const orderNo of world.orderNos) {
        const named = field.args.filter((arg) => isRequiredArgument(arg) || /^(id|orderNo|merchantId)$/.test(arg.name));
        const args = named.map((arg) => `${arg.name}: ${literal(arg.type, arg.name, id, orderNo)}`);
        texts.add(args.length > 0 ? `${field.name}(${args.join(', ')})` : field.name);
      }
    if (!field.args.some(isRequiredArgument)) texts.add(field.name);
    return [...texts];
  }

  /**
   * The selection that a caller may read below a type, and separately each forbidden field with at most two paths: two
   * suffice, because the rule is on the field.
   */
  function below(
    type: GraphQLObjectType,
    asker: Asker,
    way: readonly string[] = [],
    seen: readonly string[] = [type.name],
    ways = new Map<Field, number>(),
  ): { readonly readable: string; readonly closed: string[] } {
    const readable: string[] = [];
    const closed: string[] = [];
    for (const field of fieldsOf(type)) {
      if (field.args.some(isRequiredArgument)) continue;
      const named = getNamedType(field.type);
      visited.add(`${type.name}.${field.name}`);
      const text = isLeafType(named) ? field.name : `${field.name} { __typename }`;
      if (!mayUse(asker, field)) {
        const known = ways.get(field) ?? 0;
        ways.set(field, known + 1);
        if (known < 2) closed.push([...way, text].join(' { ') + ' }'.repeat(way.length));
      } else if (isLeafType(named)) readable.push(field.name);
      else if (isObjectType(named) && seen.length < DEPTH && !seen.includes(named.name)) {
        const deeper = below(named, asker, [...way, field.name], [...seen, named.name], ways);
        readable.push(`${field.name} ${deeper.readable}`);
        closed.push(...deeper.closed);
      }
    }
    return { readable: `{ __typename ${readable.join(' ')} }`, closed };
  }

  const belows = new Map<string, ReturnType<typeof below>>();
  /** The selection below the type of a root field; empty for a scalar. */
  function answerOf(field: Field, asker: Asker): ReturnType<typeof below> {
    const type = getNamedType(field.type);
    if (!isObjectType(type)) return { readable: '', closed: [] };
    const key = `${asker.name} ${type.name}`;
    const known = belows.get(key) ?? below(type, asker);
    belows.set(key, known);
    return known;
  }

  const visited = new Set<string>();
  /** Values that callers got although they must not. */
  const found: string[] = [];

  async function ask(
    asker: Asker,
    text: string,
  ): Promise<{ text: string; data: Record<string, unknown> | null; codes: string[] }> {
    const { data, errors } = await execute({
      schema: tenant.graph.schema,
      document: parse(text),
      contextValue: contextFor(tenant.graph.core, asker.actor),
    });
    return {
      text: JSON.stringify(data ?? null),
      data: data ?? null,
      codes: (errors ?? []).map(codeOf),
    };
  }

  /** A caller's answer to one call of a query. */
  interface Answer {
    readonly call: string;
    readonly value: unknown;
    readonly text: string;
    readonly codes: string[];
  }

  /** Sends calls of a root field as one operation, each under an alias; all have the same selection. */
  async function askEach(asker: Asker, field: Field, asked: readonly string[], readable: string): Promise<Answer[]> {
    if (asked.length === 0) return [];
    const selection = readable === '' ? '' : '{ ...Readable }';
    const fragment = readable === '' ? '' : `fragment Readable on ${getNamedType(field.type).name} ${readable}`;
    const roots = asked.map((call, n) => `c${n}: ${call} ${selection}`);
    const { data, errors = [] } = await execute({
      schema: tenant.graph.schema,
      document: parse(`query { ${roots.join(' ')} } ${fragment}`),
      contextValue: contextFor(tenant.graph.core, asker.actor),
    });
    return asked.map((call, n) => {
      const value = data?.[`c${n}`] ?? null;
      const own = errors.filter(({ path }) => path === undefined || path[0] === `c${n}`);
      return { call, value, text: JSON.stringify(value), codes: own.map(codeOf) };
    });
  }

  const codeOf = ({ originalError, message }: GraphQLError): string =>
    originalError instanceof CatalogueError ? originalError.kind : message;

  const isRefusal = (code: string | undefined): boolean => code === 'AUTHORIZATION_ERROR' || code === 'UNAUTHENTICATED';

  /** The leaves of an answer that are not null, `__typename` apart. */
  const values = (value: unknown): number =>
    value === null || value === undefined
      ? 0
      : Array.isArray(value)
        ? value.reduce((sum: number, one) => sum + values(one), 0)
        : typeof value === 'object'
          ? Object.entries(value).reduce((sum, [key, one]) => sum + (key === '__typename' ? 0 : values(one)), 0)
          : 1;

  it('has a rule on every field', () => {
    const types = Object.values(tenant.graph.schema.getTypeMap()).filter(isObjectType);
    const bare = types
      .filter(({ name }) => !name.startsWith('__'))
      .flatMap((type) =>
        fieldsOf(type)
          .filter((field) => accessOfField(field).roles.length === 0)
          .map((field) => `${type.name}.${field.name}`),
      );
    expect(bare).toEqual([]);
  });

  it('allows no mutation with VIEW only', () => {
    const harmless = new Set<Role>(['VIEW']);
    const loose = fieldsOf(rootType('Mutation')).filter((field) =>
      accessOfField(field).roles.some((role) => harmless.has(role)),
    );
    expect(loose.map(({ name }) => name)).toEqual([]);
  });

  /** The calls of each query that return values to an operator with all permissions. */
  const answering = new Map<string, readonly string[]>();
  async function answeringCalls(field: Field, world: World): Promise<readonly string[]> {
    const key = `${field.name} ${world.merchantId}`;
    const known = answering.get(key);
    if (known) return known;
    const all = askers.find(({ name }) => name === 'all');
    if (!all) throw new Error('nobody asks');
    const answers = await askEach(all, field, calls(field, world), answerOf(field, all).readable);
    const found = answers.filter(({ value }) => values(value) > 0).map(({ call }) => call);
    answering.set(key, found);
    return found;
  }

  /** These callers try every call; the others try only calls that return values, and one more. */
  const THOROUGH = ['all', 'all, restricted', 'none, restricted', 'merchant'];

  it('shows no caller another merchant’s data: queries', async () => {
    const leaks = found;
    let seenByAll = 0;
    for (const asker of askers)
      for (const field of fieldsOf(rootType('Query'))) {
        visited.add(`Query.${field.name}`);
        const { readable, closed } = answerOf(field, asker);
        const allowed = mayUse(asker, field);
        // A caller without permission is refused before the arguments are read.
        const world = asker.restricted ? foreign : own;
        const [first = '', ...others] = calls(field, world);
        const tried = THOROUGH.includes(asker.name)
          ? [first, ...others]
          : [...new Set([first, ...(await answeringCalls(field, world))])];
        const answers = await askEach(asker, field, allowed ? tried : [first], readable);
        for (const { call, value, text, codes } of answers) {
          if (!allowed && (!isRefusal(codes[0]) || values(value) > 0))
            leaks.push(`${asker.name}: ${call} answered ${text} ${codes.join()}`);
          if (allowed && codes.some(isRefusal))
            leaks.push(`${asker.name}: ${call} refused what it may: ${codes.join()}`);
          if (asker.restricted && text.toUpperCase().includes(FOREIGN))
            leaks.push(`${asker.name}: ${call} shows others' data: ${text}`);
          if (asker.name === 'all') seenByAll += values(value);
        }
        // Fields about the caller itself.
        if (!allowed || field.name === 'me') continue;
        // Forbidden fields on visible objects.
        if (closed.length === 0) continue;
        const seen = await askEach(asker, field, await answeringCalls(field, own), readable);
        const shown = seen.filter(({ value }) => values(value) > 0).slice(0, 2);
        const ways = closed.flatMap((way) => shown.map(({ call }) => `${call} { ${way} }`));
        for (const { call, value, text } of await askEach(asker, field, ways, ''))
          if (values(value) > 0) leaks.push(`${asker.name}: ${call}: ${text}`);
      }
    expect(leaks).toEqual([]);
    // The walk does find permitted data.
    expect(seenByAll).toBeGreaterThan(200);
  }, 300_000);

  it('shows an operator without restriction the other merchant’s data', async () => {
    const all = askers.find(({ name }) => name === 'all');
    const restricted = askers.find(({ name }) => name === 'all, restricted');
    if (!all || !restricted) throw new Error('nobody asks');
    let differences = 0;
    for (const field of fieldsOf(rootType('Query'))) {
      if (!isObjectType(getNamedType(field.type)) || !mayUse(all, field)) continue;
      const { readable } = answerOf(field, all);
      for (const { text } of await askEach(all, field, calls(field, foreign), readable))
        if (text.toUpperCase().includes(FOREIGN)) differences++;
    }
    expect(differences).toBeGreaterThan(5);
  });

  it('lets no caller act on another merchant: mutations', async () => {
    const leaks: string[] = [];
    const fingerprint = async (): Promise<string> =>
      JSON.stringify(
        await tenant.database.sql`
          select (select jsonb_agg(d order by d.id) from deposit_orders d where merchant_id = ${foreign.merchantId}) as d,
            (select jsonb_agg(m order by m.id) from merchants m where id = ${foreign.merchantId}) as m,
            (select jsonb_agg(k order by k.id) from api_keys k where merchant_id = ${foreign.merchantId}) as k,
            (select jsonb_agg(n order by n.id) from notification_logs n where merchant_id = ${foreign.merchantId}) as n,
            (select jsonb_agg(a order by a.id) from bank_accounts a) as a,
            (select jsonb_agg(t order by t.id) from bank_transfers t) as t,
            (select jsonb_agg(b order by b.id) from bank_debits b) as b`,
      );
    const before = await fingerprint();
    for (const asker of askers)
      for (const field of fieldsOf(rootType('Mutation'))) {
        visited.add(`Mutation.${field.name}`);
        const allowed = mayUse(asker, field);
        if (allowed && (!asker.restricted || asker.actor.kind !== 'operator')) continue;
        const selection = isLeafType(getNamedType(field.type)) ? '' : '{ __typename }';
        const tried = calls(field, foreign);
        for (const call of allowed ? tried : tried.slice(0, 1)) {
          const { data, codes, text } = await ask(asker, `mutation { ${call} ${selection} }`);
          if (!allowed && (!isRefusal(codes[0]) || data?.[field.name]))
            leaks.push(`${asker.name}: ${call} answered ${text} ${codes.join()}`);
          if (text.toUpperCase().includes(FOREIGN)) leaks.push(`${asker.name}: ${call}: ${text}`);
        }
      }
    found.push(...leaks);
    expect(leaks).toEqual([]);
    expect(await fingerprint()).toBe(before);
  }, 300_000);

  /** All that is open: balances, where money may come from and go to, and who may do what. Less of it is always allowed. */
  async function openings(): Promise<{ balances: Map<string, string>; open: Set<string> }> {
    const { sql } = tenant.database;
    const balances = await sql<{ of: string; amount: string }[]>`
      select concat_ws(' ', merchant_id, currency_code) as of, (available + frozen)::text as amount
      from merchant_balances`;
    const open = await sql<{ what: string }[]>`
      select concat_ws(' ', 'order', id, status) as what from deposit_orders where status in ('MATCHED', 'COMPLETED')
      union all select concat_ws(' ', 'payout', id, status) from withdrawal_orders where status in ('APPROVED', 'COMPLETED')
      union all select concat_ws(' ', 'settlement', id, bank_code, account_no) from settlement_accounts where disabled_at is null
      union all select concat_ws(' ', 'account', id, bank_code, account_no) from bank_accounts where status = 'ACTIVE'
      union all select concat_ws(' ', 'channel', id, base_url, key_id) from channels where enabled
      union all select concat_ws(' ', 'bank', currency_code, bank_code) from banks where enabled
      union all select concat_ws(' ', 'rules', id, rules) from review_rules
      union all select concat_ws(' ', 'routing', id) from routing_rules
      union all select concat_ws(' ', 'listed', id) from listed_beneficiaries where list = 'ALLOW' and removed_at is null
      union all select concat_ws(' ', 'events', id) from event_addresses
      union all select concat_ws(' ', 'merchant', id, can_withdraw, callback_hosts, default_callback_url, allowed_addresses)
        from merchants where enabled
      union all select concat_ws(' ', 'key', id) from api_keys where revoked_at is null
      union all select concat_ws(' ', 'agent', k.id, a.account_id) from agent_keys k
        join agent_key_accounts a on a.agent_key_id = k.id where k.revoked_at is null
      union all select concat_ws(' ', 'role', o.login, r.role) from operators o
        join operator_roles r on r.operator_id = o.id where o.disabled_at is null
      union all select concat_ws(' ', 'powers', name, permissions, approve_limits) from roles
      union all select concat_ws(' ', 'invited', email) from operator_links where revoked_at is null and used_at is null
      union all select concat_ws(' ', 'token', id) from api_tokens where scopes && ${[...MONEY]}::text[]`;
    return {
      balances: new Map(balances.map(({ of, amount }) => [of, amount])),
      open: new Set(open.map(({ what }) => what)),
    };
  }

  it('lets nobody alone raise a balance, open a way for money or give powers: mutations', async () => {
    tenant.changes.onePerson = false;
    const wrong: string[] = [];
    // People who exist, because what they do is recorded under their names.
    const roles = Object.keys(BUILT_IN_ROLES) as (keyof typeof BUILT_IN_ROLES)[];
    const people: Asker[] = [];
    for (const [name, held] of [['all', roles] as const, ...roles.map((r) => [r, [r]] as const)])
      people.push({
        name,
        actor: await tenant.person(`walks-${name}`, held),
        roles: new Set<Role>([
          ...held.flatMap((one) => BUILT_IN_ROLES[one]),
          ...(['OPERATOR', 'PERSON', 'ANYONE'] as const),
        ]),
        restricted: false,
      });
    let ran = 0;
    let before = await openings();
    for (const asker of people)
      for (const field of fieldsOf(rootType('Mutation'))) {
        const selection = isLeafType(getNamedType(field.type)) ? '' : '{ __typename }';
        const tried = mayUse(asker, field) ? calls(field, own) : [];
        // Who has every role tries every call, so the others need only a few.
        for (const call of asker.name === 'all' ? tried : tried.slice(0, 2)) {
          const { codes } = await ask(asker, `mutation { ${call} ${selection} }`);
          if (codes.length === 0) ran++;
        }
        if (tried.length === 0) continue;
        const after = await openings();
        const opened = [...after.open].filter((what) => !before.open.has(what));
        for (const [of, amount] of after.balances)
          if (money(amount).gt(before.balances.get(of) ?? '0')) opened.push(`balance ${of} ${amount}`);
        wrong.push(...opened.map((what) => `${asker.name}: ${field.name}: ${what}`));
        before = after;
      }
    tenant.changes.onePerson = true;
    found.push(...wrong);
    expect(wrong).toEqual([]);
    // Most of the walk is refused for its arguments; this many mutations took effect, or were proposed.
    expect(ran).toBeGreaterThan(10);
  }, 300_000);

  it('sends no caller another merchant’s events: subscriptions', () => {
    for (const field of fieldsOf(rootType('Subscription'))) {
      visited.add(`Subscription.${field.name}`);
      expect(accessOfField(field).roles).toEqual(['VIEW']);
    }
  });
});
