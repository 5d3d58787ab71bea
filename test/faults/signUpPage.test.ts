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
/** A card whose bank asks before it is stored. */
const ASKS = 'tok_4000000000003220';

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
let refusedAt = '';

beforeAll(async () => {
  // A page looks up what is older than the deadline of the gateway.
  product = await startProduct({ worker: false, config: { gatewayDeadlineMilliseconds: 45_000 } });
  await product.call('POST', '/plans', { id: 'gold', name: 'Gold', amount: 20, interval: 'month' });
  url = (await product.call('POST', '/sign_up_pages', { name: 'Join', plans: ['gold'] })).url;
  for (const cut of await cutAt(points.map(([point]) => point))) cuts.set(cut.point, cut);
  leavers.push(...(await cutAt(left)));
  refusedAt = await cutRefused();
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

/** Lets the plan of a sign-up be archived while its bank is asked, and kills the API before it deletes the stored card. Returns the path of the outcome. */
async function cutRefused(): Promise<string> {
  const here = at(product.url);
  await product.call('POST', '/plans', { id: 'old', name: 'Old', amount: 9, interval: 'month' });
  const page = await product.call('POST', '/sign_up_pages', { name: 'Join', plans: ['old'] });
  const asked = await signUpVisitor(here, tokenOf, page.url).signUp({}, ASKS);
  await product.call('DELETE', '/plans/old');
  const [, challenge = ''] = /<a class="button" href="([^"]+)"/.exec(asked.html) ?? [];
  const answered = await visitPage(here, `${new URL(challenge).pathname}/authenticate`, { method: 'POST' });
  const { pathname, search } = new URL(answered.location ?? '');
  const api = await startRole(product, 'api', { PERENNIAL_FAILPOINTS: 'sign_up.refused=hang' });
  const answer = visitPage(at(api.url), `${pathname}${search}`).catch(() => 'the connection broke');
  await api.untilHit('sign_up.refused');
  await api.kill();
  await answer;
  return pathname;
}

async function invoicesOf(email: string) {
  const [customer, ...others] = await product.call('GET', `/customers?filter[email]=${email}`);
  expect(others).toEqual([]);
  return customer ? product.call('GET', `/invoices?filter[customer]=${customer.id}`) : [];
}

/** Expects one subscription, one invoice that is paid by one charge, and one source of a visitor, each confirmed by one mail. */
async function expectOne(email: string): Promise<void> {
  const [invoice, ...others] = await invoicesOf(email);
  expect([invoice, others]).toMatchObject([{ total: 20, paid: true }, []]);
  const { customer } = invoice;
  expect(await product.call('GET', `/subscriptions?filter[customer]=${customer}`)).toMatchObject([
    { status: 'active' },
  ]);
  expect(await product.call('GET', `/customers/${customer}/payment_sources`)).toHaveLength(1);
  const mails = await product.call('GET', `/emails?filter[customer]=${customer}`);
  const confirmations = mails.filter(({ template }: { template: string }) => template.startsWith('subscription_'));
  expect([await capturesOf(product, invoice.id), confirmations.length]).toEqual([1, 1]);
}

/** Cards that are stored at the gateway. */
const storedCards = (where = 'true') =>
  product.rows<{ count: number }>(
    `select count(*)::int as count from test_gateway.source where not deleted and ${where}`,
  );

test.each(points)('after an API was killed at %s, the page tells: %s', async (point, told) => {
  await letMinutePass(product);
  await product.rows(`update sign_up set started_at = started_at - interval '60 seconds' where state = 'storing'`);
  const { email, fields } = cuts.get(point) ?? { email: '', fields: {} };
  const { location } = await visitor().send(fields);
  expect(textOf(await visitPage(at(product.url), location ?? ''))).toContain(told);
  if (told === PAID) await expectOne(email);
  else expect(await product.call('GET', `/customers?filter[email]=${email}`)).toEqual([]);
  expect((await visitor().send(fields)).location).toBe(location);
});

test('after an API was killed before it deleted the card of a refused sign-up, the page tells why', async () => {
  const told = textOf(await visitPage(at(product.url), refusedAt));
  expect([told.includes('This plan is no longer offered'), told.includes(NOTHING)]).toEqual([true, true]);
  expect(await storedCards(`token = '${ASKS}'`)).toEqual([{ count: 1 }]);
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
    await expectOne(email);
  }
  const isDeleted = async () => (await storedCards(`token = '${ASKS}'`))[0]?.count === 0;
  await until(isDeleted, { what: 'the card of the refused sign-up to be deleted' });
});

test('the gateway stores a card for each visitor who subscribed, and no other', async () => {
  const subscribed = points.filter(([, told]) => told === PAID).length + left.length;
  expect(await storedCards()).toEqual([{ count: subscribed }]);
  expect(await product.rows('select count(*)::int as count from payment_source')).toEqual([{ count: subscribed }]);
});

test('the books are clean after all crashes', async () => {
  await expectRecovered(product);
});
