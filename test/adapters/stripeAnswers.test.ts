import { createServer } from 'node:http';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createStripeGateway } from '../../adapters/gateways/stripe/gateway.ts';
import { listen, portOf } from '../support/listen.ts';
import { keptCustomers, never, type StartedStripe, startedStripe } from './stripe/started.ts';

/** Answers that are none of Stripe's API, such as those of a proxy before it: the outcome is unknown, and nothing else dies. */

let stripe: StartedStripe;
const unhandled: unknown[] = [];
const note = (reason: unknown) => void unhandled.push(reason);
beforeAll(async () => {
  process.on('unhandledRejection', note).on('uncaughtException', note);
  stripe = await startedStripe();
});
afterAll(async () => {
  process.off('unhandledRejection', note).off('uncaughtException', note);
  await stripe.server.close();
});

const TEXTS = [
  '"Bad gateway"',
  '5',
  'null',
  'true',
  '[]',
  '{}',
  '{"message": "no"}',
  '{"error": "no"}',
  '{"error": null, "id": "pi_1"}',
  '{"error": {"message": "no"}}',
  '<html><body>Bad gateway</body></html>',
  '',
  '{"id": "pi_1", "object": "paym',
];
const cases = [200, 404].flatMap((status) => TEXTS.map((text) => ({ status, text })));
/** The SDK repeats requests after errors of the server, which takes time. */
const ofServer = ['"Bad gateway"', '{}', ''].map((text) => ({ status: 502, text }));

test.each([...cases, ...ofServer])(
  '$status with $text leaves a charge unknown, and money that was taken is found',
  async (answer) => {
    const times = answer.status < 500 ? 1 : 3;
    const reference = await stripe.prepared(stripe.charge());
    stripe.server.fail({ request: /^POST .*\/confirm$/, how: answer, times });
    await expect(stripe.confirm(reference)).rejects.toThrow();
    stripe.server.fail({ request: /^GET .*payment_intents/, how: answer, times });
    const looked = await stripe.look(reference).catch((error: unknown) => error);
    expect(looked).toBeInstanceOf(Error);
    expect(await stripe.look(reference)).toMatchObject({ status: 'succeeded' });
    expect(unhandled).toEqual([]);
  },
);

test('an answer that is huge, or that comes byte by byte, ends', async () => {
  let drips = true;
  const server = await listen(
    createServer((_, response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      const chunk = drips ? ' ' : ' '.repeat(1_000_000);
      const timer = setInterval(() => response.write(chunk), drips ? 50 : 1);
      response.on('close', () => clearInterval(timer));
    }),
    0,
  );
  const address = { host: '127.0.0.1', port: portOf(server), protocol: 'http' as const };
  const access = { secretKey: 'sk_test_answers', server: address, timeoutMilliseconds: 400 };
  const gateway = createStripeGateway({
    ...access,
    webhookSecret: 'whsec_x',
    customers: keptCustomers(),
    deployment: 'p1',
    home: 'https://billing.example',
  });
  await expect(gateway.look('pi_1', 0, never)).rejects.toThrow();
  drips = false;
  await expect(gateway.look('pi_1', 0, never)).rejects.toThrow();
  server.closeAllConnections();
  await new Promise((closed) => server.close(closed));
  expect(unhandled).toEqual([]);
});
