import { isAnswered } from '../../../commands/idempotency.ts';
import { recordTest, sendTest } from '../../../commands/webhookTests.ts';
import { presentWebhookAttempt } from '../../../present/webhook.ts';
import { Busy } from '../../errors.ts';
import { keyedRequest } from '../../idempotency.ts';
import type { ApiRequest, Reply } from '../../route.ts';
import { write } from '../../write.ts';

/** Sends a test event, then writes down what became of it. A repeated request sends nothing. */
export async function testEndpoint(request: ApiRequest, id: number): Promise<Reply> {
  const { caller, deps, em } = request;
  const keyed = keyedRequest(request);
  const isRepeated = keyed !== null && (await isAnswered(em, keyed));
  const answer = isRepeated ? null : await sendTest(em, { caller, id, ports: deps }, deps.systemNow());
  return write(request, {
    statusCode: 200,
    command: (inner, by, now) => {
      if (!answer) throw new Busy('The first request with this key has just ended; send it again');
      return recordTest(inner, { caller: by, id, answer }, now);
    },
    present: presentWebhookAttempt,
  });
}
