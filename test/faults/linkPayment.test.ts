import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { visitPage } from '../support/payPage.ts';
import { type Product, startProduct } from '../support/product.ts';
import { killRoles, startRole } from '../support/roles.ts';
import { newEmail } from '../support/signUpPage.ts';
import { inputsOf, textOf } from '../support/sourcePage.ts';
import { letMinutePass } from './money/meanwhile.ts';
import { capturesOf, expectRecovered } from './money/recovery.ts';

/** The API is killed while the page of a payment link waits. */

let product: Product;

/** Points at which the API is killed. From `charge.confirmed` on, the gateway has taken the money. */
const points = [
  { point: 'charge.started', happened: false },
  { point: 'charge.prepared', happened: false },
  { point: 'charge.referenced', happened: false },
  { point: 'charge.confirmed', happened: true },
  { point: 'charge.answered', happened: true },
  { point: 'charge.recorded', happened: true },
];
const forms = new Map<string, Record<string, string>>();
let path = '';

beforeAll(async () => {
  product = await startProduct({ worker: false, config: { gatewayDeadlineMilliseconds: 45_000 } });
  path = new URL((await product.call('POST', '/payment_links', { name: 'Ticket', amount: 30 })).url).pathname;
  const hanging = points.map(({ point }) => `${point}=hang`).join();
  const api = await startRole(product, 'api', { PERENNIAL_FAILPOINTS: hanging });
  const answers: Promise<unknown>[] = [];
  for (const { point } of points) {
    const shown = inputsOf(await visitPage(at(product.url), path));
    const token = { method: 'credit_card', gateway_token: 'tok_4242424242424242' };
    const { id: service_token } = await product.call('POST', '/service_tokens', token);
    const fields = { ...shown, name: 'Grace Hopper', email: newEmail(), service_token };
    forms.set(point, fields);
    answers.push(send(api.url, fields).catch(() => 'the connection broke'));
    await api.untilHit(point);
  }
  await api.kill();
  await Promise.all(answers);
});
afterAll(async () => {
  await killRoles();
  await product.close();
});

const at = (url: string) => ({ origin: new URL(url).origin, deps: { publicUrl: product.config.publicUrl } });
const send = (url: string, fields: Record<string, string>) =>
  visitPage(at(url), path, { method: 'POST', body: new URLSearchParams(fields) });

test.each(points)(
  'after an API was killed at $point, the form that was sent again tells what became of it, and charges once',
  async ({ point, happened }) => {
    await letMinutePass(product);
    const fields = forms.get(point) ?? {};
    const { location } = await send(product.url, fields);
    const told = textOf(await visitPage(at(product.url), location ?? ''));
    expect(told).toContain(happened ? 'Thank you for your payment' : 'Nothing was charged');
    const [customer, ...others] = await product.call('GET', `/customers?filter[email]=${fields.email}`);
    const invoices = await product.call('GET', `/invoices?filter[customer]=${customer.id}`);
    expect([others, invoices]).toMatchObject([[], [{ paid: happened, status: happened ? 'paid' : 'voided' }]]);
    expect((await send(product.url, fields)).location).toBe(location);
    expect(await capturesOf(product, invoices[0].id)).toBe(happened ? 1 : 0);
  },
);

test('the books are clean after all crashes', async () => {
  await product.startWorker();
  await expectRecovered(product);
});
