import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { Connection, Client as Temporal } from '@temporalio/client';
import type { TimedProcess } from '../../billing/processes.ts';
import { runAttempt } from '../../commands/charges/attempts.ts';
import { advanceChasing } from '../../commands/chasing/steps.ts';
import { advanceInvoice } from '../../commands/collection/invoiceSteps.ts';
import { inTransaction } from '../../db/transaction.ts';
import { workflowId } from '../../workflows/client.ts';
import { type Product, startProduct } from '../support/product.ts';
import { killRoles, type Role, startRole } from '../support/roles.ts';
import { until } from '../support/wait.ts';
import {
  type Collected,
  type Collecting,
  collectionTerms,
  discount,
  expectNoOrphan,
  fee,
  installment,
  makeDue,
  promise,
  reminder,
  retry,
} from './money/collected.ts';
import { expectRecovered } from './money/recovery.ts';

/** Two workers on the same queues, and steps that something else takes at the same time. */

/** Customers of each kind. */
const EACH = 3;
let product: Product;
let temporal: Temporal;
let workers: Role[];

beforeAll(async () => {
  product = await startProduct({ worker: false, endpoint: true });
  temporal = new Temporal({ connection: await Connection.connect({ address: product.config.temporal.address }) });
  workers = [await startRole(product, 'worker'), await startRole(product, 'worker')];
});
afterEach(killRoles);
afterAll(async () => {
  await temporal.connection.close();
  await product.close();
});

interface Due {
  one: Collected;
  collecting: Collecting;
}

/** Takes the due step of an invoice and of its customer's reminders, as a worker whose activity was given up and goes on. */
async function takeSteps({ one }: Due): Promise<void> {
  const { accountId, deps } = product;
  const key = { accountId, id: one.invoice, lookUpDelay: deps.lookUpDelay };
  const { call } = await inTransaction(deps.em, (em) => advanceInvoice(em, key, deps.systemNow()));
  if (call !== null) await runAttempt(deps, { accountId, id: call });
  const isChased = await product.rows('select 1 from chase where id = ?', [one.customer]);
  if (isChased.length === 0) return;
  await inTransaction(deps.em, (em) => advanceChasing(em, { accountId, id: one.customer }, deps.systemNow()));
}

/** The workers that took steps of a process, by process id. */
async function workersOf(process: TimedProcess, id: number): Promise<number[]> {
  const name = workflowId(product.deps.deployment.id, { process, id });
  const { events } = await temporal.workflow.getHandle(name).fetchHistory();
  return (events ?? []).flatMap(
    ({ workflowTaskStartedEventAttributes: started }) => Number.parseInt(started?.identity ?? '', 10) || [],
  );
}

test('two workers take each installment, retry, late fee, broken promise and reminder once, beside steps that are taken again', async () => {
  const kinds = [installment, retry, fee, discount, promise, reminder(await collectionTerms(product))];
  const all: Due[] = [];
  for (const collecting of kinds)
    for (let n = 0; n < EACH; n++) all.push({ collecting, one: await collecting.make(product) });
  await Promise.all(
    all.map(async (due) => {
      await makeDue(product, due.collecting, due.one);
      await Promise.all([takeSteps(due), takeSteps(due)]);
    }),
  );
  await expectRecovered(product);
  for (const { collecting, one } of all)
    await until(() => collecting.expectOnce(product, one).then(() => true), { what: 'each step to be taken' });
  await expectRecovered(product);
  for (const { collecting, one } of all) await collecting.expectOnce(product, one);
  await expectNoOrphan(product);
  const pids = new Set<number>();
  for (const { one } of all) for (const pid of await workersOf('invoice', one.invoice)) pids.add(pid);
  expect([...pids].toSorted()).toEqual(workers.map(({ pid }) => pid).toSorted());
});
