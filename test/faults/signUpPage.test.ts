import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { visitPage } from '../support/payPage.ts';
import { type Product, startProduct } from '../support/product.ts';
import { killRoles, startRole } from '../support/roles.ts';
import { newEmail, signUpVisitor, type Typed } from '../support/signUpPage.ts';
import { textOf } from '../support/sourcePage.ts';
import { letMinutePass } from './money/meanwhile.ts';
import { expectRecovered } from './money/recovery.ts';

/** The API is killed while a sign-up page waits. */

let product: Product;

const PAID = 'Your subscription is active';
const UNPAID = 'Your subscription is kept for 23 hours';
const NOTHING = 'your details were not kept';

/** Points at which the API is killed, and what the page tells afterwards. */
const points: [point: string, told: string][] = [
  ['sign_up.started', NOTHING],
  ['sign_up.prepared', NOTHING],
  ['sign_up.referenced', NOTHING],
  ['sign_up.confirmed', PAID],
  ['sign_up.answered', PAID],
  ['sign_up.recorded', UNPAID],
  ['charge.started', UNPAID],
  ['charge.prepared', UNPAID],
  ['charge.referenced', UNPAID],
  ['charge.confirmed', PAID],
  ['charge.answered', PAID],
  ['charge.recorded', PAID],
];

interface Cut {
  email: string;
  fields: Typed;
}
const cuts = new Map<string, Cut>();
let url = '';

beforeAll(async () => {
  // A page looks up what is older than the deadline of the gateway.
  product = await startProduct({ worker: false, config: { gatewayDeadlineMilliseconds: 45_000 } });
  await product.call('POST', '/plans', { id: 'gold', name: 'Gold', amount: 20, interval: 'month' });
  url = (await product.call('POST', '/sign_up_pages', { name: 'Join', plans: ['gold'] })).url;
  await cutAll();
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
async function cutAll(): Promise<void> {
  const hanging = points.map(([point]) => `${point}=hang`);
  const api = await startRole(product, 'api', { PERENNIAL_FAILPOINTS: hanging.join() });
  const answers: Promise<unknown>[] = [];
  for (const [point] of points) {
    const email = newEmail();
    const fields = await visitor().filled({ email });
    cuts.set(point, { email, fields });
    const { send } = signUpVisitor(at(api.url), tokenOf, url);
    answers.push(send(fields).catch(() => 'the connection broke'));
    await api.untilHit(point);
  }
  await api.kill();
  await Promise.all(answers);
}

function cutAt(point: string): Cut {
  const cut = cuts.get(point);
  if (!cut) throw new Error(`nothing was cut at ${point}`);
  return cut;
}

test.each(points)('after an API was killed at %s, the page tells: %s', async (point, told) => {
  await letMinutePass(product);
  await product.rows(`update sign_up set started_at = started_at - interval '60 seconds' where state = 'storing'`);
  const { email, fields } = cutAt(point);
  const { location } = await visitor().send(fields);
  expect(textOf(await visitPage(at(product.url), location ?? ''))).toContain(told);
  const customers = await product.call('GET', `/customers?filter[email]=${email}`);
  expect(customers).toHaveLength(told === NOTHING ? 0 : 1);
  if (told === NOTHING) return;
  const invoices = await product.call('GET', `/invoices?filter[customer]=${customers[0].id}`);
  expect(invoices).toMatchObject([{ total: 20, paid: told === PAID }]);
});

test('the books are clean after all crashes', async () => {
  await product.startWorker();
  await expectRecovered(product);
});
