import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import { readTestGatewayRecord } from '../../../adapters/gateways/test/record.ts';
import { createEndpoint, createPayer, createPlan, subscribe } from '../../support/business.ts';
import { type Product, startProduct } from '../../support/product.ts';
import { startReceiver } from '../../support/receiver.ts';
import { expectOrder, expectSound } from '../../support/soundness.ts';
import { startPrivateTemporal } from '../../support/temporal.ts';
import { until } from '../../support/wait.ts';

const WRITES = 100;
/** Writes before the outage, which measure how long writes take on this machine. */
const WRITES_BEFORE = 16;
const SECONDS = 20;
const CLIENTS = 8;

/** Sends writes from several clients. Returns the duration of the slowest one in milliseconds. Throws on any status from 400. */
async function writeAll(product: Product, payers: readonly number[], count: number): Promise<number> {
  let slowest = 0;
  let next = 0;
  const client = async () => {
    for (let nth = next++; nth < count; nth = next++) {
      const customer = payers[nth % payers.length];
      const startedAt = performance.now();
      // Half of the writes are invoices. The other half are subscriptions, whose process issues the invoice first.
      if (nth % 2 === 0) await product.call('POST', '/subscriptions', { customer, plan: 'gold' });
      else await product.call('POST', '/invoices', { customer, items: [{ name: 'Work', quantity: 1, unit_cost: 10 }] });
      slowest = Math.max(slowest, performance.now() - startedAt);
    }
  };
  await Promise.all(Array.from({ length: CLIENTS }, client));
  return slowest;
}

test('100 writes during 20 seconds without Temporal are accepted, and processed when it is back', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'perennial-temporal-'));
  const temporal = await startPrivateTemporal({ stateFile: join(folder, 'state.db') });
  const product = await startProduct({
    env: { TEMPORAL_ADDRESS: temporal.address, SWEEP_INTERVAL: '600000', LOG_LEVEL: 'silent' },
  });
  const receiver = await startReceiver();
  try {
    const webhook = await createEndpoint(product, receiver.url);
    await createPlan(product, 'gold');
    const payers = await Promise.all(Array.from({ length: 10 }, (_, index) => createPayer(product, `payer${index}`)));
    for (const payer of payers) await subscribe(product, payer, { code: 'gold' });
    await expectSound(product, [webhook]);

    const slowestBefore = await writeAll(product, payers, WRITES_BEFORE);
    await expectSound(product, [webhook]);

    await temporal.stop();
    const away = pause(SECONDS * 1000);
    const slowest = await writeAll(product, payers, WRITES);
    expect(slowest).toBeLessThan(5000 + 3 * slowestBefore); // no write waits for Temporal, whose client gives up after ten seconds
    // The event log continues without Temporal.
    const unlogged = () => product.rows(`select 1 from outbox where topic = 'event'`);
    await until(async () => (await unlogged()).length === 0, { what: 'the event log' });
    const [before] = await product.rows('select count(*)::int as paid from invoice where paid');
    const paid = payers.length + WRITES_BEFORE;
    expect(before).toEqual({ paid });
    await away;
    await temporal.start();

    // A step or a call that takes too long on a busy machine is tried again later.
    await product.row('select count(*)::int as paid from invoice where paid', (now) => now.paid === paid + WRITES);
    await expectSound(product, [webhook]);
    const record = await readTestGatewayRecord(product.config.databaseUrl);
    expect(record.map(({ captured }) => captured)).toEqual(Array.from({ length: paid + WRITES }, () => 1));
    expectOrder(receiver.requests);
  } finally {
    await product.close();
    await receiver.stop();
    await temporal.stop();
    await rm(folder, { recursive: true, force: true });
  }
});
