import type { Sql } from '../db/queries/kernel/sql.ts';
import { numberOf } from './database.ts';

/** Buffers of tables, indexes and TOAST that statements have accessed so far, in memory or not. `of`: pattern of the names of tables. */
export function blocks(sql: Sql, of = '%'): Promise<number> {
  return numberOf(
    sql,
    `select sum(coalesce(heap_blks_read, 0) + coalesce(heap_blks_hit, 0) + coalesce(idx_blks_read, 0) + coalesce(idx_blks_hit, 0)
            + coalesce(toast_blks_read, 0) + coalesce(toast_blks_hit, 0) + coalesce(tidx_blks_read, 0) + coalesce(tidx_blks_hit, 0))
     from pg_statio_user_tables where relname like $1`,
    [of],
  );
}
