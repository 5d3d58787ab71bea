import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { settleAttempt } from '../../../commands/charges/attempts.ts';
import { armFailpoints } from '../../../db/failpoint.ts';
import { type Product, startProduct } from '../../support/product.ts';
import { killRoles, type Role, startRole } from '../../support/roles.ts';
import { send } from '../money/client.ts';
import { letMinutePass } from '../money/meanwhile.ts';
import { expectRecovered } from '../money/recovery.ts';
import { operations, type RequestKind, requests } from '../money/requests.ts';

/**
 * A worker is killed while it looks up outcomes, deletes sources, and records returns and disputes. Each operation or charge of a group
 * hangs at another point.
 */

let product: Product;

beforeAll(async () => {
  product = await startProduct({ endpoint: true, worker: false, env: { LOG_LEVEL: 'silent' } });
});
afterAll(async () => {
  armFailpoints('');
  await killRoles();
  await product.close();
});

/** The points of a look-up of something that the gateway has done. */
const LOOK_UP = ['started', 'answered', 'recorded'] as const;
const DELETION = ['started', 'prepared', 'referenced', 'confirmed', 'answered', 'recorded'] as const;
const lookedUp: readonly RequestKind[] = ['charge', 'refund', 'source', 'verification'];

/** Sends a request whose attempt gets no further than a point. Its operation happens, if at all, without being recorded. */
async function cutShort(kind: RequestKind, point: string): Promise<void> {
  const { method = 'POST', path, body } = await requests[kind](product);
  armFailpoints(`${operations[kind]}.${point}=throw`);
  const { status } = await send({ url: product.url, key: product.key, method, path, body });
  expect(status).toBe(kind === 'deletion' ? 204 : 500); // a deletion is answered before the gateway is asked
  armFailpoints('');
}

/** Charges that the gateway takes back, and the events that tell it. */
const reversals = {
  returned: { method: 'ach', gateway_token: 'tok_110000000_000111111116', event: 'charge.returned' },
  disputed: { method: 'credit_card', gateway_token: 'tok_4000000000000259', event: 'dispute.opened' },
  lost: { method: 'credit_card', gateway_token: 'tok_4000000000000259', event: 'dispute.closed' },
};

type Reversal = keyof typeof reversals;

/** Ids of the charges of each group, one for each point. */
const groups: Readonly<Record<Reversal, number[]>> = { returned: [], disputed: [], lost: [] };

async function chargeFor(kind: Reversal): Promise<void> {
  const { customer, path, body } = await requests.charge(product);
  const { method, gateway_token } = reversals[kind];
  const { charge } = await product.call('POST', path, { ...Object(body), customer, method, gateway_token });
  groups[kind].push(charge.id);
}

const referencesOf = (kind: Reversal) => `(select gateway_id from charge where id in (${groups[kind].join()}))`;

/** Makes what follows the charges of a group happen now at the gateway, without telling us. */
async function reverse(kind: Reversal): Promise<void> {
  const references = referencesOf(kind);
  await product.rows(
    `with returned as (update test_gateway.operation set returned_at = now() where reference in ${references} and returned_at is not null),
      opened as (update test_gateway.dispute set opens_at = least(opens_at, now()) where charge_reference in ${references})
     update test_gateway.event set due_at = now() where reference in ${references} and delivered_at is null`,
  );
}

const origin = (url: string) => new URL(url).origin;

/** Sends the due events to an API until all of them are accepted. */
async function tell(api: { url: string }): Promise<void> {
  await product.rows('update test_gateway.event set due_at = now() where due_at < now() + interval $$1 hour$$');
  await product.deps.testGateway.sendEvents(origin(api.url));
}

/** Opens the disputes that will be lost. */
async function openDisputes(): Promise<void> {
  await reverse('lost');
  await tell(product);
  const opened = await product.rows<{ id: number }>(
    `select attempt_id as id from charge where id in (${groups.lost.join()})`,
  );
  for (const { id } of opened) await settleAttempt(product.deps, { accountId: product.accountId, id });
  await product.rows(
    `update test_gateway.dispute set evidence_due_at = now() + interval '1 year' where charge_reference in ${referencesOf('lost')}`,
  );
}

