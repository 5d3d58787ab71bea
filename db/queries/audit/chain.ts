import { HORIZON } from '../../auditMonths.ts';
import { LOOKUP_SCHEMA } from '../../lookups.ts';
import { numberArray, type Sql, textArray } from '../kernel/sql.ts';

/**
 * SQL: a row `l` of the audit log as one text, for its MAC. It never changes: columns of later versions are added to it only where they are
 * not null.
 */
export const CONTENT = `jsonb_build_array(l.account_id, l.id, (extract(epoch from l.created_at) * 1000000)::bigint, l.kind, l.actor,
  l.actor_id, l.actor_name, l.member_id, l.operation, l.object_type, l.object_id, l.ip, l.user_agent, l.request_id, l.reason,
  l.before, l.after, l.count)::text`;

/** The stored key of the chain, encrypted. `make` makes the first one. Null: the database is no deployment yet. */
export async function keepAuditKey(sql: Sql, make: () => string): Promise<string | null> {
  const read = () => sql.query<{ key: string | null }>('select sealed_audit_key as key from deployment');
  const [stored] = await read();
  if (!stored || stored.key !== null) return stored?.key ?? null;
  await sql.query('update deployment set sealed_audit_key = $1 where sealed_audit_key is null', [make()]);
  return (await read())[0]?.key ?? null;
}

export interface Unlinked {
  accountId: number;
  entryId: number;
  createdAt: Date;
  /** The same with its microseconds. */
  exactly: string;
  content: string;
}

/** Takes rows that have no link out of the queue, in the order of their accounts and ids. */
export function claimUnlinked(sql: Sql, { now, limit }: { now: Date; limit: number }): Promise<Unlinked[]> {
  return sql.query<Unlinked>(
    `with due as (
       select account_id, entry_id from audit_queue where due_at <= $1 order by due_at limit $2 for update skip locked
     ), taken as (
       delete from audit_queue q using due d where q.account_id = d.account_id and q.entry_id = d.entry_id
       returning q.account_id, q.entry_id, q.created_at
     )
     select t.account_id as "accountId", t.entry_id as "entryId", t.created_at as "createdAt", t.created_at::text as exactly, ${CONTENT} as content
     from taken t join audit_log l on l.account_id = t.account_id and l.id = t.entry_id and l.created_at = t.created_at
     order by 1, 2`,
    [now, limit],
  );
}

export interface Head {
  accountId: number;
  position: number;
  mac: string;
  linkedAt: Date;
}

/** Locks and reads the last links of the accounts of some rows. */
export function readHeads(sql: Sql, rows: readonly { accountId: number }[]): Promise<Head[]> {
  return sql.query<Head>(
    `select account_id as "accountId", position, mac, linked_at as "linkedAt" from audit_head
     where account_id = any($1::int[]) order by account_id for update`,
    [numberArray(new Set(rows.map(({ accountId }) => accountId)))],
  );
}

export interface NewLink {
  accountId: number;
  position: number;
  linkedAt: Date;
  entryId: number;
  /** With its microseconds. */
  entryCreatedAt: string;
  mac: string;
}

const times = (dates: readonly Date[]): string => textArray(dates.map((date) => date.toISOString()));

/** Appends links, and replaces the heads of their accounts. */
export async function storeLinks(
  sql: Sql,
  links: readonly NewLink[],
  heads: readonly (Head & { signature: string })[],
): Promise<void> {
  await sql.query(
    `with linked as (
       insert into audit_link (account_id, position, created_at, entry_id, entry_created_at, mac)
       select * from unnest($1::int[], $2::bigint[], $3::timestamptz[], $4::bigint[], $5::timestamptz[], $6::text[])
     )
     insert into audit_head (account_id, position, mac, linked_at, signature)
     select * from unnest($7::int[], $8::bigint[], $9::text[], $10::timestamptz[], $11::text[])
     on conflict (account_id) do update
     set position = excluded.position, mac = excluded.mac, linked_at = excluded.linked_at, signature = excluded.signature`,
    [
      numberArray(links.map(({ accountId }) => accountId)),
      numberArray(links.map(({ position }) => position)),
      times(links.map(({ linkedAt }) => linkedAt)),
      numberArray(links.map(({ entryId }) => entryId)),
      textArray(links.map(({ entryCreatedAt }) => entryCreatedAt)),
      textArray(links.map(({ mac }) => mac)),
      numberArray(heads.map(({ accountId }) => accountId)),
      numberArray(heads.map(({ position }) => position)),
      textArray(heads.map(({ mac }) => mac)),
      times(heads.map(({ linkedAt }) => linkedAt)),
      textArray(heads.map(({ signature }) => signature)),
    ],
  );
}

