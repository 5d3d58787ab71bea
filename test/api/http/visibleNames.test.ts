import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { paramOf } from '../../../api/body/request.ts';
import { openAccount } from '../../../commands/accounts/accounts.ts';
import { inTransaction } from '../../../db/transaction.ts';
import { type Client, refused, type TestApi } from '../../support/api.ts';
import { bodies, type Path, placesIn, type Schema, sampleOf, withValue } from '../../support/bodies.ts';
import type { LocatedOperation } from '../../support/openapi.ts';
import { requestIn, startWorld, type World } from '../../support/world.ts';

/** All operations with invisible names, and with hidden characters in numbers and codes. */

let api: TestApi;
let client: Client;
let world: World;
beforeAll(async () => {
  ({ api, client, world } = await startWorld());
});
afterAll(() => api.close());

/** Operations that have a field with one of these names, and the path of the field. */
function having(...names: string[]) {
  return bodies.flatMap(({ one, schema }) => {
    const places = placesIn(schema).map(({ path }) => path);
    return places.filter((path) => names.includes(String(path.at(-1)))).map((path) => ({ one, schema, path }));
  });
}

async function refusalOf({ one, schema, path }: { one: LocatedOperation; schema: Schema; path: Path }, value: string) {
  const { path: url, body = sampleOf(schema) } = requestIn(world, one);
  const { status, body: answer } = await client.request(one.method, url, withValue(schema, body, { path, value }));
  return { status, param: answer?.param, message: answer?.message };
}

test('every name needs at least one visible character', async () => {
  const named = having('name').filter(({ path }) => path.at(0) !== 'columns'); // the columns of a saved view exist already
  const required = ['createCustomer', 'createItem', 'createPlan', 'createContact', 'createCoupon', 'createTaxRate'];
  const others = [
    'createTask',
    'createFile',
    'createApiKey',
    'createOauthApplication',
    'updateAccount',
    'createInvoice',
  ];
  expect(named.map(({ one }) => one.id)).toEqual(expect.arrayContaining([...required, ...others]));
  for (const place of named) {
    for (const blank of [' ', '\u200b', '\u3164', '\u2800', '\u202e\u00a0', '\u0301']) {
      const refusal = await refusalOf(place, blank);
      const wanted = { status: 400, param: paramOf(place.path), message: 'Name must have a visible character' };
      expect([place.one.id, refusal]).toEqual([place.one.id, wanted]);
    }
  }
});

test('a business needs a visible name', async () => {
  const open = inTransaction(api.em, (em) => openAccount(em, { name: '\u200b \u3164' }, new Date()));
  await expect(open).rejects.toThrow('Name must have a visible character');
});

test('numbers and codes refuse hidden and control characters, and name them', async () => {
  const codes = having(
    'number',
    'prefix',
    'tax_id',
    'purchase_order',
    'reference',
    'gl_account',
    'gateway_token',
    'email',
    'ach_sender_id',
    'taxengine_entity_use_code',
    'taxengine_exemption_number',
    'taxengine_tax_code',
    'taxengine_location_code',
  ).filter(({ one }) => one.id !== 'createTestGatewayToken'); // the number of a card: its refusal repeats no character
  const named = new Set(codes.map(({ path }) => path.at(-1)));
  expect(named.size).toBe(13);
  for (const place of codes) {
    for (const [hidden, code] of [
      ['\u202e', 'U+202E'],
      ['\u200b', 'U+200B'],
      ['\u0007', 'U+0007'],
      ['\n', 'U+000A'],
      ['\u{e0041}', 'U+E0041'],
    ] as const) {
      const { status, param, message } = await refusalOf(place, `a${hidden}@b`);
      expect([place.one.id, status, param]).toEqual([place.one.id, 400, paramOf(place.path)]);
      expect(message).toMatch(new RegExp(` must have no hidden or control characters: ${code.replace('+', '\\+')}$`));
    }
  }
  const ids = {
    '/items': {},
    '/plans': { amount: 1, interval: 'month' },
    '/coupons': { value: 1 },
    '/tax_rates': { value: 1 },
  };
  for (const [path, body] of Object.entries(ids)) {
    for (const id of ['a\u200bb', 'a\u202eb', 'ab\u0000', 'а1']) {
      const refusal = refused({ param: 'id' });
      expect(await client.post(path, { id, name: 'x', ...body })).toMatchObject(refusal);
    }
  }
});
