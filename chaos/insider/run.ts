import path from 'node:path';
import postgres, { type Sql } from 'postgres';
import { catchMails, type MailCatcher } from '../../local/mail-catcher';
import { takeFreshFolder } from '../fresh-folder';
import { Platform } from '../platform';
import { until } from '../until';
import { CLAIMS } from './claims';
import { FORGERIES } from './forgeries';
import { furnish } from './furnish';
import type { Allowance } from './house';
import { MORE } from './more';
import { playOutsiders } from './outsiders';
import { REPORTS } from './reports';
import { STATEMENTS } from './statements';
import { THEFTS } from './thefts';

/** Its entry in the list of `npm run chaos`. */
export const INSIDER = {
  name: 'insider',
  about:
    'insiders and outsiders try to steal money or to stop an account, on a platform with the settings of production',
} as const;

/** The settings of production, with one hour of cooling and small daily amounts. */
const PRODUCTION = {
  CAUSEWAY_ENV: 'production',
  COOLING_HOURS: '1',

  TRUSTED_PROXIES: '127.0.0.1',
  CONSOLE_URL: 'https://console.example/',
  CASHIER_URL: 'https://pay.example/cashier',
  DAY_AMOUNTS: 'THB=1000:2000:9999999:160',
};

/** What the insiders have got until now, and what operators may do. */
const takings = async (sql: Sql, evil: string): Promise<string> => {
  const [row] = await sql<{ all: string }[]>`
    select concat_ws(' ',
      (select sum(available + frozen) from merchant_balances where merchant_id = ${evil}),
      (select count(*) from deposit_orders where merchant_id = ${evil} and status in ('MATCHED', 'COMPLETED')),
      (select count(*) from withdrawal_orders where merchant_id = ${evil} and status in ('APPROVED', 'COMPLETED')),
      (select count(*) from operators), (select count(*) from operator_roles),
      (select count(*) from operator_links), (select count(*) from api_tokens where 'RECONCILE' = any(scopes))) as all`;
  return row?.all ?? '';
};

/** An honest payer's money is credited within this. */
const CREDITED_MS = 30_000;
/** Decisions that are carried out later would count for another theft. */
async function rests(sql: Sql): Promise<void> {
  await until(async () => {
    const [row] = await sql<{ open: boolean }[]>`
      select exists (select from withdrawal_decisions d join withdrawal_orders w on w.id = d.withdrawal_id
        where d.applied_at is null and w.status = 'PENDING' and w.people_needed <= (
          select count(*) from withdrawal_decisions o where o.withdrawal_id = w.id)) as open`;
    return row?.open === false;
  }, CREDITED_MS);
}

/** Refusals that say nothing of a rule: the platform failed, or the play is wrong. */
const NOT_PLAYED = /INTERNAL_ERROR|internal error|UNAVAILABLE|is required|fetch failed|Cannot read|is not a function/;

const NOTHING: Allowance = { amount: 0, approvals: 0 };

/** Plays each theft and prints its result. @returns whether nothing was stolen */
export async function runInsider({
  folder,
  env,
  say,
  signal,
}: {
  readonly folder: string;
  readonly env: NodeJS.ProcessEnv;
  readonly say: (line: string) => void;
  readonly signal: AbortSignal;
}): Promise<boolean> {
  const release = await takeFreshFolder(folder);
  let platform: Platform | undefined;
  let sql: Sql | undefined;
  let catcher: MailCatcher | undefined;
  try {
    const mails = path.join(folder, 'mails');
    catcher = await catchMails(mails);
    const settings = { ...env, ...PRODUCTION, SMTP_URL: catcher.url };
    platform = await Platform.start(...([folder, settings, { gateways: 1, workers: 1 }, signal] as const));
    sql = postgres(platform.databaseUrl, { max: 1 });
    const house = await furnish(platform, sql, folder, mails);
    say('set up: two honest operators, and insiders');
    let stolen = 0;
    const all = [...THEFTS, ...REPORTS, ...CLAIMS, ...STATEMENTS, ...FORGERIES, ...MORE];
    for (const { name, row, allows = NOTHING, play, rightly, takes } of all) {
      await rests(sql);
      const before = await takings(sql, house.evil.id);
      let got: unknown;
      const refused = await play(house).then(
        (result) => {
          got = result;
          return 'it was not refused';
        },
        (error: unknown) => (error as Error).message,
      );
      await rests(sql);
      const after = await takings(sql, house.evil.id);
      const credited = !rightly || (await until(async () => await rightly(house), CREDITED_MS));
      const fell = NOT_PLAYED.test(refused);
      const held = isWithin(before, after, allows) && credited && takes?.(got) !== true && !fell;
      if (!held) stolen++;
      say(`${held ? 'held  ' : 'STOLEN'} ${name} [${row}]: ${refused.slice(0, 120)}`);
      if (!credited) say('       an honest payment was not credited');
      if (fell) say('       it was not refused by a rule: it could not be played');
      else if (!held) say(`       ${before} became ${after}`);
    }
    const outside = await playOutsiders(house, say);
    stolen += outside.stolen;
    const { hostile, paused, honest, credited, missingPauses } = outside;
    process.stdout.write(
      `thefts=${all.length} stolen=${stolen} hostile=${hostile} paused=${paused} honest=${honest} credited=${credited} ` +
        `missing-pauses=${missingPauses}\n`,
    );
    return stolen + paused === 0 && credited === honest && missingPauses;
  } finally {
    await sql?.end({ timeout: 1 });
    await platform?.stop();
    await catcher?.close();
    release();
  }
}

/** Whether nothing was stolen beyond it. */
function isWithin(before: string, after: string, { amount, approvals }: Allowance): boolean {
  const [was = [], is = []] = [before, after].map((text) => text.split(' ').map(Number));
  const most = [amount, 0, approvals, 0, 0, 0, 0];
  return most.every((limit, n) => (is[n] ?? 0) - (was[n] ?? 0) <= limit);
}
