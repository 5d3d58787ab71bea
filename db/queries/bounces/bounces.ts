import type { MailEventKind, SuppressionReason } from '../../../billing/mail/mailEvents.ts';
import type { EntityManager } from '../../orm.ts';
import type { Sql } from '../kernel/sql.ts';

interface Key {
  accountId: number;
  id: number;
}

/** A mail as an event about it needs it. */
export interface MailOfEvent {
  id: number;
  customerId: number | null;
  toAddress: string;
  bcc: string[];
}

/** The mail of an account with a Message-ID. Null: it has none. */
export async function mailOfEvent(
  em: EntityManager,
  { accountId, messageId }: { accountId: number; messageId: string },
): Promise<MailOfEvent | null> {
  const [row] = await em.execute<MailOfEvent[]>(
    `select id, customer_id as "customerId", to_address as "toAddress", bcc from email where account_id = ? and message_id = ?
     order by id limit 1`,
    [accountId, messageId],
  );
  return row ?? null;
}

export interface StoredMailEvent {
  accountId: number;
  configuration: string;
  reference: string;
  kind: MailEventKind;
  /** Whether it counts against the address. */
  counts: boolean;
  emailId: number | null;
  addressHash: string;
  occurredAt: Date;
  receivedAt: Date;
}

/** Stores an event of a provider. False: it was stored before. */
export async function storeMailEvent(em: EntityManager, event: StoredMailEvent): Promise<boolean> {
  const { accountId, configuration, reference, kind, counts, emailId, addressHash, occurredAt, receivedAt } = event;
  const rows = await em.execute<object[]>(
    `insert into mail_event (account_id, configuration, reference, kind, counts, email_id, digest, occurred_at, received_at)
     values (?, ?, ?, ?, ?, ?, ?, ?, ?) on conflict (account_id, configuration, reference) do nothing returning id`,
    [accountId, configuration, reference, kind, counts, emailId, addressHash, occurredAt, receivedAt],
  );
  return rows.length > 0;
}

/** Number of mails to an address that were refused for now, in a way that counts, since a time, and since mail to it was last allowed again. */
export async function softBounced(
  em: EntityManager,
  { accountId, addressHash, since }: { accountId: number; addressHash: string; since: Date },
): Promise<number> {
  const [row] = await em.execute<{ count: number }[]>(
    `select count(distinct email_id)::int as count from mail_event e where account_id = ? and digest = ? and kind = 'soft_bounce'
       and counts and occurred_at > ? and occurred_at > coalesce((select lifted_at from suppression s where s.account_id = e.account_id
         and s.digest = e.digest), '-infinity')`,
    [accountId, addressHash, since],
  );
  return row?.count ?? 0;
}

export interface NewSuppression {
  accountId: number;
  addressHash: string;
  /** Null, like `detail`: its customer was anonymized, and only the hash is kept. */
  address: string | null;
  reason: SuppressionReason;
  detail: string | null;
  /** When the event happened. One from before the address was allowed again changes nothing. */
  occurredAt: Date;
  now: Date;
}

/** Stops mail to an address. Returns the id of its suppression; null: it was allowed again after the event. */
export async function suppress(em: EntityManager, of: NewSuppression): Promise<number | null> {
  const { accountId, addressHash, address, reason, detail, occurredAt, now } = of;
  await em.execute(
    `insert into suppression (account_id, digest, address, reason, detail, is_checked, suppressed_at, created_at, updated_at)
     values (?, ?, ?, ?, ?, true, ?, ?, ?)
     on conflict (account_id, digest) do update set address = excluded.address, reason = excluded.reason, detail = excluded.detail,
       is_checked = true, suppressed_at = excluded.suppressed_at, lifted_at = null, updated_at = excluded.updated_at
     where suppression.lifted_at < ?`,
    [accountId, addressHash, address, reason, detail, now, now, now, occurredAt],
  );
  const [row] = await em.execute<{ id: number }[]>(
    'select id from suppression where account_id = ? and digest = ? and lifted_at is null',
    [accountId, addressHash],
  );
  return row?.id ?? null;
}

/** A suppressed address. */
export interface Suppressed {
  id: number;
  addressHash: string;
  reason: SuppressionReason;
}

