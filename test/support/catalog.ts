import pg from 'pg';

/** Describes the schema "public". The order of columns and the migrator's own table are left out, and whether a table has parts. */
const statement = `
  with ours as (select oid, relname from pg_class
    where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and relname <> 'mikro_orm_migrations')
  select format('column %s.%s %s%s %s %s', relname, attname, format_type(atttypid, atttypmod),
      case when attnotnull then ' not null' end, attidentity::text || attgenerated::text, pg_get_expr(adbin, adrelid)) as line
    from pg_attribute join ours on ours.oid = attrelid left join pg_attrdef on adrelid = attrelid and adnum = attnum
    where attnum > 0 and not attisdropped
  union all select format('constraint %s.%s %s', relname, conname, pg_get_constraintdef(pg_constraint.oid))
    from pg_constraint join ours on ours.oid = conrelid where contype <> 'n'
  union all select replace(pg_get_indexdef(indexrelid), ' ON ONLY ', ' ON ') from pg_index join ours on ours.oid = indrelid
  union all select pg_get_triggerdef(pg_trigger.oid) from pg_trigger join ours on ours.oid = tgrelid where not tgisinternal
  union all select pg_get_functiondef(oid) from pg_proc where pronamespace = 'public'::regnamespace
  union all select format('policy %s.%s %s %s %s', relname, polname, polcmd, pg_get_expr(polqual, polrelid),
      pg_get_expr(polwithcheck, polrelid)) from pg_policy join ours on ours.oid = polrelid
  union all select format('row security %s %s', relname, relforcerowsecurity)
    from pg_class where relrowsecurity and oid in (select oid from ours)
`;

/** The schema of a database as sorted lines, one for each column, constraint, index, trigger, function and policy. */
export async function readCatalog(url: string): Promise<string[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const { rows } = await client.query<{ line: string }>(statement);
    return rows.map(({ line }) => line.replace(/\s+/g, ' ')).sort();
  } finally {
    await client.end();
  }
}
