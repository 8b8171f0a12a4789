import { randomBytes, randomUUID } from 'node:crypto';
import pino from 'pino';
import { Random } from '../../chaos/attack/random';
import { createCashierTokens } from '../../crypto/cashier-token';
import { KeyRing, type PlatformKey, platformKey } from '../../crypto/key-ring';
import { createSealer, sealedBy } from '../../crypto/seal';
import { findPlatformKeys } from '../../db/platform/keys';
import { SEALED_TABLES } from '../../db/platform/sealed-rows';
import { actorOfToken } from '../../steps/access/credentials';
import { ANONYMOUS } from '../../steps/access/actor';
import { checkKeys, isPending, rotateKeys, type RotationDeps } from '../../roles/key-rotation';
import { KeyWatch } from '../../roles/key-watch';
import { reseal } from '../../roles/reseal';
import { simulatedChannel } from '../support/channel-tenant';
import { depositBody, type MerchantClient, Platform } from '../support/platform';
import { newKeys, type TestKeys } from '../support/tenant';
import { until } from '../support/until';

const SEED = '2026-11-23';
const CLIENTS = 12;
/** The least number of requests before, during and after the rotation. */
const REQUESTS = 60;
/** An account holds at most 1,000 open deposits, and clients may have requests under way. */
const DEPOSITS = 1_500;
const silent = pino({ level: 'silent' });
const fresh = (): PlatformKey => platformKey(randomBytes(32));

/** A gateway whose process watches its keys. */
class Member {
  /** Keys in the settings' file, in addition to the first ones. */
  readonly file: PlatformKey[] = [];

  private constructor(
    readonly platform: Platform,
    readonly ring: KeyRing,
    readonly watch: KeyWatch,
  ) {}

  /** @param beside a member of the same database */
  static async start(keys: TestKeys, beside?: Member): Promise<Member> {
    const watched: { member?: Member } = {};
    const platform = await Platform.open({
      keys,
      deps: { isKeyMissing: () => watched.member?.watch.isKeyMissing() === true },
      ...(beside && {
        database: {
          url: beside.platform.tenant.url,
          drop: async (): Promise<void> => {
            await Promise.resolve();
          },
        },
      }),
    });
    const watch = new KeyWatch({
      role: 'gateway',
      ring: keys.ring,
      database: platform.tenant.database,
      log: silent,
      clock: () => new Date(),
      everyMs: 20,
      reread: async () => await Promise.resolve(watched.member?.file ?? []),
    });
    const member = new Member(platform, keys.ring, watch);
    watched.member = member;
    await watch.look();
    watch.start();
    return member;
  }

  async stop(): Promise<void> {
    await this.watch.stop();
    await this.platform.close();
  }
}

