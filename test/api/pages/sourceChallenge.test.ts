import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { type Client, startApi, type TestApi } from '../../support/api.ts';
import { visitPage } from '../../support/payPage.ts';
import { type SourceVisitor, sourceVisitor, textOf } from '../../support/sourcePage.ts';

/** Banks that ask their customer to confirm before a card is stored. */

const ASKS = 'tok_4000000000003220';

let api: TestApi;
let client: Client;
let visitor: SourceVisitor;
let path: string;
let customer: number;

beforeAll(async () => {
  api = await startApi();
  client = api.sandbox;
  visitor = await sourceVisitor(api, client);
});
afterAll(() => api.close());
beforeEach(async () => {
  customer = (await client.make('/customers', { name: 'Ada', autopay: true })).id;
  path = await visitor.pathOf(customer);
});

const sourcesOf = async () => (await client.get(`/customers/${customer}/payment_sources`)).body;

async function challengeOf(gatewayToken: string): Promise<{ here: string; challenge: string }> {
  const { location } = await visitor.send(path, await visitor.filled(path, gatewayToken));
  const page = await visitPage(api, location ?? '');
  expect(textOf(page)).toContain('Your bank asks you to confirm');
  const [, challenge = ''] = /<a class="button" href="([^"]+)"/.exec(page.html) ?? [];
  return { here: location ?? '', challenge };
}

test('a card whose bank asks for a confirmation is stored once its owner has confirmed', async () => {
  const { here, challenge } = await challengeOf(ASKS);
  expect(await sourcesOf()).toEqual([]);
  const answered = await visitPage(api, `${challenge}/authenticate`, { method: 'POST' });
  expect(answered.location).toContain(here);
  expect(textOf(await visitPage(api, answered.location ?? ''))).toContain('Your payment method is saved');
  expect(await sourcesOf()).toHaveLength(1);
  expect((await client.get(`/customers/${customer}`)).body.payment_source).toMatchObject({ last4: '3220' });
});

test('a card whose owner does not confirm is not stored, and the page says so', async () => {
  const { here, challenge } = await challengeOf(ASKS);
  await visitPage(api, `${challenge}/fail`, { method: 'POST' });
  const told = await visitPage(api, here);
  expect(textOf(told)).toContain('The payment method was not accepted');
  expect(await sourcesOf()).toEqual([]);
});
