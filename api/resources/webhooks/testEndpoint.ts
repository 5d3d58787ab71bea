import { findWebhook } from '../../../commands/webhooks/webhooks.ts';
import { recordTest, sendTest } from '../../../commands/webhooks/webhookTests.ts';
import { presentWebhookAttempt } from '../../../present/webhooks/webhook.ts';
import type { ApiRequest } from '../../framework/apiRequest.ts';
import type { Reply } from '../../framework/route.ts';
import { writeOutside } from '../../writing/writeOutside.ts';

/** Sends a test event and records the outcome. A repeated or concurrent request with the same key does not send another one. */
export function testEndpoint(request: ApiRequest, id: number): Promise<Reply> {
  const { caller, deps, em } = request;
  return writeOutside(request, {
    check: (inner, by) => findWebhook(inner, { caller: by, id }),
    act: () => sendTest(em, { caller, id, ports: deps }, deps.systemNow()),
    record: (inner, { caller: by, outcome: answer }, now) => recordTest(inner, { caller: by, id, answer }, now),
    present: presentWebhookAttempt,
  });
}
