import { randomUUID } from 'node:crypto';
import { Webhook, WebhookVerificationError } from 'standardwebhooks';
import { Refusal } from '../../../billing/refusal.ts';
import type { GatewayEvent, GatewayMessage } from '../../../commands/ports/ports.ts';
import type { Queryable } from './database.ts';
import type { FaultyLine } from './faults.ts';

/** Maximum number of events that one call sends. */
const MOST = 50;
/** Time limit of a delivery, milliseconds. */
const TIMEOUT_MILLISECONDS = 10_000;
/** Number of tries after which an event is given up. The waits between them double, up to an hour. */
const MOST_TRIES = 60;

interface EventRow {
  id: string;
  account_id: string;
  type: string;
  reference: string;
}

const announceSql = `
  insert into test_gateway.event (id, account_id, type, reference, due_at)
  select 'evt_' || reference || '_ended', account_id, 'operation.ended', reference, now()
  from test_gateway.operation where status = 'pending' and settles_at <= now()
  union all
  select 'evt_' || d.reference || '_closed', o.account_id, 'dispute.closed', o.reference, now()
  from test_gateway.dispute d join test_gateway.operation o on o.reference = d.charge_reference
  where d.status = 'open' and d.evidence_due_at <= now()
  on conflict (id) do nothing`;

const claimSql = `
  update test_gateway.event set tries = tries + 1,
    due_at = now() + least(power(2, tries), 3600) * interval '1 second'
  where id in (
    select id from test_gateway.event where delivered_at is null and due_at <= now() and tries < ${MOST_TRIES}
    order by due_at limit ${MOST} for update skip locked)
  returning id, account_id, type, reference`;

/** Sends signed messages to one address for each account. */
export interface EventSending {
  /** The address of the API, such as `http://127.0.0.1:3000`. */
  url: string;
  secretOf: (accountId: number) => string;
  line: FaultyLine;
}

/**
 * Sends the events that are due, each as a signed request. Those that are not answered with 2xx are sent again later, with growing waits.
 * Returns the number of events that were accepted and are not sent again.
 */
export async function sendDueEvents(db: Queryable, sending: EventSending): Promise<number> {
  await db.query(announceSql);
  const { rows } = await db.query<EventRow>(claimSql);
  const deliveries = sending.line.sent(rows);
  const sent = await Promise.all(deliveries.map(async (row) => ((await deliver(row, sending)) ? row.id : null)));
  const accepted = [...new Set(sent)].filter((id) => id !== null && !sending.line.isRepeatedLater());
  if (accepted.length > 0)
    await db.query('update test_gateway.event set delivered_at = now() where id = any($1)', [accepted]);
  return accepted.length;
}

/** Sends one event. False: it was not accepted. */
async function deliver(row: EventRow, { url, secretOf }: EventSending): Promise<boolean> {
  const { id, account_id: account, type, reference } = row;
  const body = JSON.stringify({ id, type, data: { reference } });
  try {
    const answer = await fetch(`${url}/gateway_events/test_${account}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...signed(body, secretOf(Number(account))) },
      body,
      signal: AbortSignal.timeout(TIMEOUT_MILLISECONDS),
    });
    await answer.arrayBuffer();
    return answer.ok;
  } catch {
    return false;
  }
}

/** The headers of a signed message, by Standard Webhooks. */
export function signed(body: string, secret: string, sentAt = new Date()): Record<string, string> {
  const id = `msg_${randomUUID()}`;
  return {
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(sentAt.getTime() / 1000)),
    'webhook-signature': new Webhook(secret).sign(id, sentAt, body),
  };
}

/** Checks the signature of a message, which must be at most five minutes old, and reads its event. Throws a Refusal. */
export function readTestEvent({ headers, body }: GatewayMessage, secret: string): GatewayEvent {
  const known = Object.entries(headers).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]]));
  const event = verified(body, { headers: Object.fromEntries(known), secret });
  const { id, type, data } = Object(event);
  const reference: unknown = Object(data).reference;
  if (!isName(id) || !isName(type)) throw new Refusal('body_invalid', 'The event has no id or no type');
  return { id, type, reference: KNOWN.has(type) && isName(reference) ? reference : null };
}

/** Types of events that say that something happened to an operation. */
const KNOWN = new Set(['charge.returned', 'dispute.opened', 'dispute.closed', 'operation.ended']);

const isName = (value: unknown): value is string => typeof value === 'string' && /^[\w.]{1,100}$/.test(value);

function verified(body: string, by: { headers: Record<string, string>; secret: string }): unknown {
  try {
    return new Webhook(by.secret).verify(body, by.headers);
  } catch (error) {
    if (error instanceof WebhookVerificationError)
      throw new Refusal('signature_invalid', `The event is not accepted: ${error.message}`);
    if (error instanceof SyntaxError) throw new Refusal('body_invalid', 'The event is not valid JSON');
    throw error;
  }
}