describe("the platform's keys", () => {
  const keys = newKeys();
  let one: Member;
  const stops: Member[] = [];
  const start = async (ring: KeyRing): Promise<Member> => {
    const member = await Member.start({ ...keys, ring }, one);
    stops.push(member);
    return member;
  };
  const rotation = (ring: KeyRing, said: string[] = []): RotationDeps => ({
    database: one.platform.tenant.database,
    ring,
    noticeWithinMs: 90_000,
    lookEveryMs: 20,
    clock: async () => await Promise.resolve(new Date()),
    say: (line) => said.push(line),
  });
  beforeAll(async () => {
    one = await Member.start(keys);
  });
  afterAll(async () => {
    for (const member of stops) await member.stop();
    await one.stop();
  });

  /**
   * For each table, the number of sealed rows, and of those sealed with another key. Operators' links are not sealed.
   */
  const countSealed = async (current: PlatformKey): Promise<Record<string, readonly [number, number]>> => {
    const { sql } = one.platform.tenant.database;
    const columns = await sql<{ table: string; column: string }[]>`
      select table_name as table, column_name as column from information_schema.columns
      where table_schema = 'public' and column_name like 'sealed\\_%' and data_type = 'text'
        and table_name <> 'operator_links'
      union all select 'channel_messages', 'body'`;
    const text = (column: string) => (column === 'body' ? sql`encode(body, 'escape')` : sql`${sql(column)}`);
    const counts = columns.map(async ({ table, column }) => {
      const [row] = await sql<{ all: number; other: number }[]>`
        select count(*)::int as all,
          (count(*) filter (where not starts_with(${text(column)}, ${sealedBy(current)})))::int as other
        from ${sql(table)} where ${sql(column)} is not null`;
      return [table, [row?.all ?? 0, row?.other ?? 0]] as const;
    });
    return Object.fromEntries(await Promise.all(counts));
  };

  /** Inserts a row with a secret into every table that has secrets. @returns the id of an open proposal */
  const seal = async (): Promise<string> => {
    const { tenant } = one.platform;
    await simulatedChannel(tenant, 'http://127.0.0.1:9');
    const input = { event: 'alert_raised', mails: [], webhookUrl: 'https://events.example/hook' };
    await tenant.operate('PutEventAddresses', { input, reason: 'test' });
    const roles = ['support'];
    await tenant.operate('InviteOperator', { email: 'new@example.com', roles, reason: 'test' });
    const { id } = (await tenant.person('with an app', ['support'])).operator;
    await tenant.database.sql`
      insert into operator_totp (operator_id, sealed_secret) values (${id}, ${tenant.sealer.seal('x', `totp:${id}`)})`;
    const message = randomUUID();
    await tenant.database.sql`
      insert into channel_messages
      select ${message}, id, 'once', 'none', 'PAID', '{}',
        ${Buffer.from(tenant.sealer.seal('e30=', `channel_message:${message}`))}, created_at
      from channels limit 1`;
    const merchant = await one.platform.merchant();
    tenant.changes.onePerson = false;
    const { change } = await tenant.operate<{ change: { id: string } }>('IssueApiKey', {
      merchantId: merchant.id,
      reason: 'test',
    });
    tenant.changes.onePerson = true;
    return change.id;
  };

  it('are rotated under load: no request is refused, and every secret is sealed again', async () => {
    const proposal = await seal();
    const { tenant } = one.platform;
    const next = fresh();
    // One process has the new key from its start; the other does not know it yet.
    const two = await start(new KeyRing([...keys.ring.all, next]));
    const members = [one, two];
    const account = await one.platform.account();
    await one.platform.account();
    const merchants: MerchantClient[] = [];
    for (let n = 0; n < 4; n++) merchants.push(await one.platform.merchant());
    const agent = await one.platform.agent([account]);
    const sessionId = '0190b8d3-0000-7000-8000-000000000001';
    const payer = await tenant.graph.core.cashierTokens.sign({ sessionId });
    const { token } = await tenant.operate<{ token: string }>(
      'Login',
      { login: 'admin', password: 'a password of the tests' },
      ANONYMOUS,
    );

    const statuses: number[] = [];
    const numbers: string[] = [];
    let over = false;
    const client = async (random: Random): Promise<void> => {
      while (!over) {
        const { platform } = members[Math.floor(random.next() * members.length)] ?? one;
        const found = merchants[Math.floor(random.next() * merchants.length)];
        if (!found) throw new Error('no merchant');
        const merchant = platform.client(found);
        const kind = random.next();
        const body = depositBody();
        const { status } =
          kind < 0.4 || (kind < 0.8 && numbers.length >= DEPOSITS)
            ? await merchant.signed('GET', '/balance')
            : kind < 0.8
              ? await merchant.signed('POST', '/orders/deposit', body)
              : await platform.notify(agent, {
                  account_id: account,
                  bank_reference: randomBytes(8).toString('hex'),
                  amount: '1.00',
                  currency_code: 'USD',
                  memo: 'thank you',
                  bank_time: new Date().toISOString(),
                });
        if (status === 201 && kind < 0.8) numbers.push(body.merchant_order_no);
        statuses.push(status);
      }
    };
    const clients = Array.from({ length: CLIENTS }, async (_, n) => {
      await client(new Random(`${SEED} client ${n}`));
    });
    const more = async (): Promise<void> => {
      const target = statuses.length + REQUESTS;
      await until('requests', () => statuses.length >= target);
    };
    await more();

    // The rotation changes nothing until the process without the key has it.
    const said: string[] = [];
    const ring = new KeyRing([...keys.ring.all, next]);
    const rotated = rotateKeys(rotation(ring, said), null);
    await until('the first key to be named', async () => (await findPlatformKeys(tenant.database)).length > 0);
    await more();
    expect((await findPlatformKeys(tenant.database)).map(({ id }) => id)).toEqual([keys.ring.current.id]);
    one.file.push(next);
    expect(await rotated).toBe(true);
    await more();
    over = true;
    await Promise.all(clients);
    process.stdout.write(
      `platform keys: requests=${statuses.length} refused=${statuses.filter((status) => status > 201).length} said=${said.length}\n`,
    );
    expect(new Set(statuses)).toEqual(new Set([200, 201]));
    const [{ count } = { count: 0 }] = await tenant.database.sql<{ count: number }[]>`
      select count(*)::int as count from deposit_orders`;
    expect(count).toBe(numbers.length);

    // Every table has rows, and all of them are sealed with the new key.
    const sealed = await countSealed(next);
    expect(Object.keys(sealed).sort()).toEqual(SEALED_TABLES.map(({ name }) => name).sort());
    for (const [all, other] of Object.values(sealed)) expect([all > 0, other]).toEqual([true, 0]);
    // A proposal from before the rotation can still be approved.
    const bob = await tenant.person('bob', ['approve', 'configure', 'view']);
    tenant.changes.onePerson = false;
    await tenant.operate('ApproveChange', { id: proposal, reason: 'seen' }, bob);
    tenant.changes.onePerson = true;
    expect((await countSealed(next))['api_keys']?.[1]).toBe(0);

    // Tokens from before the rotation work in both processes until they expire.
    for (const { platform } of members) {
      const { core } = platform.tenant.graph;
      expect(await core.cashierTokens.read(payer)).toEqual({ sessionId });
      expect(await actorOfToken(core, token, false)).toMatchObject({ kind: 'operator' });
    }
    await checkKeys(rotation(ring, said));
    expect(said.some((line) => line.includes('operators’ sessions'))).toBe(true);
    // When they have expired and nothing is under way, the old key is released.
    await tenant.database.sql`delete from operator_sessions`;
    const later = {
      ...rotation(ring),
      clock: async () => await Promise.resolve(new Date(Date.now() + 2 * 86_400_000)),
    };
    expect(await checkKeys(later)).toBe(true);
    const three = await start(new KeyRing([next]));
    await three.watch.whole();
    const [merchant] = merchants;
    if (!merchant) throw new Error('no merchant');
    expect((await three.platform.client(merchant).signed('GET', '/balance')).status).toBe(200);
    expect(await createCashierTokens(new KeyRing([next]), 'sandbox').read(payer)).toBeUndefined();
  }, 240_000);

  it('continue to be rotated after an interruption', async () => {
    const { database } = one.platform.tenant;
    const next = fresh();
    one.file.push(next);
    const [two] = stops;
    two?.file.push(next);
    stops[1]?.file.push(next);
    // It stops after one row of each table.
    const ring = new KeyRing([...one.ring.all, next]);
    const before = one.ring.current;
    ring.use(before.id);
    const stopping = {
      ...rotation(ring),
      database: { ...database, sql: stopsAfter(database.sql, 3) },
    };
    await expect(rotateKeys(stopping, null)).rejects.toThrow('stopped');
    expect(await isPending(rotation(ring))).toBe(true);
    const some = await countSealed(next);
    expect(Object.values(some).some(([, other]) => other > 0)).toBe(true);

    // The second run finishes, the third has nothing to do, and every sealed secret opens.
    const again = new KeyRing([...one.ring.all, next]);
    expect(await rotateKeys(rotation(again), null)).toBe(true);
    for (const [, other] of Object.values(await countSealed(next))) expect(other).toBe(0);
    expect(await reseal(database, again)).toEqual({ changed: 0, unopened: [] });
    expect(await isPending(rotation(again))).toBe(false);
    const [key] = await database.sql<{ id: string; sealedKey: string }[]>`select id, sealed_key from api_keys limit 1`;
    expect(createSealer(again).open(key?.sealedKey ?? '', `api_key:${key?.id ?? ''}`)).toMatch(/^pre_/);
  }, 120_000);

  it('missing in a process make it report them and answer 503 instead of refusing merchants', async () => {
    const merchant = await one.platform.merchant();
    const stranger = await start(new KeyRing([fresh()]));
    expect(stranger.watch.isKeyMissing()).toBe(true);
    expect((await stranger.platform.send('GET', '/health/ready')).status).toBe(503);
    expect((await stranger.platform.client(merchant).signed('GET', '/balance')).status).toBe(503);
    // A rotation to a key that other processes lack changes nothing, and names them.
    const next = fresh();
    const before = await findPlatformKeys(one.platform.tenant.database);
    const refused = rotateKeys({ ...rotation(new KeyRing([...one.ring.all, next])), noticeWithinMs: 100 }, null);
    await expect(refused).rejects.toThrow(/gateway .* lacks the key .*Nothing was changed/);
    expect(await findPlatformKeys(one.platform.tenant.database)).toEqual(before);
    // With the keys, the process serves without a restart.
    stranger.file.push(...one.ring.all.filter(({ named }) => named), ...keys.ring.all);
    await stranger.watch.whole();
    expect((await stranger.platform.client(merchant).signed('GET', '/balance')).status).toBe(200);
  }, 120_000);
});

/** A connection that breaks at its n-th statement that changes sealed rows. */
function stopsAfter<Sql extends (...args: never[]) => unknown>(sql: Sql, updates: number): Sql {
  let left = updates;
  return new Proxy(sql, {
    apply(target, self, args: Parameters<Sql>): unknown {
      const [strings] = args as unknown as [TemplateStringsArray | undefined];
      if (Array.isArray(strings) && strings.join('').includes('update ') && left-- === 0) throw new Error('stopped');
      return Reflect.apply(target, self, args);
    },
  });
}
