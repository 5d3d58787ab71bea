import { retryDelivery } from '../../../commands/webhooks/webhooks.ts';
import { presentWebhookAttempt } from '../../../present/webhooks/webhook.ts';
import type { Route } from '../../framework/route.ts';
import { listRoute } from '../../reading/readRoutes.ts';
import { actionRoute } from '../../writing/writeRoutes.ts';
import { webhookAttempts } from './resource.ts';

const path = '/webhook_attempts';

export const webhookAttemptRoutes: Route[] = [
  listRoute({ path, resource: webhookAttempts, summary: 'List delivery attempts of webhooks, newest first' }),
  actionRoute({
    path: `${path}/:id/retries`,
    operationId: 'retryWebhookAttempt',
    resource: webhookAttempts,
    summary: 'Retry the delivery of an attempt now',
    command: retryDelivery,
    present: presentWebhookAttempt,
  }),
];
