import { Refusal } from '../../billing/refusal.ts';
import type { EntityManager } from '../../db/orm.ts';
import {
  MOST_LOOKED_AT,
  nextReplayId,
  queueAgain,
  type ReplayedEvents,
  replayedPositions,
} from '../../db/queries/webhooks/replay.ts';
import { enqueuePump, findWebhook, type WebhookKey } from './webhooks.ts';

/** Maximum number of events per replay request. */
const MOST_EVENTS = 10_000;

/**
 * Queues the events that match for an endpoint again, in the order of the log, also events from before the endpoint existed. Skips types to
 * which it does not subscribe. Returns their number. Refuses a disabled endpoint, more than 10,000 matching events, and a search through
 * more than `MOST_LOOKED_AT` events. Throws Missing.
 */
export async function replayEvents(
  em: EntityManager,
  { caller, id, which }: WebhookKey & { which: ReplayedEvents },
  systemNow: Date,
): Promise<{ id: number; webhookId: number; count: number }> {
  const webhook = await findWebhook(em, { caller, id });
  if (!webhook.enabled) throw new Refusal('state_conflict', 'Webhook is disabled: enable it first');
  const to = { accountId: caller.account.id, webhookId: id };
  const wanted = { ...which, types: webhook.events ?? null, limit: MOST_EVENTS + 1 };
  const positions = await replayedPositions(em, to.accountId, wanted);
  if (!positions) {
    const most = MOST_LOOKED_AT.toLocaleString('en');
    throw new Refusal(
      'limit_exceeded',
      `More than ${most} events would have to be read: request a shorter period`,
      'end_date',
    );
  }
  if (positions.length > MOST_EVENTS)
    throw new Refusal('limit_exceeded', `More than ${MOST_EVENTS} events match: request a shorter period`, 'end_date');
  const shards = await queueAgain(em, to, { positions, now: systemNow });
  for (const shard of shards) await enqueuePump(em, { ...to, shard }, systemNow);
  return { id: await nextReplayId(em), webhookId: id, count: positions.length };
}
