import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { startTwilio, type TwilioServer } from '../../adapters/twilio/server.ts';
import { type Product, startProduct } from '../../support/product.ts';
import { killRoles, startRole } from '../../support/roles.ts';
import { TWILIO_PROVIDER } from '../../support/texts.ts';
import { letLeasesEnd } from '../money/past.ts';

let product: Product;
let twilio: TwilioServer;
beforeAll(async () => {
  twilio = await startTwilio();
  product = await startProduct({ worker: false, env: { TWILIO_API: twilio.url } });
  await product.live.post('/message_providers', TWILIO_PROVIDER);
});
afterEach(killRoles);
afterAll(async () => {
  await product.close();
  await twilio.close();
});

/** Makes the texts that wait due, and wakes their pump. */
const lookNow = () =>
  product.rows(
    `with due as (update text_message set next_attempt_at = now() where next_attempt_at > now() returning account_id)
     insert into outbox (account_id, topic, subject_id, shard, due_at)
     select distinct account_id, 'text', account_id, 0, now() from text_message`,
  );

/** A queued text to a number, as a step of chasing writes it, with an invoice that is owed. */
async function queued(phone: string): Promise<number> {
  const { live } = product;
  const customer = await live.post('/customers', { name: phone });
  const contact = { name: 'Bob', phone, sms_enabled: true };
  const { id } = await live.post('/customers/{customer_id}/contacts', contact, { customer_id: customer.id });
  const invoice = await live.post('/invoices', { customer: customer.id, items: [{ unit_cost: 25 }] });
  // Zones of both sides of the date line would have no common hour: the zone is the one in which it is noon now.
  const zone = `Etc/GMT${12 - new Date().getUTCHours() > 0 ? '-' : '+'}${Math.abs(12 - new Date().getUTCHours())}`;
  const [text] = await product.rows<{ id: number }>(
    `insert into text_message (account_id, customer_id, reminder_id, contact_id, cause, number, message, zones, invoice_ids, state,
       next_attempt_at, give_up_at, created_at, updated_at)
     select account_id, id, 0, ?, 'crash:' || id, ?, 'Please pay', ?, ?, 'queued', now(), now() + interval '1 day', now(), now()
     from customer where id = ? returning id`,
    [id, phone, `{${zone}}`, `{${invoice.id}}`, customer.id],
  );
  await lookNow();
  return text?.id ?? 0;
}

test('a worker that is killed at any point sends each text once: what may have been taken is looked up first', async () => {
  const points = ['text.claimed', 'text.sent', 'text.recorded'];
  const numbers = ['+12125550101', '+12125550102', '+12125550103'];
  for (const [index, point] of points.entries()) {
    const id = await queued(numbers[index] ?? '');
    const worker = await startRole(product, 'worker', {
      PERENNIAL_FAILPOINTS: `${point}=kill`,
      TWILIO_API: twilio.url,
    });
    await worker.untilKilledAt(point);
    const state = point === 'text.recorded' ? 'sent' : 'sending';
    expect(await product.rows(`select state from text_message where id = ${id}`)).toEqual([{ state }]);
    await letLeasesEnd(product);
    const next = await startRole(product, 'worker', { TWILIO_API: twilio.url });
    await lookNow();
    await product.row(`select 1 from text_message where id = ${id} and state = 'sent'`);
    await next.stop();
    await letLeasesEnd(product);
  }
  expect(twilio.taken.map(({ to }) => to).toSorted()).toEqual(numbers);
  const references = await product.rows<{ reference: string }>('select reference from text_message');
  expect(references.map(({ reference }) => reference).toSorted()).toEqual(
    twilio.taken.map(({ sid }) => sid).toSorted(),
  );
});