/** The addresses with these hashes to which nothing is sent. */
export function suppressedWith(
  em: EntityManager,
  { accountId, addressHashes }: { accountId: number; addressHashes: readonly string[] },
): Promise<Suppressed[]> {
  return em.execute<Suppressed[]>(
    'select id, digest as "addressHash", reason from suppression where account_id = ? and digest = any(?::text[]) and lifted_at is null',
    [accountId, `{${addressHashes.join()}}`],
  );
}

/**
 * Records that a mail did not arrive. It becomes bounced, unless blind copies still wait for it. Then only the refusal is recorded, and its
 * next attempt stays planned.
 */
export async function markBounced(em: EntityManager, of: Key & { reason: string; now: Date }): Promise<void> {
  await em.execute(
    `update email set failure_reason = ?, updated_at = greatest(updated_at, ?),
       progress = jsonb_set(progress, '{refusal}', to_jsonb(?::text)),
       state = case when progress is null then 'bounced' else state end,
       next_attempt_at = case when progress is not null then next_attempt_at end,
       view = case when progress is not null then view end
     where account_id = ? and id = ? and state in ('queued', 'sent')`,
    [of.reason, of.now, of.reason, of.accountId, of.id],
  );
}

/** Notes what was said about a mail that was sent. */
export async function noteReasonOfSent(em: EntityManager, of: Key & { reason: string; now: Date }): Promise<void> {
  await em.execute(
    `update email set failure_reason = ?, updated_at = greatest(updated_at, ?) where account_id = ? and id = ? and state = 'sent'`,
    [of.reason, of.now, of.accountId, of.id],
  );
}

/** Fails a queued mail whose recipient is suppressed. False: it is not queued any more, or its recipient is allowed again. */
export async function failSuppressedMail(
  em: EntityManager,
  of: Key & { suppressionId: number; reason: string; now: Date },
): Promise<boolean> {
  const { accountId, id, suppressionId, reason, now } = of;
  const rows = await em.execute<object[]>(
    `update email set state = 'failed', failure_reason = ?, next_attempt_at = null, view = null, progress = null,
       updated_at = greatest(updated_at, ?)
     where account_id = ? and id = ? and state = 'queued'
       and exists (select 1 from suppression where account_id = ? and id = ? and lifted_at is null) returning id`,
    [reason, now, accountId, id, accountId, suppressionId],
  );
  return rows.length > 0;
}

/** A live suppression of an earlier version. `detail`: null: its customer was anonymized. */
export interface UncheckedSuppression {
  accountId: number;
  id: number;
  reason: SuppressionReason;
  detail: string | null;
}

/** Live suppressions of all accounts that earlier versions made and nobody has checked since, at most `limit`. */
export function uncheckedSuppressions(sql: Sql, limit: number): Promise<UncheckedSuppression[]> {
  return sql.query<UncheckedSuppression>(
    `select account_id as "accountId", id, reason, detail from suppression where lifted_at is null and not is_checked
     order by account_id, id limit $1`,
    [limit],
  );
}

/** Notes that suppressions were checked. */
export async function noteChecked(
  em: EntityManager,
  { accountId, ids }: { accountId: number; ids: readonly number[] },
): Promise<void> {
  await em.execute(
    'update suppression set is_checked = true where account_id = ? and id = any(?::int[]) and lifted_at is null and not is_checked',
    [accountId, `{${ids.join()}}`],
  );
}

/** Closes problems about suppressed addresses that the team no longer has. `addressHashes`: the addresses that it has. */
export async function closeProblemsOfFormer(
  em: EntityManager,
  { accountId, addressHashes }: { accountId: number; addressHashes: readonly string[] },
  now: Date,
): Promise<void> {
  await em.execute(
    `update problem p set closed_at = ?, next_try_at = null, updated_at = ?
     where account_id = ? and subject_type = 'suppression' and closed_at is null and not exists (
       select 1 from suppression s where s.account_id = p.account_id and s.id = p.subject_id
         and s.digest = any(?::text[]))`,
    [now, now, accountId, `{${addressHashes.join()}}`],
  );
}
