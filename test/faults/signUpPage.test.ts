import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { visitPage } from '../support/payPage.ts';
import { type Product, startProduct } from '../support/product.ts';
import { killRoles, startRole } from '../support/roles.ts';
import { newEmail, signUpVisitor, type Typed } from '../support/signUpPage.ts';
import { textOf } from '../support/sourcePage.ts';
import { until } from '../support/wait.ts';
import { letMinutePass } from './money/meanwhile.ts';
import { capturesOf, expectRecovered } from './money/recovery.ts';

/** The API is killed while a sign-up page waits. */

let product: Product;

const PAID = 'Your subscription is active';
const NOTHING = 'your details were not kept';

/** Points at which the API is killed, and what the page tells afterwards. */
const points: [point: string, told: string][] = [
  ['sign_up.started', NOTHING],
  ['sign_up.prepared', NOTHING],
  ['sign_up.referenced', NOTHING],
  ['sign_up.confirmed', PAID],
  ['sign_up.answered', PAID],
  ['sign_up.recorded', PAID],
  ['charge.started', PAID],
  ['charge.prepared', PAID],
  ['charge.referenced', PAID],
  ['charge.confirmed', PAID],
  ['charge.answered', PAID],
  ['charge.recorded', PAID],
];

/** Points at which the visitors do not come back to the page. */
const left = ['sign_up.confirmed', 'sign_up.recorded', 'charge.started', 'charge.prepared', 'charge.referenced'];

interface Cut {
  point: string;
  email: string;
  fields: Typed;
}
const cuts = new Map<string, Cut>();
const leavers: Cut[] = [];
let url = '';

beforeAll(async () => {
  // A page looks up what is older than the deadline of the gateway.
  product = await startProduct({ worker: false, config: { gatewayDeadlineMilliseconds: 45_000 } });
  await product.call('POST', '/plans', { id: 'gold', name: 'Gold', amount: 20, interval: 'month' });
  url = (await product.call('POST', '/sign_up_pages', { name: 'Join', plans: ['gold'] })).url;
  for (const cut of await cutAt(points.map(([point]) => point))) cuts.set(cut.point, cut);
  leavers.push(...(await cutAt(left)));
});
afterAll(async () => {
  await killRoles();
  await product.close();
});

const tokenOf = async (gateway_token: string) =>
  (await product.call('POST', '/service_tokens', { method: 'credit_card', gateway_token })).id;
const at = (where: string) => ({ origin: new URL(where).origin, deps: { publicUrl: product.config.publicUrl } });
const visitor = () => signUpVisitor(at(product.url), tokenOf, url);

/** Starts an API, lets a sign-up hang at each point, and kills the API. */
async function cutAt(names: readonly string[]): Promise<Cut[]> {
  const hanging = names.map((point) => `${point}=hang`);
  const api = await startRole(product, 'api', { PERENNIAL_FAILPOINTS: hanging.join() });
  const made: Cut[] = [];
  const answers: Promise<unknown>[] = [];
  for (const point of names) {
    const email = newEmail();
    const fields = await visitor().filled({ email });
    made.push({ point, email, fields });
    const { send } = signUpVisitor(at(api.url), tokenOf, url);
    answers.push(send(fields).catch(() => 'the connection broke'));
    await api.untilHit(point);
  }
  await api.kill();
  await Promise.all(answers);
  return made;
}

async function invoicesOf(email: string) {
  const [customer, ...others] = await product.call('GET', `/customers?filter[email]=${email}`);
  expect(others).toEqual([]);
  return customer ? product.call('GET', `/invoices?filter[customer]=${customer.id}`) : [];
}

test.each(points)('after an API was killed at %s, the page tells: %s', async (point, told) => {
  await letMinutePass(product);
  await product.rows(`update sign_up set started_at = started_at - interval '60 seconds' where state = 'storing'`);
  const { email, fields } = cuts.get(point) ?? { email: '', fields: {} };
  const { location } = await visitor().send(fields);
  expect(textOf(await visitPage(at(product.url), location ?? ''))).toContain(told);
  const invoices = await invoicesOf(email);
  expect(invoices).toMatchObject(told === NOTHING ? [] : [{ total: 20, paid: true }]);
  expect(invoices).toHaveLength(told === NOTHING ? 0 : 1);
});

test('the sign-ups of visitors who do not come back are finished by their processes', async () => {
  await letMinutePass(product);
  await product.rows(`update sign_up set started_at = started_at - interval '60 seconds' where state = 'storing'`);
  await product.rows(
    `update wakeup set at = at - interval '60 seconds' where process = 'sign_up' and rule = 'look_up'`,
  );
  await product.startWorker();
  for (const { point, email } of leavers) {
    const isPaid = async () => (await invoicesOf(email))[0]?.paid === true;
    await until(isPaid, { what: `the invoice to be paid that was cut at ${point}` });
    const [invoice] = await invoicesOf(email);
    expect([point, await capturesOf(product, invoice.id)]).toEqual([point, 1]);
  }
});

test('the books are clean after all crashes', async () => {
  await expectRecovered(product);
});