/** Failpoints of a worker: of the n-th group of charges that it looks at, one hangs at each point. */
const eventPoints = Object.keys(reversals).flatMap((_, n) =>
  LOOK_UP.map((point, place) => `event.${point}=hang:${n * (LOOK_UP.length - place) + 1}`),
);

test('another worker finishes what a killed one was doing: look-ups, deletions, returns and disputes', async () => {
  for (const kind of lookedUp) for (const _ of LOOK_UP) await cutShort(kind, 'answered');
  for (const _ of DELETION) await cutShort('deletion', 'started');
  for (const _ of LOOK_UP) await chargeFor('lost');
  await openDisputes();
  for (const kind of ['returned', 'disputed'] as const) for (const _ of LOOK_UP) await chargeFor(kind);
  await product.rows(`update test_gateway.event set due_at = 'infinity' where delivered_at is null`);

  const points = [
    ...lookedUp.flatMap((kind) => LOOK_UP.map((point) => `${operations[kind]}.${point}`)),
    ...DELETION.map((point) => `delete_source.${point}`),
  ];
  const armed = [...points.map((point) => `${point}=hang`), ...eventPoints].join();
  const worker = await startRole(product, 'worker', { PERENNIAL_FAILPOINTS: armed });
  await letMinutePass(product);
  for (const point of points) await worker.untilHit(point);
  await reverse('returned');
  await tellKilled();
  await untilHung(worker, 1);
  await reverse('disputed');
  await tell(product);
  await untilHung(worker, 2);
  await product.rows(
    `update test_gateway.dispute set evidence_due_at = now() where charge_reference in ${referencesOf('lost')}`,
  );
  await tell(product);
  await untilHung(worker, 3);
  await worker.kill();

  const next = await startRole(product, 'worker', { PERENNIAL_FAILPOINTS: 'charge.committed=kill' });
  await chargeFor('returned');
  await reverse('returned');
  await tell(product);
  await next.untilKilledAt('charge.committed');
  await product.startWorker();
  await expectRecovered(product);
  await expectDone();
});

/** The API that is told of the returns is killed after it stored an event. The gateway sends all events again. */
async function tellKilled(): Promise<void> {
  const api = await startRole(product, 'api', { PERENNIAL_FAILPOINTS: 'event.stored=kill' });
  await tell(api);
  await api.untilKilledAt('event.stored');
  await tell(product);
}

async function untilHung(worker: Role, times: number): Promise<void> {
  for (const point of LOOK_UP) await worker.untilHit(`event.${point}`, times);
}

/** Expects that everything was recorded, once. */
async function expectDone(): Promise<void> {
  const each = LOOK_UP.length;
  const states = await product.rows('select kind, state, count(*)::int as count from attempt group by 1, 2 order by 1');
  const [stored] = await product.rows<{ count: number }>('select count(*)::int as count from payment_source');
  const charges = 5 * each + 1; // with those that are refunded, and one more returned
  expect(states).toEqual([
    { kind: 'charge', state: 'succeeded', count: charges },
    { kind: 'delete_source', state: 'succeeded', count: DELETION.length },
    { kind: 'refund', state: 'succeeded', count: each },
    { kind: 'vault', state: 'succeeded', count: stored?.count },
    { kind: 'verify_source', state: 'succeeded', count: each },
  ]);
  const recorded = await product.rows(
    `select (select count(*)::int from charge where returned_at is not null) as returned,
       (select count(*)::int from dispute where status = 'open') as open,
       (select count(*)::int from dispute where status = 'lost' and amount_lost = 25) as lost,
       (select count(*)::int from payment_source where verified and type = 'bank_account') as verified,
       (select count(*)::int from test_gateway.source g join payment_source s on s.gateway_id = g.reference where g.deleted) as deleted,
       (select count(*)::int from gateway_event where state <> 'processed') as unprocessed`,
  );
  const wanted = { returned: each + 1, open: each, lost: each, verified: each, deleted: DELETION.length };
  expect(recorded).toEqual([{ ...wanted, unprocessed: 0 }]);
}
