import { writeFileSync } from 'node:fs';
import { grantLogins } from '../../db/logins.ts';
import { migrate } from '../../db/migrate.ts';
import { TEST_LOGINS } from '../support/database.ts';
import { type Product, startProduct } from '../support/product.ts';
import { until } from '../support/wait.ts';

/**
 * Runs in a copy of the project that contains the toys. Migrates the database at DATABASE_URL, which becomes the template, starts the
 * whole product, and writes the behaviour of the toys as JSON into the file named by the argument.
 */

const [file = ''] = process.argv.slice(2);
const url = process.env.DATABASE_URL ?? '';
await migrate(url);
await grantLogins(url, [TEST_LOGINS]);
const product = await startProduct();
try {
  const resource = await resourceAtWork(product);
  const running = await processAtWork(product);
  const proof = { resource, process: running, audit: (await product.audit()).map(({ check }) => check) };
  writeFileSync(file, JSON.stringify(proof));
} finally {
  await product.close();
}

async function resourceAtWork({ call, rows }: Product) {
  const [merged, kept] = [await made('/customers', { name: 'Merged' }), await made('/customers', { name: 'Kept' })];
  const id = await made('/badges', { customer: merged, word: 'loyal' });
  const spare = await made('/badges', { customer: kept, word: 'new' });
  await call('DELETE', `/badges/${spare}`);
  await call('POST', `/customers/${kept}/merge`, { customer: merged });
  const listed = await call('GET', `/badges?filter[customer]=${kept}&expand=customer`);
  const clock = await made('/test_clocks', { frozen_time: 1_790_000_000 });
  const onClock = await made('/customers', { name: 'On a clock', test_clock: clock });
  await made('/badges', { customer: onClock, word: 'loyal' });
  await call('DELETE', `/test_clocks/${clock}`);
  const events = await call('GET', `/events?related_to=badge,${spare}`);
  const timeline = await call('GET', `/customers/${kept}/timeline`);
  return {
    listed: listed.map((badge: { id: number; customer: { name: string } }) => [badge.id === id, badge.customer.name]),
    left: (await rows('select 1 from badge')).length,
    events: events.map(({ type }: { type: string }) => type),
    endpoint: (await call('POST', '/webhooks', { url: 'http://127.0.0.1:9/', events: ['badge.created'] })).events,
    timeline: timeline.map(({ what }: { what: string }) => what).filter((what: string) => what.startsWith('badge')),
  };
}

async function processAtWork({ call, rows, deps }: Product) {
  const now = Math.floor(Date.now() / 1000);
  const customer = await made('/customers', { name: 'In real time' });
  const due = { name: 'x', action: 'phone', due_date: now + 2 };
  const real = await made('/tasks', { customer, ...due });
  const changed = await made('/tasks', { customer, ...due, due_date: now + 3600 });
  await call('PATCH', `/tasks/${changed}`, { due_date: now + 2 });
  const deleted = await made('/tasks', { customer, ...due, due_date: now + 3600 });
  await call('DELETE', `/tasks/${deleted}`);
  const clock = await made('/test_clocks', { frozen_time: now });
  const onClock = await made('/customers', { name: 'On a clock', test_clock: clock });
  const day = 86_400;
  const stepped = await made('/tasks', { customer: onClock, name: 'x', action: 'phone', due_date: now + 3 * day });
  await made('/tasks', { customer: onClock, name: 'x', action: 'phone', due_date: now + 30 * day });
  await call('POST', `/test_clocks/${clock}/advance`, { frozen_time: now + 5 * day });
  const arrived = await until(
    async () => {
      const found = await call('GET', `/test_clocks/${clock}`);
      return found.status === 'advancing' ? null : found;
    },
    { what: 'the clock to arrive' },
  );
  await call('DELETE', `/test_clocks/${clock}`);
  const isOver = async (id: number) => (await call('GET', `/tasks/${id}`)).complete;
  await until(async () => (await isOver(real)) && (await isOver(changed)), { what: 'the tasks to end' });
  const counted = await deps.metrics.registry.getSingleMetricAsString('perennial_process_steps_total');
  return {
    clock: [arrived.status, arrived.stop_reason],
    happened: arrived.happened.map((step: Step) => [step.subject.object, step.subject.id === stepped, step.did]),
    waits: await rows('select process, rule from wakeup'),
    problems: await rows('select message from problem'),
    counts: counted.includes('process="task",result="done"'),
  };
}

interface Step {
  subject: { object: string; id: number };
  did: string;
}

async function made(path: string, body: object): Promise<number> {
  return (await product.call('POST', path, body)).id;
}
