import { createWebhook, deleteWebhook, updateWebhook } from '../../../commands/webhooks.ts';
import { presentWebhook } from '../../../present/webhook.ts';
import { given } from '../../given.ts';
import { listRoute, readRoute } from '../../readRoutes.ts';
import type { Route } from '../../route.ts';
import { createRoute, deleteRoute, updateRoute } from '../../writeRoutes.ts';
import { webhooks } from './resource.ts';
import { newWebhook, webhookChange } from './schema.ts';
import { newWebhook as newWebhookShape } from './shape.ts';

const path = '/webhooks';

export const webhookRoutes: Route[] = [
  createRoute({
    ...{ path, resource: webhooks, body: newWebhook, sealed: { shape: newWebhookShape } },
    summary: 'Register an endpoint; its signing secret is shown in this answer alone',
    example: { url: 'https://example.com/hooks', events: ['invoice.paid', 'payment.created'] },
    command: (em, { caller, body, request }, now) => {
      const { cipher, webhookSender: sender } = request.deps;
      const { url, enabled, events, description } = body;
      const apiVersion = body.api_version ?? caller.account.apiVersion;
      const webhook = { url, enabled, apiVersion, events: events ?? null, description: description ?? null };
      return createWebhook(em, { ...webhook, cipher, sender, caller }, now);
    },
    present: ({ webhook, secret }) => ({ ...presentWebhook(webhook), secret }),
  }),
  listRoute({ path, resource: webhooks, summary: 'List endpoints' }),
  readRoute({ path, resource: webhooks, summary: 'Read an endpoint' }),
  updateRoute({
    ...{ path, resource: webhooks, summary: 'Change, enable or disable an endpoint', present: presentWebhook },
    ...{ body: webhookChange, example: { events: ['invoice.paid'], description: 'Ledger' } },
    command: (em, { caller, id, body, request }, now) => {
      const { url, enabled, description, events } = body;
      const change = given({ url, enabled, description, events });
      return updateWebhook(em, { ...change, sender: request.deps.webhookSender, caller, id }, now);
    },
  }),
  deleteRoute({ path, resource: webhooks, summary: 'Delete an endpoint', command: deleteWebhook }),
];
