import { replayEvents } from '../../../commands/webhooks/replays.ts';
import { rotateSecret } from '../../../commands/webhooks/secrets.ts';
import { createWebhook, deleteWebhook, updateWebhook } from '../../../commands/webhooks/webhooks.ts';
import type { Webhook } from '../../../db/schema/webhook.ts';
import { presentWebhook, presentWebhookReplay } from '../../../present/webhooks/webhook.ts';
import { definedOnly } from '../../body/definedOnly.ts';
import type { PresentedKind } from '../../framework/kind.ts';
import { keysOnly, pathId, type Route, withBody } from '../../framework/route.ts';
import { presentedRelation } from '../../reading/expand.ts';
import { listRoute, readRoute } from '../../reading/readRoutes.ts';
import { write } from '../../writing/write.ts';
import { createRoute, deleteRoute, noFields, updateRoute, withoutFields } from '../../writing/writeRoutes.ts';
import { webhookAttempts } from '../webhookAttempts/resource.ts';
import { webhooks } from './resource.ts';
import { newWebhook, replay, webhookChange } from './schema.ts';
import { newWebhook as newWebhookShape, webhookReplay } from './shape.ts';
import { testEndpoint } from './testEndpoint.ts';

const path = '/webhooks';
const withSecret = { shape: newWebhookShape };
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
      summary: 'Register an endpoint; its signing secret is shown in this answer alone',
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
  listRoute({ path, resource: webhooks, summary: 'List endpoints' }),
  readRoute({ path, resource: webhooks, summary: 'Read an endpoint' }),
  ...keysOnly(
    updateRoute({
      path,
      resource: webhooks,
      summary: 'Change, enable or disable an endpoint',
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
        body: noFields,
        summary: 'Replace the signing secret, shown in this answer alone; the one before signs as well for 24 hours',
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
        body: noFields,
        summary: 'Send a test event now, to a disabled endpoint too, and answer what came of it',
        answer: { statusCode: 200, kind: webhookAttempts },
        handle: (request) => testEndpoint(request, pathId(request, webhooks.name)),
      }),
    ),
    withBody({
      method: 'POST',
      path: `${path}/:id/replay`,
      operationId: 'replayWebhook',
      body: replay,
      summary: 'Send events again, at most 10,000, in the order in which they happened; answers how many',
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
    deleteRoute({ path, resource: webhooks, summary: 'Delete an endpoint', command: deleteWebhook }),
  ),
];
