import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { startTwilio, type TwilioServer } from '../adapters/twilio/server.ts';
import { advanceTo, clockAt, story } from '../support/clock.ts';
import { type Product, startProduct } from '../support/product.ts';
import { expectSound } from '../support/soundness.ts';
import { invoiceFor, seconds } from '../support/story.ts';
import { TEST_PROVIDER, TWILIO_PROVIDER } from '../support/texts.ts';
import { until } from '../support/wait.ts';

let product: Product;
let twilio: TwilioServer;
beforeAll(async () => {
  twilio = await startTwilio();
  product = await startProduct({ env: { TWILIO_API: twilio.url } });
  await product.live.post('/message_providers', TWILIO_PROVIDER);
  await product.live.patch('/account', { chasing_days: 'every' });
});
afterAll(async () => {
  await product.close();
  await twilio.close();
});

const STEPS = [{ name: 'Text', action: 'sms' as const, schedule: 'past_due_age:3' }];
/** Due on Friday, January 8: three days later is Monday the 11th. */
const FRIDAY = { due_date: seconds('2027-01-08T09:00:00Z') };

/** A customer on a clock, with a contact that may be texted. */
async function texted(contact: object) {
  const { client } = product;
  const cadence = await client.post('/chasing_cadences', { name: 'Texts', time_of_day: 9, steps: STEPS });
  const clock = await clockAt(product, '2027-01-04T08:00:00Z');
  const person = { name: 'Ann', test_clock: clock.id, chasing_cadence: cadence.id };
  const customer = await client.post('/customers', person);
  const phone = { name: 'Bob', phone: '+1 212 555 0123', sms_enabled: true };
  await client.post('/customers/{customer_id}/contacts', { ...phone, ...contact }, { customer_id: customer.id });
  await invoiceFor(product, customer.id, 120, FRIDAY);
  return { clock, customer };
}

const stepsIn = (clock: Parameters<typeof story>[0]) =>
  story(clock)
    .filter((line) => line.includes('chasing'))
    .map((line) => line.replace(/chasing \d+: |task \d+ /g, ''));

const textsTo = (customer: number) => product.client.get('/text_messages', { filter: { customer } });

test('without a provider the step is a task to call', async () => {
  const { clock, customer } = await texted({});
  const there = await advanceTo(product, clock, '2027-01-12T00:00:00Z');
  expect(stepsIn(there)).toEqual([
    '2027-01-11 09:00 step 1 of 1: (phone) about 120.00 usd, because no provider of texts is configured',
  ]);
  expect(await textsTo(customer.id)).toEqual([]);
  expect(await product.client.get('/tasks', { filter: { customer: customer.id } })).toMatchObject([
    { action: 'phone' },
  ]);
});

test('a text waits until it is 8:00 in every zone of the state of its contact', async () => {
  const { id: provider } = await product.client.post('/message_providers', TEST_PROVIDER);
  const { clock, customer } = await texted({ country: 'US', state: 'California' });
  // The account's zone is UTC: 9:00 there is 1:00 in California, where 8:00 is 16:00 UTC.
  const early = await advanceTo(product, clock, '2027-01-11T15:59:00Z');
  expect(stepsIn(early)).toEqual(['2027-01-11 09:00 step 1 of 1: asked for 120.00 usd by text']);
  expect(await textsTo(customer.id)).toMatchObject([
    { state: 'queued', next_attempt: seconds('2027-01-11T16:00:00Z') },
  ]);
  await advanceTo(product, clock, '2027-01-11T16:00:00Z');
  const [text] = await textsTo(customer.id);
  expect(text).toMatchObject({ state: 'sent', phone: '+12125550123', attempt_count: 1, next_attempt: null });
  expect(text?.message).toMatch(
    /^Acme: \$120\.00 is still open \(invoice INV-\d+\)\. Pay here: http\S+\/pay Reply STOP to stop texts\.$/,
  );
  expect(twilio.sends).toBe(0); // the sandbox texts nobody
  await product.client.delete('/message_providers/{id}', { id: provider });
  await expectSound(product);
});

