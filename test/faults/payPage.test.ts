import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { formOn, sendForm, visitPage } from '../support/payPage.ts';
import { type Product, startProduct } from '../support/product.ts';
import { killRoles, startRole } from '../support/roles.ts';
import { invoiceFor } from '../support/story.ts';
import { letMinutePass } from './money/meanwhile.ts';
import { newPayer } from './money/payers.ts';
import { capturesOf, expectRecovered } from './money/recovery.ts';

/** The API is killed while the page of an invoice waits for its payment. */

let product: Product;

/** Points at which the API is killed. From `confirmed` on, the gateway has taken the money. */
const points = [
  { point: 'started', happened: false },
  { point: 'prepared', happened: false },
  { point: 'referenced', happened: false },
  { point: 'confirmed', happened: true },
  { point: 'answered', happened: true },
  { point: 'recorded', happened: true },
];

interface Cut {
  invoice: number;
  pay: string;
  form: Record<string, string>;
}

/** The payments that were cut off, by point. */
const cuts = new Map<string, Cut>();

beforeAll(async () => {
  // A page looks up what is older than the deadline of the gateway.
  product = await startProduct({ endpoint: true, worker: false, config: { gatewayDeadlineMilliseconds: 45_000 } });
  await cutAll();
});
afterAll(async () => {
  await killRoles();
  await product.close();
});

const at = (url: string) => ({ origin: new URL(url).origin, deps: { publicUrl: product.config.publicUrl } });

/** Starts an API, lets one payment hang at each point, and kills the API. */
async function cutAll(): Promise<void> {
  const hanging = points.map(({ point }) => `charge.${point}=hang`).join();
  const api = await startRole(product, 'api', { PERENNIAL_FAILPOINTS: hanging });
  const answers: Promise<unknown>[] = [];
  for (const { point } of points) {
    const customer = await newPayer(product, { autopay: false });
    const { id, payment_url } = await product.call('GET', `/invoices/${(await invoiceFor(product, customer, 25)).id}`);
    const pay = new URL(payment_url).pathname;
    const token = { method: 'credit_card', gateway_token: 'tok_4242424242424242' };
    const { id: service_token } = await product.call('POST', '/service_tokens', token);
    const form = { ...formOn(await visitPage(at(product.url), pay)), service_token };
    cuts.set(point, { invoice: id, pay, form });
    answers.push(sendForm(at(api.url), pay, form).catch(() => 'the connection broke'));
    await api.untilHit(`charge.${point}`);
  }
  await api.kill();
  await Promise.all(answers);
}

const cutAt = (point: string): Cut => {
  const cut = cuts.get(point);
  if (!cut) throw new Error(`nothing was cut at ${point}`);
  return cut;
};

test('the form that was sent again leads to the page that says that the payment is in progress', async () => {
  const told = async ({ point }: { point: string }) => {
    const { pay, form } = cutAt(point);
    const { status, location } = await sendForm(at(product.url), pay, form);
    const { html, headers } = await visitPage(at(product.url), location ?? '');
    return {
      status,
      isInProgress: html.includes('Your payment is being processed'),
      isRefreshed: headers.has('Refresh'),
    };
  };
  for (const one of points.slice(0, 5)) {
    expect([one.point, await told(one)]).toEqual([one.point, { status: 303, isInProgress: true, isRefreshed: true }]);
  }
  expect(await told({ point: 'recorded' })).toEqual({ status: 303, isInProgress: false, isRefreshed: false });
});

test.each(points)(
  'after an API was killed when a payment was $point, its page tells what became of it',
  async ({ point, happened }) => {
    await letMinutePass(product);
    const { invoice, pay, form } = cutAt(point);
    const { location } = await sendForm(at(product.url), pay, form);
    const { html } = await visitPage(at(product.url), location ?? '');
    expect(html).toContain(happened ? 'Thank you for your payment' : 'Nothing was charged.');
    expect(await capturesOf(product, invoice)).toBe(happened ? 1 : 0);
    expect((await visitPage(at(product.url), pay)).html).toContain(
      happened ? 'This invoice is paid' : 'How would you like to pay?',
    );
  },
);

test('the books are clean after all crashes', async () => {
  await product.startWorker();
  await expectRecovered(product);
});
