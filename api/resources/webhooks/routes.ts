import { createWebhook, deleteWebhook, updateWebhook } from '../../../commands/webhooks.ts';
import { presentWebhook } from '../../../present/webhook.ts';
import { given } from '../../given.ts';
import { listRoute, readRoute } from '../../readRoutes.ts';
import { pathId, type Route, withBody } from '../../route.ts';
import { write } from '../../write.ts';
import { webhooks } from './resource.ts';
import { newWebhook, webhookChange } from './schema.ts';

export const webhookRoutes: Route[] = [
  withBody({
    method: 'POST',
    path: '/webhooks',
    summary: 'Register an endpoint; its signing secret is shown in this answer alone',
    body: newWebhook,
    handle: (request, body) => {
      const { deps, caller: who } = request;
      const { url, enabled } = body;
      const apiVersion = body.api_version ?? who.account.apiVersion;
      const webhook = { url, enabled, apiVersion, events: body.events ?? null, description: body.description ?? null };
      const ports = { cipher: deps.cipher, sender: deps.webhookSender };
      return write(request, {
        statusCode: 201,
        command: (em, caller, now) => createWebhook(em, { ...webhook, ...ports, caller }, now),
        present: ({ webhook: created, secret }) => ({ ...presentWebhook(created), secret }),
        sealed: true,
      });
    },
  }),
  listRoute('/webhooks', webhooks, 'List endpoints'),
  readRoute('/webhooks', webhooks, 'Read an endpoint'),
  withBody({
    method: 'PATCH',
    path: '/webhooks/:id',
    summary: 'Change, enable or disable an endpoint',
    body: webhookChange,
    handle: (request, body) => {
      const id = pathId(request, 'Webhook');
      const { url, enabled, description, events } = body;
      const change = { ...given({ url, enabled, description, events }), sender: request.deps.webhookSender };
      return write(request, {
        statusCode: 200,
        command: (em, caller, now) => updateWebhook(em, { ...change, caller, id }, now),
        present: presentWebhook,
      });
    },
  }),
  {
    method: 'DELETE',
    path: '/webhooks/:id',
    summary: 'Delete an endpoint',
    handle: (request) => {
      const id = pathId(request, 'Webhook');
      return write(request, {
        statusCode: 204,
        command: (em, caller, now) => deleteWebhook(em, { caller, id }, now),
        present: () => null,
      });
    },
  },
];
