import { cpSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/** A later release, derived from this one. */
export interface NextRelease {
  readonly number: number;
  /** Its program: `node <program> <role>`. */
  readonly program: string;
}

const BUILD = path.join(__dirname, '..');
/** The optional column of a new field. */
const MIGRATION = 'alter table deposit_orders add column campaign_note text;';
/** The old signature stays for running roles; an event records which release's function wrote it. */
const functionsOf = (release: number): string => `
create or replace function append_event(
  p_order uuid, p_noun text, p_type text, p_actor text, p_detail jsonb, p_now timestamptz, p_release integer
) returns void
language sql
as $$
  insert into order_events (id, order_id, noun, type, actor, detail, at)
  values (new_id(p_now), p_order, p_noun, p_type, p_actor,
    p_detail || jsonb_build_object('release', p_release), p_now)
$$;

create or replace function append_event(
  p_order uuid, p_noun text, p_type text, p_actor text, p_detail jsonb, p_now timestamptz
) returns void
language sql
as $$
  select append_event(p_order, p_noun, p_type, p_actor, p_detail, p_now, ${release})
$$;
`;

/** Copies the build and gives the copy the next number, a migration and changed functions. */
export function makeNextRelease(folder: string): NextRelease {
  rmSync(folder, { recursive: true, force: true });
  cpSync(BUILD, folder, { recursive: true });
  symlinkSync(path.join(BUILD, '../node_modules'), path.join(folder, 'node_modules'));

  const own = /\brelease: (\d+)/.exec(readFileSync(path.join(folder, 'db/release.js'), 'utf8'));
  const number = Number(own?.[1]) + 1;
  edit(path.join(folder, 'db/release.js'), (text) => text.replace(/\brelease: \d+/, `release: ${number}`));
  edit(path.join(folder, 'db/migrations/meta/_journal.json'), (text) => {
    const journal = JSON.parse(text) as { entries: object[] };
    return JSON.stringify({ ...journal, entries: [...journal.entries, { tag: '9999_campaign' }] });
  });
  writeFileSync(path.join(folder, 'db/migrations/9999_campaign.sql'), MIGRATION);
  // The last file in alphabetical order, so that it replaces functions of the others.
  writeFileSync(path.join(folder, 'db/functions/zz-campaign.sql'), functionsOf(number));
  return { number, program: path.join(folder, 'main.js') };
}

function edit(file: string, change: (text: string) => string): void {
  writeFileSync(file, change(readFileSync(file, 'utf8')));
}
