import { expect, test } from '@jest/globals';
import { createEndpoint, createPayer, createPlan, subscribe } from '../../support/business.ts';
import { startProduct } from '../../support/product.ts';
import { startReceiver } from '../../support/receiver.ts';
import { expectSound } from '../../support/soundness.ts';

test('with production settings, the sweep finds a lost wake within a minute and a half', async () => {
  const product = await startProduct({ worker: false });
  const receiver = await startReceiver();
  try {
    const webhook = await createEndpoint(product, receiver.url);
    await createPlan(product, 'gold');
    await subscribe(product, await createPayer(product, 'lost'), { code: 'gold' });
    expect(await product.rows(`delete from outbox where topic = 'subscription' returning 1 as lost`)).toHaveLength(1);
    const startedAt = performance.now();
    await product.startWorker();
    await expectSound(product, [webhook]);
    const seconds = (performance.now() - startedAt) / 1000;
    expect(seconds).toBeGreaterThan(50); // so it was the sweep, after a minute
    expect(await product.rows('select paid from invoice')).toEqual([{ paid: true }]);
    expect(await product.rows('select 1 from problem')).toEqual([]);
  } finally {
    await product.close();
    await receiver.stop();
  }
});
