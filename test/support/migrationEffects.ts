import pg from 'pg';
import { type LockLevel, lockLevels, type Work, works } from '../../db/migrations/changes.ts';

/** The effects of statements on the tables that existed before: the strongest lock and the heaviest work. */
export interface Effects {
  tables: Record<string, { lock: LockLevel; work: Work }>;
  /** Changes that break the previous version of the product. */
  contracts: string[];
}

type Rows = Record<string, string>[];

/** Runs statements in a transaction and reads their effects before it ends. */
export async function effectsOf(url: string, statements: string, end: 'commit' | 'rollback'): Promise<Effects> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const read = async (sql: string): Promise<Rows> => (await client.query(sql)).rows;
  try {
    await client.query('begin');
    const before = { tables: await read(tables), columns: await read(columns), indexes: await read(indexes) };
    const constraints = { before: await read(demands) };
    await client.query(statements);
    const locks = await read(grantedLocks);
    const work = await workDone(read, before);
    const contracts = contractions(before.columns, await read(columns), constraints.before, await read(demands));
    await client.query(end);
    const touched = before.tables.flatMap(({ name = '', oid }) => {
      const levels = locks.filter((lock) => lock.oid === oid).map(({ level }) => level);
      const lock = lockLevels.findLast((level) => levels.includes(level));
      return lock === undefined ? [] : [[name, { lock, work: work(name) }] as const];
    });
    return { tables: Object.fromEntries(touched), contracts };
  } finally {
    await client.end();
  }
}

const OURS = `n.nspname = 'public' and relname <> 'mikro_orm_migrations'`;

const tables = `select relname as name, c.oid::text, relfilenode::text as file from pg_class c join pg_namespace n on n.oid = relnamespace
  where ${OURS} and relkind in ('r', 'p')`;

const columns = `select relname || '.' || attname as name, relname as table, format_type(atttypid, atttypmod) as type,
    (attnotnull and not atthasdef and attidentity = '')::text as wanted
  from pg_attribute a join pg_class c on c.oid = attrelid join pg_namespace n on n.oid = relnamespace
  where ${OURS} and relkind = 'r' and attnum > 0 and not attisdropped`;

const indexes = `select indexrelid::text as oid, relname as table from pg_index i join pg_class c on c.oid = indrelid
  join pg_namespace n on n.oid = relnamespace where ${OURS}`;

/** Constraints and unique indexes, with their columns. */
const demands = `
  select conname as name, relname as table, coalesce((select string_agg(relname || '.' || attname, ' ')
    from pg_attribute where attrelid = conrelid and attnum = any (conkey)), '') as columns
  from pg_constraint o join pg_class c on c.oid = conrelid join pg_namespace n on n.oid = relnamespace
  where ${OURS} and contype in ('c', 'f', 'p', 'u', 'x')
  union all
  select k.relname, c.relname, coalesce((select string_agg(c.relname || '.' || attname, ' ')
    from pg_attribute where attrelid = indrelid and attnum = any (indkey)), '')
  from pg_index i join pg_class c on c.oid = indrelid join pg_class k on k.oid = indexrelid join pg_namespace n on n.oid = c.relnamespace
  where n.nspname = 'public' and c.relname <> 'mikro_orm_migrations' and indisunique`;

/** Locks of this session. "AccessExclusiveLock" becomes "ACCESS EXCLUSIVE". */
const grantedLocks = `
  select relation::text as oid, upper(regexp_replace(replace(mode, 'Lock', ''), '([a-z])([A-Z])', '\\1 \\2', 'g')) as level
  from pg_locks where pid = pg_backend_pid() and locktype = 'relation' and granted`;

async function workDone(read: (sql: string) => Promise<Rows>, before: { tables: Rows; indexes: Rows }) {
  const files = new Map((await read(tables)).map(({ oid, file }) => [oid, file]));
  const known = new Set(before.indexes.map(({ oid }) => oid));
  const built = (await read(indexes)).filter(({ oid }) => !known.has(oid)).map(({ table }) => table);
  const counts = await read(`select relname as name, (seq_scan + coalesce(idx_scan, 0))::text as scans,
    (n_tup_upd + n_tup_ins + n_tup_del)::text as written from pg_stat_xact_user_tables where schemaname = 'public'`);
  return (name: string): Work => {
    const table = before.tables.find((one) => one.name === name);
    const counted = counts.find((one) => one.name === name);
    const did: Record<Work, boolean> = {
      catalog: true,
      scan: Number(counted?.scans) > 0,
      index: built.includes(name),
      update: Number(counted?.written) > 0,
      rewrite: files.get(table?.oid ?? '') !== table?.file,
    };
    return works.findLast((work) => did[work]) ?? 'catalog';
  };
}

function contractions(before: Rows, after: Rows, demandsBefore: Rows, demandsAfter: Rows): string[] {
  const found: string[] = [];
  for (const { name = '', type, wanted } of before) {
    const now = after.find((column) => column.name === name);
    if (now === undefined) found.push(`${name} is gone`);
    else if (now.type !== type) found.push(`${name} has another type`);
    else if (now.wanted === 'true' && wanted === 'false') found.push(`${name} needs a value`);
  }
  const oldTables = new Set(before.map(({ table }) => table));
  const old = new Set(before.map(({ name }) => name));
  for (const { name = '', table, wanted } of after) {
    if (oldTables.has(table) && !old.has(name) && wanted === 'true') found.push(`${name} is new and needs a value`);
  }
  const known = new Set(demandsBefore.map(({ name }) => name));
  for (const { name = '', table, columns: of = '' } of demandsAfter) {
    const concernsOld = of === '' || of.split(' ').some((column) => old.has(column));
    if (oldTables.has(table) && !known.has(name) && concernsOld) found.push(`${name} is a new demand on ${table}`);
  }
  return [...new Set(found)].sort();
}
