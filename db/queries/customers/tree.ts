import { LOOKUP_SCHEMA } from '../../lookups.ts';
import type { EntityManager } from '../../orm.ts';
import { textArray } from '../kernel/sql.ts';

interface Key {
  accountId: number;
  id: number;
}

/** Limit of the recursion: more levels than a customer may have above or below it. */
const FARTHEST = 50;

/** Locks all parent relations of the account until the commit. Taken before any customer is locked. */
export async function lockCustomerTree(em: EntityManager, accountId: number): Promise<void> {
  await em.execute(`select pg_advisory_xact_lock(hashtextextended('customer tree', ?))`, [accountId]);
}

/** Ids from a customer up to the topmost, itself first. */
export async function lineOf(em: EntityManager, { accountId, id }: Key): Promise<number[]> {
  const rows = await em.execute<{ id: number }[]>(
    `with recursive line as (
       select id, parent_id, 1 as level from customer where account_id = ? and id = ?
       union all select c.id, c.parent_id, l.level + 1 from line l
       join customer c on c.account_id = ? and c.id = l.parent_id where l.level < ${FARTHEST}
     ) select id from line order by level`,
    [accountId, id, accountId],
  );
  return rows.map((row) => row.id);
}

/** Ids of a customer's own children. */
export async function childrenOf(em: EntityManager, { accountId, id }: Key): Promise<number[]> {
  const sql = 'select id from customer where account_id = ? and parent_id = ? order by id';
  const rows = await em.execute<{ id: number }[]>(sql, [accountId, id]);
  return rows.map((row) => row.id);
}

/** Number of levels of a customer and its descendants: 1 for a customer without children. */
export async function levelsBelow(em: EntityManager, { accountId, id }: Key): Promise<number> {
  const [row] = await em.execute<{ levels: number }[]>(
    `with recursive below as (
       select id, 1 as level from customer where account_id = ? and id = ?
       union all select c.id, b.level + 1 from below b
       join customer c on c.account_id = ? and c.parent_id = b.id where b.level < ${FARTHEST}
     ) select max(level) as levels from below`,
    [accountId, id, accountId],
  );
  return row?.levels ?? 1;
}

/** Ids of a customer and its descendants, itself first, at most `most`. */
export async function withDescendants(
  em: EntityManager,
  { accountId, id, most }: Key & { most: number },
): Promise<number[]> {
  const rows = await em.execute<{ id: number }[]>(
    `with recursive below as (
       select id, 1 as level from customer where account_id = ? and id = ?
       union all select c.id, b.level + 1 from below b
       join customer c on c.account_id = ? and c.parent_id = b.id where b.level < ${FARTHEST}
     ) select id from below order by level, id limit ?`,
    [accountId, id, accountId, most],
  );
  return rows.map((row) => row.id);
}

/** Ids of the given customers that are descendants of another. */
export async function descendantsAmong(
  em: EntityManager,
  { accountId, id, among }: Key & { among: readonly number[] },
): Promise<number[]> {
  if (among.length === 0) return [];
  const rows = await em.execute<{ id: number }[]>(
    `with recursive line as (
       select id as lowest, parent_id, 1 as level from customer where account_id = ? and id = any(?::int[])
       union all select l.lowest, c.parent_id, l.level + 1 from line l
       join customer c on c.account_id = ? and c.id = l.parent_id where l.level < ${FARTHEST}
     ) select distinct lowest as id from line where parent_id = ?`,
    [accountId, `{${among.join()}}`, accountId, id],
  );
  return rows.map((row) => row.id);
}

/** Ids of the customers whose invoices this sender of bank transfers has paid, the oldest customers first. */
export async function customersOfSender(
  em: EntityManager,
  { accountId, senderId, most }: { accountId: number; senderId: string; most: number },
): Promise<number[]> {
  const rows = await em.execute<{ id: number }[]>(
    `select distinct customer_id as id from payment
     where account_id = ? and ach_sender_id = ? and customer_id is not null and not voided order by id limit ?`,
    [accountId, senderId, most],
  );
  return rows.map(({ id }) => id);
}

/** Ids of the customers with these names in lower case, the oldest first. Those that were merged or anonymized are left out. */
export async function customersOfNames(
  em: EntityManager,
  { names, most }: { names: readonly string[]; most: number },
): Promise<number[]> {
  if (names.length === 0) return [];
  const rows = await em.execute<{ id: number }[]>(
    `select found_id as id from ${LOOKUP_SCHEMA}.customers_of_names(?::text[], ?::int)`,
    [textArray(names), most],
  );
  return rows.map(({ id }) => id);
}
