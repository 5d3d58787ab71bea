import { expect, test } from '@jest/globals';
import { startProduct } from '../../support/product.ts';
import { startReceiver } from '../../support/receiver.ts';
import { expectOrder, expectSound } from '../../support/soundness.ts';

test('with production settings, a delivery times out after 15 s and is retried after 5 s', async () => {
  const product = await startProduct();
  const receiver = await startReceiver();
  try {
    const webhook = await product.call('POST', '/webhooks', { url: receiver.url, events: '*' });
    receiver.answer('hang');
    await product.call('POST', '/customers', { name: 'slow' });
    await expectSound(product, [webhook]);
    const attempts = await product.rows(
      'select attempt, status_code, error, latency_milliseconds >= 15000 as waited from webhook_attempt order by id',
    );
    expect(attempts).toEqual([
      { attempt: 1, status_code: null, error: 'No complete answer within 15 s', waited: true },
      { attempt: 2, status_code: 200, error: null, waited: false },
    ]);
    const [first = 0, second = 0] = receiver.requests.map(({ receivedAt }) => receivedAt);
    expect(receiver.requests).toHaveLength(2);
    expect(second - first).toBeGreaterThan(19_400);
    expect(second - first).toBeLessThan(60_000); // before any sweep
    expectOrder(receiver.requests);
  } finally {
    await product.close();
    await receiver.stop();
  }
});
