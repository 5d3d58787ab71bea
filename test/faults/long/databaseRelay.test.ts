import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createEndpoint } from '../../support/business.ts';
import { LEADER } from '../../support/eventLog.ts';
import { type Product, startProduct } from '../../support/product.ts';
import { type Receiver, startReceiver } from '../../support/receiver.ts';
import { killRoles, startRole } from '../../support/roles.ts';
import { eventsOf, expectOrder, expectSound } from '../../support/soundness.ts';

let product: Product;
let receiver: Receiver;
let webhook: { id: number };

beforeAll(async () => {
  product = await startProduct({ worker: false, env: { LOG_LEVEL: 'fatal' } });
  receiver = await startReceiver();
  webhook = await createEndpoint(product, receiver.url);
});

afterAll(async () => {
  await killRoles();
  await product.close();
  await receiver.stop();
});

const leader = async () => (await product.row<{ pid: number }>(LEADER)).pid;

/** Reads the event log by position, as a client does, until it has read `count` events. */
async function follow(count: number): Promise<number[]> {
  const read: number[] = [];
  for (let after = '0'; read.length < count; await pause(5)) {
    const rows = await product.rows<{ at: string; event: number }>(
      'select l.position::text as at, l.event_id as event from event_log l where l.position > ? order by l.position limit 50',
      [after],
    );
    read.push(...rows.map(({ event }) => event));
    after = rows.at(-1)?.at ?? after;
  }
  return read;
}

/** Creates and renames customers: two events each. */
async function writeCustomers(count: number): Promise<void> {
  for (let index = 0; index < count; index++) {
    const { id } = await product.call('POST', '/customers', { name: `customer ${index}` });
    await product.call('PATCH', `/customers/${id}`, { name: `renamed ${index}` });
  }
}

test("the second worker takes over when the relay's leader is killed after or within an append", async () => {
  const first = await startRole(product, 'worker', { PERENNIAL_FAILPOINTS: 'relay.appended=kill:6' });
  const firstLeader = await leader();
  const second = await startRole(product, 'worker', { PERENNIAL_FAILPOINTS: 'relay.appending=kill' });
  const reader = follow(126);
  for (let appended = 1; appended <= 6; appended++) {
    await product.call('POST', '/customers', { name: `alone ${appended}` });
    await product.row<{ logged: number }>(
      'select count(*)::int as logged from event_log',
      ({ logged }) => logged === appended,
    );
  }
  await first.untilKilledAt('relay.appended');
  expect(second.hasHit('relay.appending')).toBe(false); // it was not the leader so far

  await writeCustomers(20);
  await second.untilKilledAt('relay.appending');
  await writeCustomers(20);
  const third = await startRole(product, 'worker');
  await writeCustomers(20);
  expect(await leader()).not.toBe(firstLeader);

  const read = await reader;
  await expectSound(product, [webhook]);
  const log = await product.rows<{ event: number }>('select event_id as event from event_log order by position');
  // The reader has seen every event in the order of the log: no event appeared before a position that it had already read.
  expect(read).toEqual(log.map(({ event }) => event));
  const disordered = `select e.id from event e join event_log l on l.event_id = e.id
    join event f on f.subject_type = e.subject_type and f.subject_id = e.subject_id and f.sequence > e.sequence
    join event_log m on m.event_id = f.id where m.position < l.position`;
  expect(await product.rows(disordered)).toEqual([]);
  expect(eventsOf(receiver.requests)).toHaveLength(126);
  expectOrder(receiver.requests);
  await third.stop();
});
