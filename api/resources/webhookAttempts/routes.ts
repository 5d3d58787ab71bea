import { retryDelivery } from '../../../commands/webhooks.ts';
import { WebhookAttempt } from '../../../db/schema/webhookAttempt.ts';
import { presentWebhookAttempt } from '../../../present/webhook.ts';
import * as fields from '../../fields.ts';
import { list } from '../../list.ts';
import { conditionsOn, type Listing } from '../../listing.ts';
import { object } from '../../request.ts';
import { pathId, type Route, withBody } from '../../route.ts';
import { write } from '../../write.ts';

const where = conditionsOn<WebhookAttempt>();

const attempts: Listing<WebhookAttempt> = {
  row: WebhookAttempt,
  scope: ({ caller }) => ({ accountId: caller.account.id }),
  sort: { id: (to) => ({ id: to }) },
  filter: {
    webhook: where(fields.id, (webhookId) => ({ webhookId })),
    event: where(fields.id, (eventId) => ({ eventId })),
  },
  parameters: {
    webhook: where(fields.id, (webhookId) => ({ webhookId })),
    start_date: where(fields.timestamp, (at) => ({ createdAt: { $gte: at } })),
    end_date: where(fields.timestamp, (at) => ({ createdAt: { $lte: at } })),
  },
  byId: (to) => ({ id: to }),
  newestFirst: true,
  find: (em, conditions, slice) => em.find(WebhookAttempt, conditions, slice),
  present: presentWebhookAttempt,
};

export const webhookAttemptRoutes: Route[] = [
  {
    method: 'GET',
    path: '/webhook_attempts',
    summary: 'List attempts to deliver events, newest first',
    handle: (request) => list(request, attempts),
  },
  withBody({
    method: 'POST',
    path: '/webhook_attempts/:id/retries',
    summary: 'Deliver the event of an attempt again now',
    body: object({}),
    handle: (request) => {
      const id = pathId(request, 'Webhook attempt');
      return write(request, {
        statusCode: 200,
        command: (em, caller, now) => retryDelivery(em, { caller, id }, now),
        present: presentWebhookAttempt,
      });
    },
  }),
];
