import type { Sql } from 'postgres';

interface Section {
  readonly title: string;
  readonly statement: string;
}

/** Our own objects, without those of PostgreSQL, of extensions and of the migrator's journal. */
const OURS = `n.nspname = 'public'`;
const noExtension = (catalogue: string, oid: string): string =>
  `not exists (select from pg_depend e
     where e.classid = '${catalogue}'::regclass and e.objid = ${oid} and e.deptype = 'e')`;

const SECTIONS: readonly Section[] = [
  {
    title: 'extensions',
    statement: `select extname as line from pg_extension`,
  },
  {
    title: 'columns',
    statement: `
      select format('%s.%s %s%s%s', c.relname, a.attname, format_type(a.atttypid, a.atttypmod),
          case when a.attnotnull then ' not null' else '' end,
          case a.attgenerated
            when 's' then format(' stored as %s', pg_get_expr(d.adbin, d.adrelid))
            when 'v' then format(' virtual as %s', pg_get_expr(d.adbin, d.adrelid))
            else coalesce(format(' default %s', pg_get_expr(d.adbin, d.adrelid)), '') end) as line
      from pg_class c
      join pg_namespace n on n.oid = c.relnamespace
      join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
      left join pg_attrdef d on d.adrelid = c.oid and d.adnum = a.attnum
      where ${OURS} and c.relkind in ('r', 'p', 'v', 'm', 'c')`,
  },
  {
    title: 'constraints',
    statement: `
      select format('%s.%s %s', c.relname, k.conname, pg_get_constraintdef(k.oid)) as line
      from pg_constraint k
      join pg_class c on c.oid = k.conrelid
      join pg_namespace n on n.oid = c.relnamespace
      where ${OURS} and k.contype <> 'n'`,
  },
  {
    title: 'indexes',
    statement: `
      select pg_get_indexdef(i.indexrelid) as line
      from pg_index i
      join pg_class c on c.oid = i.indexrelid
      join pg_namespace n on n.oid = c.relnamespace
      where ${OURS}`,
  },
  {
    title: 'triggers',
    statement: `
      select format('%s%s', pg_get_triggerdef(t.oid),
          case t.tgenabled when 'O' then '' else format(' (enabled: %s)', t.tgenabled) end) as line
      from pg_trigger t
      join pg_class c on c.oid = t.tgrelid
      join pg_namespace n on n.oid = c.relnamespace
      where ${OURS} and not t.tgisinternal`,
  },
  {
    title: 'functions',
    statement: `
      select format('%s(%s) returns %s language %s%s%s%s%s%s%s body %s', p.proname,
          pg_get_function_arguments(p.oid), pg_get_function_result(p.oid), l.lanname,
          case p.provolatile when 'i' then ' immutable' when 's' then ' stable' else '' end,
          case when p.proisstrict then ' strict' else '' end,
          case p.proparallel when 's' then ' parallel safe' when 'r' then ' parallel restricted' else '' end,
          case when p.prosecdef then ' security definer' else '' end,
          coalesce(format(' set %s', array_to_string(p.proconfig, ', ')), ''),
          coalesce(format(' acl %s', array_to_string(p.proacl, ', ')), ''),
          md5(coalesce(pg_get_function_sqlbody(p.oid), p.prosrc))) as line
      from pg_proc p
      join pg_namespace n on n.oid = p.pronamespace
      join pg_language l on l.oid = p.prolang
      where ${OURS} and ${noExtension('pg_proc', 'p.oid')}`,
  },
  {
    title: 'types',
    statement: `
      select format('%s %s', t.typname,
          (select string_agg(e.enumlabel, ', ' order by e.enumsortorder) from pg_enum e
            where e.enumtypid = t.oid)) as line
      from pg_type t
      join pg_namespace n on n.oid = t.typnamespace
      where ${OURS} and t.typtype in ('e', 'd', 'r') and ${noExtension('pg_type', 't.oid')}`,
  },
  {
    title: 'sequences',
    statement: `
      select format('%s %s', sequencename, data_type) as line
      from pg_sequences where schemaname = 'public'`,
  },
];

/** The seed rows of a fresh database, without the values that each database generates for itself. */
async function seeds(sql: Sql): Promise<string[]> {
  const tables = await sql<{ name: string }[]>`
    select tablename as name from pg_tables where schemaname = 'public'`;
  const rows = await Promise.all(
    tables.map(
      async ({ name }) =>
        await sql<{ line: string }[]>`
          select ${name} || ' ' || (to_jsonb(r) - 'identity')::text as line from ${sql(name)} r`,
    ),
  );
  return rows.flat().map(({ line }) => line);
}

/**
 * A database's catalogue as sorted text, so that a diff compares two databases. Each column, constraint, index, trigger,
 * function (with its options and a hash of its body), type, sequence and seed row has a line. The physical order of
 * columns is left out: none of our statements may depend on it.
 */
export async function printCatalogue(sql: Sql): Promise<string> {
  const parts = [];
  for (const { title, statement } of SECTIONS) {
    const rows = await sql.unsafe<{ line: string }[]>(statement);
    parts.push(
      section(
        title,
        rows.map(({ line }) => line),
      ),
    );
  }
  parts.push(section('seeds', await seeds(sql)));
  return parts.join('\n');
}

const section = (title: string, lines: readonly string[]): string =>
  [`-- ${title}: ${lines.length}`, ...[...lines].sort(), ''].join('\n');
