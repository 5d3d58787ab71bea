import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type Product, startProduct } from '../../support/product.ts';
import { killRoles, startRole } from '../../support/roles.ts';
import { invoiceFor } from '../../support/story.ts';
import { until } from '../../support/wait.ts';
import { send } from '../money/client.ts';
import { newPayer, token } from '../money/payers.ts';
import { capturesOf, expectRecovered } from '../money/recovery.ts';

let product: Product;

beforeAll(async () => {
  product = await startProduct({ endpoint: true });
});
afterAll(async () => {
  await killRoles();
  await product.close();
});

const LOOK_UP_MILLISECONDS = 60_000;

test('with default delays, charges without an outcome are looked up after a minute', async () => {
  expect(product.config).toMatchObject({ gatewayDeadlineMilliseconds: 20_000, chargeLookupDelayMilliseconds: 60_000 });
  await Promise.all([leftByApi(), neverHeard()]);
  await expectRecovered(product);
});

/** The request of a killed API is not repeated. */
async function leftByApi(): Promise<void> {
  const api = await startRole(product, 'api', { PERENNIAL_FAILPOINTS: 'charge.confirmed=kill' });
  const charge = await chargeOf(token.pays);
  await expect(send({ ...charge, url: api.url })).rejects.toThrow();
  await api.untilKilledAt('charge.confirmed');
  await expectLookedUp(charge.invoice);
}

async function neverHeard(): Promise<void> {
  const charge = await chargeOf(token.timesOutTaken);
  const sentAt = performance.now();
  const answer = await send({ ...charge, url: product.url });
  expect(performance.now() - sentAt).toBeGreaterThan(19_000);
  expect(answer).toMatchObject({ status: 201, body: { charge: { status: 'pending' } } });
  await expectLookedUp(charge.invoice);
}

async function chargeOf(gatewayToken: string) {
  const customer = await newPayer(product, { autopay: false });
  const { id: invoice } = await invoiceFor(product, customer, 25);
  const applied_to = [{ type: 'invoice', invoice, amount: 25 }];
  const body = { customer, method: 'credit_card', amount: 25, gateway_token: gatewayToken, applied_to };
  return { key: product.key, path: '/charges', body, invoice };
}

async function expectLookedUp(invoice: number): Promise<void> {
  const sql = `select a.ended_at - a.started_at > interval '59 s' as waited from attempt a
    join attempt_invoice ai on ai.account_id = a.account_id and ai.attempt_id = a.id
    where ai.invoice_id = ${invoice} and a.state = 'succeeded'`;
  const ended = () => product.rows<{ waited: boolean }>(sql);
  const found = async () => (await ended())[0];
  expect(await until(found, { what: 'the look-up', within: LOOK_UP_MILLISECONDS + 30_000, every: 500 })).toEqual({
    waited: true,
  });
  expect(await capturesOf(product, invoice)).toBe(1);
  expect(await product.call('GET', `/invoices/${invoice}`)).toMatchObject({ paid: true });
}
