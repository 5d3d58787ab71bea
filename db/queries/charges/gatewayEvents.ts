import type { EntityManager } from '../../orm.ts';
import { NOT_MADE, undecided } from '../../schema/attempt.ts';
import { type GatewayEventState, HAS_CLIENT_SECRET } from '../../schema/gatewayEvent.ts';
import { numberArray, type Sql } from '../kernel/sql.ts';

interface AttemptKey {
  accountId: number;
  id: number;
}

/**
 * The id of the attempt with a gateway's reference: a charge, a refund, or an attempt that was not made as far as is known. Null if there
 * is none.
 */
export async function attemptOf(
  em: EntityManager,
  { accountId, gateway, reference }: { accountId: number; gateway: string; reference: string },
): Promise<number | null> {
  const named = [accountId, gateway, reference];
  const [row] = await em.execute<{ id: number }[]>(
    `select attempt_id as id from charge where account_id = ? and gateway = ? and gateway_id = ?
     union all select attempt_id from refund where account_id = ? and gateway = ? and gateway_id = ?
     union all select id from attempt where account_id = ? and gateway = ? and reference = ? and state in (${undecided})
     union all select id from attempt where account_id = ? and gateway = ? and reference = ? and ${NOT_MADE}
     limit 1`,
    [...named, ...named, ...named, ...named],
  );
  return row?.id ?? null;
}

export interface ReceivedEvent {
  accountId: number;
  configuration: string;
  eventId: string;
  type: string;
  reference: string | null;
  attemptId: number | null;
  body: string;
  state: GatewayEventState;
  receivedAt: Date;
}

/** SQL: whether the customer of an attempt was anonymized. */
const ANONYMIZED = `exists (select 1 from attempt a join customer c on c.account_id = a.account_id and c.id = a.customer_id
  where a.account_id = ? and a.id = ? and c.anonymized_at is not null)`;

/** Stores an event, without its body if the customer was anonymized. False: it was stored before. */
export async function storeEvent(em: EntityManager, event: ReceivedEvent): Promise<boolean> {
  const { accountId, configuration, eventId, type, reference, attemptId, body, state, receivedAt } = event;
  const rows = await em.execute<object[]>(
    `insert into gateway_event (account_id, configuration, event_id, type, reference, attempt_id, body, state, received_at)
     values (?, ?, ?, ?, ?, ?, case when ${ANONYMIZED} then '' else ?::text end, ?, ?)
     on conflict (account_id, configuration, event_id) do nothing returning id`,
    [accountId, configuration, eventId, type, reference, attemptId, accountId, attemptId, body, state, receivedAt],
  );
  return rows.length > 0;
}

/** Ids of the events of an attempt that were received and not processed. */
export async function remainingEvents(em: EntityManager, { accountId, id }: AttemptKey): Promise<number[]> {
  const rows = await em.execute<{ id: string }[]>(
    `select id from gateway_event where account_id = ? and attempt_id = ? and state = 'received'`,
    [accountId, id],
  );
  return rows.map((row) => Number(row.id));
}

/** Marks events as processed. */
export async function finishEvents(
  em: EntityManager,
  { accountId, ids, now }: { accountId: number; ids: readonly number[]; now: Date },
): Promise<void> {
  if (ids.length === 0) return;
  await em.execute(
    `update gateway_event set state = 'processed', processed_at = ?
     where account_id = ? and id = any(?::bigint[]) and state = 'received'`,
    [now, accountId, numberArray(ids)],
  );
}

/** Gives events that came before their attempt was known to the attempt. */
export async function claimEvents(
  em: EntityManager,
  { accountId, attemptId, reference }: { accountId: number; attemptId: number; reference: string },
): Promise<void> {
  await em.execute(
    `update gateway_event set state = 'received', attempt_id = ? where account_id = ? and reference = ? and state = 'unmatched'`,
    [attemptId, accountId, reference],
  );
}

export interface EventKey {
  accountId: number;
  id: number;
}

/** Events of all accounts whose bodies have client secrets, at most `limit`. */
export async function eventsWithSecrets(sql: Sql, limit: number): Promise<EventKey[]> {
  const rows = await sql.query<{ accountId: number; id: string }>(
    `select account_id as "accountId", id from gateway_event where ${HAS_CLIENT_SECRET} order by account_id, id limit $1`,
    [limit],
  );
  return rows.map(({ accountId, id }) => ({ accountId, id: Number(id) }));
}

/** Takes the client secrets out of the bodies of events. */
export async function forgetClientSecrets(
  em: EntityManager,
  { accountId, ids }: { accountId: number; ids: readonly number[] },
): Promise<void> {
  await em.execute(
    `update gateway_event set body = regexp_replace(body, '"client_secret"(\\s*:\\s*)"([^"\\\\]|\\\\.)*"', '"client_secret"\\1null', 'g')
     where account_id = ? and id = any(?::bigint[]) and ${HAS_CLIENT_SECRET}`,
    [accountId, numberArray(ids)],
  );
}
