import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createPerson, type Person, type Screen } from '../support/person.ts';
import { type Product, startProduct } from '../support/product.ts';
import { killRoles, startRole } from '../support/roles.ts';
import { invoiceFor } from '../support/story.ts';
import { letMinutePass } from './money/meanwhile.ts';
import { newPayer } from './money/payers.ts';
import { capturesOf, expectRecovered } from './money/recovery.ts';

/** The API is killed while the portal waits for one payment of several invoices. */

let product: Product;

/** Points at which the API is killed. From `charge.confirmed` on, the gateway has taken the money. */
const points = [
  { point: 'portal_payment.before_commit', isKnown: false, happened: false },
  { point: 'portal_payment.committed', isKnown: true, happened: false },
  { point: 'charge.started', isKnown: true, happened: false },
  { point: 'charge.prepared', isKnown: true, happened: false },
  { point: 'charge.referenced', isKnown: true, happened: false },
  { point: 'charge.confirmed', isKnown: true, happened: true },
  { point: 'charge.answered', isKnown: true, happened: true },
  { point: 'charge.recorded', isKnown: true, happened: true },
];

interface Cut {
  invoices: number[];
  person: Person;
  review: Screen;
  source: string;
}
const cuts = new Map<string, Cut>();
let root: string;

beforeAll(async () => {
  product = await startProduct({ endpoint: true, worker: false, config: { gatewayDeadlineMilliseconds: 45_000 } });
  root = `/portal/${product.accountId}`;
  await product.call('PATCH', '/account', { portal_return_urls: ['https://app.example/'] });
  await cutAll();
});
afterAll(async () => {
  await killRoles();
  await product.close();
});

const at = (url: string) => ({ origin: new URL(url).origin, deps: { publicUrl: product.config.publicUrl } });

/** A customer with three invoices and a card, whose portal is open. */
async function ready(): Promise<Cut> {
  const customer = await newPayer(product, { autopay: false });
  const invoices: number[] = [];
  for (const amount of [10, 20, 30]) invoices.push((await invoiceFor(product, customer, amount)).id);
  const asked = { return_url: 'https://app.example/' };
  const { url } = await product.call('POST', `/customers/${customer}/portal_sessions`, asked);
  const person = createPerson(at(product.url));
  const { pathname } = new URL(url);
  await person.send(await person.open(pathname), pathname);
  const review = await person.open(`${root}/pay/review?currency=usd`);
  const source = /name="source" value="(\d+)"/.exec(review.text)?.[1] ?? '';
  return { invoices, person, review, source };
}

/** Starts an API, lets one payment hang at each point, and kills the API. */
async function cutAll(): Promise<void> {
  const hanging = points.map(({ point }) => `${point}=hang`).join();
  const api = await startRole(product, 'api', { PERENNIAL_FAILPOINTS: hanging });
  const answers: Promise<unknown>[] = [];
  for (const { point } of points) {
    const cut = await ready();
    cuts.set(point, cut);
    const elsewhere = createPerson(at(api.url));
    for (const [name, value] of cut.person.cookies) elsewhere.cookies.set(name, value);
    answers.push(elsewhere.send(cut.review, '/pay/review', { source: cut.source }).catch(() => 'the connection broke'));
    await api.untilHit(point);
  }
  await api.kill();
  await Promise.all(answers);
}

const cutAt = (point: string): Cut => {
  const cut = cuts.get(point);
  if (!cut) throw new Error(`nothing was cut at ${point}`);
  return cut;
};
const paidOf = ({ invoices }: Cut) => Promise.all(invoices.map((id) => capturesOf(product, id)));

test('while it is not known what became of a payment, its invoices cannot be paid again', async () => {
  for (const { point, isKnown } of points.slice(0, 7)) {
    const { person } = cutAt(point);
    const page = await person.open(`${root}/pay`);
    expect([point, page.text.includes('There is nothing to pay')]).toEqual([point, isKnown]);
  }
});

test.each(points)(
  'after an API was killed at $point, the form that was sent again tells what became of it, and charges once',
  async ({ point, happened, isKnown }) => {
    await letMinutePass(product);
    const cut = cutAt(point);
    const { person, review, source } = cut;
    const outcome = await person.send(review, '/pay/review', { source });
    const isPaid = happened || !isKnown; // a form that was lost before the commit is simply sent anew
    expect([
      outcome.status,
      outcome.text.includes(isPaid ? 'Thank you for your payment' : 'Nothing was charged'),
    ]).toEqual([200, true]);
    expect(await paidOf(cut)).toEqual(isPaid ? [1, 1, 1] : [0, 0, 0]);
    const again = await person.send(review, '/pay/review', { source });
    expect([again.url.pathname, await paidOf(cut)]).toEqual([outcome.url.pathname, isPaid ? [1, 1, 1] : [0, 0, 0]]);
    expect((await person.open(`${root}/pay`)).text.includes('There is nothing to pay')).toBe(isPaid);
  },
);

test('the books are clean after all crashes', async () => {
  await product.startWorker();
  await expectRecovered(product);
});
