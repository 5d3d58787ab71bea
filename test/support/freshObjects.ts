import type { Client, TestApi } from './api.ts';
import type { LocatedOperation } from './openapi.ts';
import { requestIn, type World } from './world.ts';
import { seedContract } from './worldRows.ts';

interface Scene {
  api: TestApi;
  client: Client;
  world: World;
}

const items = [{ name: 'Hour', quantity: 2, unit_cost: 120 }];
const idOf = async (client: Client, path: string, body: object): Promise<number> => (await client.make(path, body)).id;

/** Creates a new object of each kind that a call can use up. Returns its id. */
const fresh: Readonly<Record<string, (scene: Scene) => Promise<number>>> = {
  invoices: ({ client, world }) => idOf(client, '/invoices', { customer: world.customers, autopay: true, items }),
  promised: ({ client, world }) => idOf(client, '/invoices', { customer: world.customers, items }),
  disputed: ({ client, world }) => idOf(client, '/invoices', { customer: world.customers, items }),
  disputed_line: async ({ client, world }) => (await client.get(`/invoices/${world.disputed}`)).body.items[0].id,
  credit_notes: ({ client, world }) => idOf(client, '/credit_notes', { customer: world.customers, items }),
  test_clocks: ({ client }) => idOf(client, '/test_clocks', { frozen_time: 0 }),
  estimates: ({ client, world }) => idOf(client, '/estimates', { customer: world.customers, items }),
  billed: async ({ client }) => {
    const id = await idOf(client, '/customers', { name: 'Billed' });
    await client.make(`/customers/${id}/line_items`, { unit_cost: 5 });
    return id;
  },
  consolidated: async ({ client }) => {
    const customer = await idOf(client, '/customers', { name: 'Consolidated', consolidated: true });
    for (const unit_cost of [1, 2]) await client.make('/invoices', { customer, items: [{ unit_cost }] });
    return customer;
  },
  waiting: ({ client }) => idOf(client, '/jobs', { type: 'report', report: 'aging' }),
  ended: ({ api, client, world }) => seedContract(api, client, String(world.plans)),
};

const FIRST_MARK = 987_654_000;

/** The world with new objects in place of those that the request of an operation names. */
export async function withFreshObjects(scene: Scene, one: LocatedOperation): Promise<World> {
  const marks = Object.fromEntries(Object.keys(fresh).map((kind, index) => [kind, FIRST_MARK + index]));
  const marked = JSON.stringify(requestIn({ ...scene.world, ...marks }, one));
  const made: World = { ...scene.world };
  for (const [kind, create] of Object.entries(fresh)) {
    if (marked.includes(String(marks[kind]))) made[kind] = await create({ ...scene, world: made });
  }
  return made;
}