test('a text that waits for its hour is not sent once the invoice is paid', async () => {
  const { id: provider } = await product.client.post('/message_providers', TEST_PROVIDER);
  const { clock, customer } = await texted({ country: 'US', state: 'CA' });
  await advanceTo(product, clock, '2027-01-11T12:00:00Z');
  const [invoice] = await product.client.get('/invoices', { filter: { customer: customer.id } });
  const applied = [{ type: 'invoice' as const, invoice: invoice?.id ?? 0, amount: 120 }];
  await product.client.post('/payments', { customer: customer.id, amount: 120, applied_to: applied });
  await advanceTo(product, clock, '2027-01-12T00:00:00Z');
  expect(await textsTo(customer.id)).toMatchObject([{ state: 'canceled', attempt_count: 0 }]);
  await product.client.delete('/message_providers/{id}', { id: provider });
});

/** A zone in which it is now between 10:00 and 18:00, with a country that has only zones near it, and numbers of it. */
function dayPlace(): { country: string; phone: string } {
  const hour = new Date().getUTCHours();
  if (hour < 5) return { country: 'JP', phone: '+81 90 1234 5678' }; // UTC+9
  if (hour < 10) return { country: 'IN', phone: '+91 98765 43210' }; // UTC+5:30
  if (hour < 16) return { country: 'DE', phone: '+49 151 12345678' }; // UTC+1 or +2
  return { country: 'PE', phone: '+51 912 345 678' }; // UTC-5
}

/** A live customer whose invoice is to be asked for now. */
async function chasedNow(over: object = {}) {
  const { live } = product;
  const steps = [{ name: 'Text', action: 'sms' as const, schedule: 'age:0' }];
  const hour = new Date().getUTCHours();
  const cadence = await live.post('/chasing_cadences', { name: 'Now', time_of_day: hour, steps });
  const customer = await live.post('/customers', { name: 'Ann', chasing_cadence: cadence.id });
  const contact = { name: 'Bob', sms_enabled: true, ...dayPlace(), ...over };
  await live.post('/customers/{customer_id}/contacts', contact, { customer_id: customer.id });
  await live.post('/invoices', { customer: customer.id, items: [{ name: 'Work', unit_cost: 120 }] });
  const state = async () => (await live.get('/text_messages', { filter: { customer: customer.id } }))[0];
  return {
    customer,
    state,
    reach: (wanted: string) =>
      until(
        async () => {
          const text = await state();
          if (text?.state !== wanted) throw new Error(JSON.stringify(text));
          return text;
        },
        { what: `a text that is ${wanted}` },
      ),
  };
}

test("a cadence's step sends one text by Twilio, outside any transaction", async () => {
  const { reach } = await chasedNow();
  const text = await reach('sent');
  expect(twilio.taken.map(({ sid, to, body }) => [sid, to, body])).toEqual([
    [text.reference, text.phone, text.message],
  ]);
});

test('a number that Twilio refuses makes a task, and a stopped one is never asked for again', async () => {
  const before = twilio.sends;
  twilio.answer({ status: 400, code: 21610, message: 'Attempt to send to unsubscribed recipient' });
  const { customer, reach } = await chasedNow();
  expect((await reach('undeliverable')).reject_reason).toBe('Twilio: 21610 Attempt to send to unsubscribed recipient');
  const tasks = await product.live.get('/tasks', { filter: { customer: customer.id } });
  expect(tasks).toMatchObject([{ action: 'phone', name: expect.stringContaining('Text: text') }]);
  expect(twilio.sends).toBe(before + 1);
  const next = await chasedNow();
  await until(
    async () => {
      const [task] = await product.live.get('/tasks', { filter: { customer: next.customer.id } });
      if (!task) throw new Error('no task');
      return task;
    },
    { what: 'a task instead of a text to the stopped number' },
  );
  expect(twilio.sends).toBe(before + 1);
});