/** Opens this month of the audit log and the two after it. */
export async function openMonths(sql: Sql, now: Date): Promise<void> {
  await sql.query(`select ${LOOKUP_SCHEMA}.open_audit_months($1)`, [now]);
}

interface Last {
  accountId: number;
  position: number;
  mac: string;
}

/** The last links of accounts before a time. Null: nothing is from before, or it is no two years ago by the clock of the database. */
export async function lastLinks(sql: Sql, through: Date): Promise<Last[] | null> {
  const [row] = await sql.query<{ due: boolean }>(
    `select $1 <= ${HORIZON}
       and (exists (select from audit_log where created_at < $1) or exists (select from audit_link where created_at < $1)) as due`,
    [through],
  );
  if (!row?.due) return null;
  return sql.query<Last>(
    `select distinct on (account_id) account_id as "accountId", position, mac from audit_link
     where created_at < $1 order by account_id, position desc`,
    [through],
  );
}

export async function anchorMonths(
  sql: Sql,
  anchors: readonly (Last & { signature: string })[],
  through: Date,
): Promise<void> {
  await sql.query(
    `insert into audit_anchor (account_id, through, position, mac, signature)
     select account_id, $1, position, mac, signature
     from unnest($2::int[], $3::bigint[], $4::text[], $5::text[]) as a (account_id, position, mac, signature)
     on conflict do nothing`,
    [
      through,
      numberArray(anchors.map(({ accountId }) => accountId)),
      numberArray(anchors.map(({ position }) => position)),
      textArray(anchors.map(({ mac }) => mac)),
      textArray(anchors.map(({ signature }) => signature)),
    ],
  );
}

export async function endMonths(sql: Sql, through: Date): Promise<number> {
  const [row] = await sql.query<{ ended: number }>(`select ${LOOKUP_SCHEMA}.end_audit_months($1) as ended`, [through]);
  return row?.ended ?? 0;
}

interface Signed extends Last {
  signature: string;
}

/** What bounds the chain of an account: its head, and the anchors of its dropped months, of which `anchor` is the last. */
export interface ChainEnds {
  head: Signed | null;
  anchors: (Signed & { through: Date })[];
  anchor: (Signed & { through: Date }) | null;
}

export async function endsOfChain(sql: Sql, accountId: number): Promise<ChainEnds> {
  const columns = 'account_id as "accountId", position, mac, signature';
  const [head = null] = await sql.query<Signed>(`select ${columns} from audit_head where account_id = $1`, [accountId]);
  const anchors = await sql.query<Signed & { through: Date }>(
    `select ${columns}, through from audit_anchor where account_id = $1 order by through`,
    [accountId],
  );
  return { head, anchors, anchor: anchors.at(-1) ?? null };
}

export interface LinkedRow {
  position: number;
  mac: string;
  linkedAt: Date;
  entryId: number;
  entryCreatedAt: Date;
  /** Null: the row is gone. */
  content: string | null;
}

/** The links of an account after a position, with the rows that they link. */
export function linkedRows(
  sql: Sql,
  after: { accountId: number; position: number },
  limit: number,
): Promise<LinkedRow[]> {
  return sql.query<LinkedRow>(
    `select k.position, k.mac, k.created_at as "linkedAt", k.entry_id as "entryId", k.entry_created_at as "entryCreatedAt",
       case when l.id is not null then ${CONTENT} end as content
     from (select * from audit_link where account_id = $1 and position > $2 order by position limit $3) k
     left join audit_log l on l.account_id = k.account_id and l.id = k.entry_id and l.created_at = k.entry_created_at
     order by k.position`,
    [after.accountId, after.position, limit],
  );
}

/** At most a thousand rows of an account that have no link and do not wait for one. `since`: the end of the dropped months. */
export function rowsWithoutLink(sql: Sql, accountId: number, since: Date | null): Promise<{ id: number }[]> {
  return sql.query<{ id: number }>(
    `select l.id from audit_log l where l.account_id = $1 and ($2::timestamptz is null or l.created_at >= $2)
       and not exists (select from audit_link k where k.account_id = l.account_id and k.entry_id = l.id)
       and not exists (select from audit_queue q where q.account_id = l.account_id and q.entry_id = l.id)
     order by l.id limit 1000`,
    [accountId, since],
  );
}
