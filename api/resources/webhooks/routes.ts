import { createWebhook, deleteWebhook, updateWebhook } from '../../../commands/webhooks.ts';
import { Webhook } from '../../../db/schema/webhook.ts';
import { presentWebhook } from '../../../present/webhook.ts';
import * as fields from '../../fields.ts';
import { given } from '../../given.ts';
import { list } from '../../list.ts';
import { conditionsOn, type Listing } from '../../listing.ts';
import { found, pathId, type Route, reply, withBody } from '../../route.ts';
import { write } from '../../write.ts';
import { newWebhook, webhookChange } from './schema.ts';

const where = conditionsOn<Webhook>();

const webhooks: Listing<Webhook> = {
  row: Webhook,
  scope: ({ caller }) => ({ accountId: caller.account.id, deletedAt: null }),
  sort: { id: (to) => ({ id: to }), url: (to) => ({ url: to }), created_at: (to) => ({ createdAt: to }) },
  filter: {
    id: where(fields.id, (id) => ({ id })),
    enabled: where(fields.boolean, (enabled) => ({ enabled })),
    url: where(fields.text(2048), (url) => ({ url })),
  },
  parameters: {
    updated_after: where(fields.timestamp, (at) => ({ updatedAt: { $gte: at } })),
    updated_before: where(fields.timestamp, (at) => ({ updatedAt: { $lte: at } })),
  },
  byId: (to) => ({ id: to }),
  find: (em, conditions, slice) => em.find(Webhook, conditions, slice),
  present: presentWebhook,
};

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
  {
    method: 'GET',
    path: '/webhooks',
    summary: 'List endpoints',
    handle: (request) => list(request, webhooks),
  },
  {
    method: 'GET',
    path: '/webhooks/:id',
    summary: 'Read an endpoint',
    handle: async (request) => {
      const id = pathId(request, 'Webhook');
      const webhook = await request.em.findOne(Webhook, { accountId: request.caller.account.id, id, deletedAt: null });
      return reply(200, presentWebhook(found(webhook, 'Webhook', id)));
    },
  },
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
