import { isSuccess } from '../billing/webhook.ts';
import type { WebhookAnswer, WebhookRequest } from '../commands/ports/ports.ts';
import { recordDelivered, recordFailed } from '../commands/webhooks/deliveries.ts';
import { webhookRequest } from '../commands/webhooks/request.ts';
import { secretsOf } from '../commands/webhooks/secrets.ts';
import { failpoint } from '../db/failpoint.ts';
import { dueHeads, type Head, nextLaneAt } from '../db/queries/webhooks/deliveries.ts';
import { Webhook } from '../db/schema/webhook.ts';
import { currentCause, inSpan } from '../db/tracing.ts';
import { inTransaction } from '../db/transaction.ts';
import type { ActivityResult, ProcessInput } from '../workflows/process.ts';
import type { WorkerDeps } from './deps.ts';
import type { DeliveryOutcome } from './metrics.ts';
import { afterOther, pump, recorded } from './pump.ts';

const OVER: ActivityResult = { did: [], wakeAt: null, next: null, more: false, call: null };

/**
 * Delivers the events in one shard of an endpoint. Takes only the oldest waiting event of each object, so an object's events are delivered
 * in order.
 */
export async function pumpWebhook(
  deps: WorkerDeps,
  input: ProcessInput,
  isWanted?: () => boolean,
): Promise<ActivityResult> {
  const { accountId, id } = input;
  const { webhookSigner: signer, webhookTimeout: timeout } = deps;
  let webhook = await endpoint(deps, input);
  if (!webhook) return OVER;
  const shard = { accountId, id, shard: input.shard ?? 0 };
  let version = '';
  const sent = await pump<Head>(
    deps,
    { ...input, process: 'webhook' },
    {
      take: async (limit, busy) => {
        const heads = await dueHeads(deps.em.fork(), { ...shard, limit: limit + busy.size }, deps.systemNow());
        const seen = heads[0]?.endpointVersion ?? version;
        if (seen !== version) webhook = await endpoint(deps, input); // a later change has a newer version, and is read next time
        version = seen;
        if (!webhook) return [];
        return heads.filter((head) => !busy.has(head.id)).slice(0, limit);
      },
      isWanted,
      idOf: (head) => head.id,
      send: async (head, mayBegin) => {
        await mayBegin();
        if (!webhook) return true;
        const secrets = secretsOf(webhook, deps.cipher, deps.systemNow());
        const request = webhookRequest(head, { webhook, signer, secrets, now: deps.systemNow(), timeout });
        if (head.attempts === 0) deps.metrics?.firstSent(secondsSince(new Date(head.createdAt), deps.systemNow()));
        const answer = await sendInTrace(deps, request, head);
        const outcome = outcomeOf(answer);
        deps.metrics?.delivered(outcome);
        await failpoint('webhook.sent');
        const attempt = { accountId, webhookId: id, head, answer };
        if (outcome === 'delivered') return recorded(() => recordDelivered(deps.em.fork(), attempt, deps.systemNow()));
        const failed = { ...attempt, chance: Math.random() };
        return recorded(() => inTransaction(deps.em, (em) => recordFailed(em, failed, deps.systemNow())));
      },
    },
  );
  if (sent === null) return afterOther(deps.systemNow());
  const next = (await endpoint(deps, input)) ? await nextLaneAt(deps.em.fork(), shard) : null;
  const did = sent === 0 ? [] : [`made ${sent} attempts`];
  return { did, wakeAt: next?.getTime() ?? null, next: 'next attempt', more: false, call: null };
}

/** Sends a delivery as a part of the trace of its event, and passes that trace on. */
function sendInTrace(
  { webhookSender }: Pick<WorkerDeps, 'webhookSender'>,
  request: WebhookRequest,
  { traceparent: parent, type }: Head,
): Promise<WebhookAnswer> {
  return inSpan({ name: `webhook ${type}`, kind: 'client', parent }, async (span) => {
    const traceparent = parent === null ? null : currentCause().traceparent;
    const headers = traceparent ? { ...request.headers, traceparent } : request.headers;
    const answer = await webhookSender.send({ ...request, headers });
    const attributes = answer.statusCode === null ? {} : { 'http.response.status_code': answer.statusCode };
    span.describe({ attributes, isFailure: !isSuccess(answer.statusCode ?? 0) });
    return answer;
  });
}

/** Seconds between two real times, which may come from two machines. A negative difference counts as 0. */
function secondsSince(then: Date, now: Date): number {
  return Math.max(0, now.getTime() - then.getTime()) / 1000;
}

function outcomeOf({ statusCode }: WebhookAnswer): DeliveryOutcome {
  if (statusCode === null) return 'unreachable';
  return isSuccess(statusCode) ? 'delivered' : 'refused';
}

/** Reads the endpoint, which may change while the pump runs. Null: it is disabled or deleted, and nothing is delivered to it any more. */
async function endpoint(deps: WorkerDeps, { accountId, id }: ProcessInput): Promise<Webhook | null> {
  return deps.em.fork().findOne(Webhook, { accountId, id, enabled: true, deletedAt: null });
}
