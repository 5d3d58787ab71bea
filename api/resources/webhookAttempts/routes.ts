import { retryDelivery } from '../../../commands/webhooks.ts';
import { presentWebhookAttempt } from '../../../present/webhook.ts';
import { listRoute } from '../../readRoutes.ts';
import { object } from '../../request.ts';
import { pathId, type Route, withBody } from '../../route.ts';
import { write } from '../../write.ts';
import { webhookAttempts } from './resource.ts';

export const webhookAttemptRoutes: Route[] = [
  listRoute('/webhook_attempts', webhookAttempts, 'List attempts to deliver events, newest first'),
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
