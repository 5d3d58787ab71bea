import { expect, test } from '@jest/globals';
import type { Stage } from '../../support/collectionStage.ts';
import { BEGIN, cadenceOf, inSteppedTime, onClock, untilPlanned } from '../../support/collectionStage.ts';
import { startProduct } from '../../support/product.ts';
import { expectSound } from '../../support/soundness.ts';
import { fastSweepConfig, steppedTime } from '../../support/steppedTime.ts';
import { invoiceFor, seconds } from '../../support/story.ts';

/** A cadence is edited while 500 customers stand in it. */

const CUSTOMERS = 500;

/** Creates customers that owe 60.00 each, due on Friday, 8 January. */
async function owing({ client, product, on }: Stage): Promise<void> {
  const places = Array.from({ length: CUSTOMERS }, (_, index) => index);
  for (let from = 0; from < CUSTOMERS; from += 4) {
    const some = places.slice(from, from + 4).map(async (index) => {
      const { id } = await client.post('/customers', { name: `C${index}`, email: `c${index}@example.com`, ...on });
      await invoiceFor(product, id, 60, { due_date: seconds('2027-01-08T09:00:00Z') });
    });
    await Promise.all(some);
  }
}

async function editAmid(stage: Stage): Promise<void> {
  const { client, product, accountId, moveTo } = stage;
  const steps = [
    { name: 'Reminder', action: 'email' as const, schedule: 'past_due_age:3' },
    { name: 'Call', action: 'phone' as const, schedule: 'past_due_age:20' },
  ];
  const cadence = await cadenceOf(stage, steps);
  await owing(stage);
  await moveTo('2027-01-12T10:00:00Z');
  const [first, call] = cadence.steps;
  if (!first || !call) throw new Error('no steps');
  const letter = { name: 'Letter', action: 'letter' as const, schedule: 'past_due_age:5' };
  const { planning } = await client.patch(
    '/chasing_cadences/{id}',
    { steps: [first, letter, call] },
    { id: cadence.id },
  );
  expect(planning).toEqual({ customers: expect.any(Number) });
  await untilPlanned(client, cadence.id);
  await moveTo('2027-02-01T00:00:00Z');
  const asked = await product.rows(
    `select channel, to_char(day, 'YYYY-MM-DD') as day, count(*)::int as reminders, count(distinct customer_id)::int as customers
     from reminder where account_id = ? group by channel, day order by day`,
    [accountId],
  );
  const each = { reminders: CUSTOMERS, customers: CUSTOMERS };
  // January 8 + 3 = 11; + 5 = 13; + 20 = 28
  expect(asked).toEqual([
    { channel: 'email', day: '2027-01-11', ...each },
    { channel: 'letter', day: '2027-01-13', ...each },
    { channel: 'phone', day: '2027-01-28', ...each },
  ]);
  const made = await product.rows(
    `select (select count(*)::int from email where account_id = ? and template = 'late_payment_reminder_email') as mails,
       (select count(*)::int from task where account_id = ?) as tasks,
       (select count(*)::int from event where account_id = ? and type = 'task.created') as events,
       (select sum(amount)::text from ledger_entry where account_id = ? and ledger_account = 'receivable') as owed`,
    Array(4).fill(accountId),
  );
  expect(made).toEqual([{ mails: CUSTOMERS, tasks: 2 * CUSTOMERS, events: 2 * CUSTOMERS, owed: '30000.0000' }]); // 500 x 60.00
}

test('500 customers in a cadence that is edited go on with the step that comes next, each once, on a clock', async () => {
  const product = await startProduct();
  try {
    await editAmid(await onClock(product));
    await expectSound(product);
  } finally {
    await product.close();
  }
});

test('500 customers in a cadence that is edited go on with the step that comes next, each once, in real time', async () => {
  const time = steppedTime(BEGIN);
  const product = await startProduct({ systemNow: time.systemNow, config: fastSweepConfig });
  try {
    await editAmid(await inSteppedTime(product, time));
    expect(await product.audit()).toEqual([]);
  } finally {
    await product.close();
  }
});
