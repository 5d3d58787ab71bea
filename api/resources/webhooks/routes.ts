import { replayEvents } from '../../../commands/webhooks/replays.ts';
import { rotateSecret } from '../../../commands/webhooks/secrets.ts';
import { createWebhook, deleteWebhook, findWebhook, updateWebhook } from '../../../commands/webhooks/webhooks.ts';
import { recordTest, sendTest } from '../../../commands/webhooks/webhookTests.ts';
import type { Webhook } from '../../../db/schema/webhook.ts';
import { presentWebhook, presentWebhookAttempt, presentWebhookReplay } from '../../../present/webhooks/webhook.ts';
import { definedOnly } from '../../body/request.ts';
import type { ApiRequest } from '../../framework/apiRequest.ts';
import type { PresentedKind } from '../../framework/kind.ts';
import { keysOnly, pathId, type Reply, type Route, withBody } from '../../framework/route.ts';
import { presentedRelation } from '../../reading/expand.ts';
import { listRoute, readRoute } from '../../reading/readRoutes.ts';
import { write } from '../../writing/write.ts';
import { writeOutside } from '../../writing/writeOutside.ts';
import { createRoute, deleteRoute, noFields, updateRoute, withoutFields } from '../../writing/writeRoutes.ts';
import { webhookAttempts } from '../webhookAttempts.ts';
import { createdWebhook, newWebhook, replay, webhookChange, webhookReplay, webhooks } from './resource.ts';

/** Sends a test event and records the outcome. A repeated or concurrent request with the same key does not send another one. */
function testEndpoint(request: ApiRequest, id: number): Promise<Reply> {
  const { caller, deps, em } = request;
  return writeOutside(request, {
    check: (inner, by) => findWebhook(inner, { caller: by, id }),
    act: () => sendTest(em, { caller, id, ports: deps }, deps.systemNow()),
    record: (inner, { caller: by, outcome: answer }, now) => recordTest(inner, { caller: by, id, answer }, now),
    present: presentWebhookAttempt,
  });
}

const path = '/webhooks';
const withSecret = { shape: createdWebhook };
const presentWithSecret = ({ webhook, secret }: { webhook: Webhook; secret: string }) => ({
  ...presentWebhook(webhook),
  secret,
});

const replayed: PresentedKind = {
  shape: webhookReplay,
  relations: { webhook: presentedRelation(() => webhooks, 'webhook') },
};

/**
 * An endpoint gets events until it is deleted. An application's access may end before that, so applications may neither create nor change
 * endpoints.
 */
export const webhookRoutes: Route[] = [
  ...keysOnly(
    createRoute({
      path,
      resource: webhooks,
      body: newWebhook,
      sealed: withSecret,
      present: presentWithSecret,
      summary: 'Create a webhook endpoint; only this answer contains its signing secret',
      example: { url: 'https://example.com/hooks', events: ['invoice.paid', 'payment.created'] },
      command: (em, { caller, body, request }, now) => {
        const { cipher, webhookSender: sender } = request.deps;
        const { url, enabled, events, description } = body;
        const apiVersion = body.api_version ?? caller.account.apiVersion;
        const webhook = { url, enabled, apiVersion, events: events ?? null, description: description ?? null };
        return createWebhook(em, { ...webhook, cipher, sender, caller }, now);
      },
    }),
  ),
  listRoute({ path, resource: webhooks, summary: 'List webhook endpoints' }),
  readRoute({ path, resource: webhooks, summary: 'Read a webhook endpoint' }),
  ...keysOnly(
    updateRoute({
      path,
      resource: webhooks,
      summary: 'Change a webhook endpoint, enable or disable it',
      present: presentWebhook,
      body: webhookChange,
      example: { events: ['invoice.paid'], description: 'Ledger' },
      command: (em, { caller, id, body, request }, now) => {
        const { url, enabled, description, events } = body;
        const change = definedOnly({ url, enabled, description, events });
        return updateWebhook(em, { ...change, sender: request.deps.webhookSender, caller, id }, now);
      },
    }),
    withoutFields(
      withBody({
        method: 'POST',
        path: `${path}/:id/rotate_secret`,
        operationId: 'rotateWebhookSecret',
        permission: 'developers.write',
        body: noFields,
        summary:
          'Replace the signing secret of a webhook endpoint; only this answer contains the new one, and the old one also signs for 24 hours',
        answer: { statusCode: 200, kind: withSecret },
        handle: (request) => {
          const id = pathId(request, webhooks.name);
          const { cipher } = request.deps;
          return write(request, {
            statusCode: 200,
            sealed: true,
            present: presentWithSecret,
            command: (em, caller, now) => rotateSecret(em, { caller, id, cipher }, now),
          });
        },
      }),
    ),
    withoutFields(
      withBody({
        method: 'POST',
        path: `${path}/:id/test`,
        operationId: 'testWebhook',
        permission: 'developers.write',
        body: noFields,
        summary: 'Send a test event to a webhook endpoint now, even to a disabled one; returns the attempt',
        answer: { statusCode: 200, kind: webhookAttempts },
        handle: (request) => testEndpoint(request, pathId(request, webhooks.name)),
      }),
    ),
    withBody({
      method: 'POST',
      path: `${path}/:id/replay`,
      operationId: 'replayWebhook',
      permission: 'developers.write',
      body: replay,
      summary: 'Send events again to a webhook endpoint: up to 10,000, oldest first; returns their number',
      example: { start_date: 1_800_000_000, type: 'invoice.paid' },
      answer: { statusCode: 200, kind: replayed },
      handle: (request, { start_date: startAt, end_date: endAt, type, related_to: subject }) => {
        const id = pathId(request, webhooks.name);
        const which = { startAt: startAt ?? null, endAt: endAt ?? null, type: type ?? null, subject: subject ?? null };
        return write(request, {
          statusCode: 200,
          present: presentWebhookReplay,
          command: (em, caller, now) => replayEvents(em, { caller, id, which }, now),
        });
      },
    }),
    deleteRoute({ path, resource: webhooks, summary: 'Delete a webhook endpoint', command: deleteWebhook }),
  ),
];
