import { expect, test } from '@jest/globals';
import { liveTest, run } from './stripe/liveTest.ts';
import { startStripe } from './stripe/server.ts';

/** `npm run stripe:live-test`, with a server that behaves as Stripe does. */

async function printed(
  work: (print: (line: string) => void) => Promise<number>,
): Promise<{ code: number; text: string }> {
  const lines: string[] = [];
  const code = await work((line) => lines.push(line));
  return { code, text: lines.join('\n') };
}

test.each([undefined, '', 'sk_live_1', 'rk_live_1', 'pk_test_1', 'sk_test_'])('the key %s is refused', async (key) => {
  const { code, text } = await printed((print) => run(key === undefined ? {} : { STRIPE_SECRET_KEY: key }, print));
  expect(code).toBe(1);
  expect(text).toContain('npm run stripe:live-test');
  if (key) expect(text).toContain('is not a test key');
});

test('every step is taken, and the output says that the developers did not run it', async () => {
  const server = await startStripe();
  const { code, text } = await printed((print) => liveTest({ secretKey: 'sk_test_1', server: server.address }, print));
  expect(text.match(/^ok /gm)).toHaveLength(24);
  expect(text).toContain('nobody has run this test');
  expect(code).toBe(0);
  await server.close();
});

test('the first answer that is not expected ends the test', async () => {
  const server = await startStripe();
  server.fail({ request: /^POST .*refunds$/, how: 'rate_limited', times: 10 });
  const { code, text } = await printed((print) => liveTest({ secretKey: 'sk_test_1', server: server.address }, print));
  expect(text).toContain('FAIL refund: error: Too fast., wanted succeeded');
  expect(code).toBe(1);
  await server.close();
});
