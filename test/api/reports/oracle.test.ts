import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type Client, startApi, type TestApi } from '../../support/api.ts';
import { randomOf } from '../../support/random.ts';

/**
 * Random books, and the open amount of each invoice at random past days: as the report says, and as a program of this test finds from
 * events and payments, without the ledger. What is voided, and an application that was taken back, never was; a write-off counts from its
 * event.
 */

let api: TestApi;
let now = Date.parse('2027-01-01T12:00:00Z');
beforeAll(async () => {
  api = await startApi({ systemNow: () => new Date(now) });
});
afterAll(async () => {
  expect(api.faults).toEqual([]);
  await api.close();
});

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

test.each([1, 2, 3])('aging agrees with the events on random days, seed %i', async (seed) => {
  const { sandbox: client } = await api.open(`Random ${seed}`);
  const random = randomOf(seed);
  const pick = <Value>(of: readonly Value[]): Value | undefined => of[Math.floor(random() * of.length)];
  const customers: number[] = [];
  for (let n = 0; n < 4; n++) customers.push((await client.make('/customers', { name: `Customer ${n}` })).id);
  const begin = now;
  for (let step = 0; step < 60; step++) {
    now += Math.floor(random() * 40) * HOUR;
    await act({ client, customer: pick(customers) ?? 0, random, pick });
  }
  const events = await eventsOf(client);
  const paid: Paid[] = (await client.get('/payments?filter[voided]=false&per_page=100&include=applied_to')).body;
  for (let n = 0; n < 20; n++) {
    const day = new Date(begin - 20 * DAY + Math.floor((random() * (now - begin + 20 * DAY)) / DAY) * DAY)
      .toISOString()
      .slice(0, 10);
    const until = Date.parse(`${day}T00:00:00Z`) + DAY;
    const { body } = await client.get(`/reports/open_items?as_of=${day}&zone=UTC`);
    const reported = new Map<number, number>(
      body.rows.map((row: { invoice: number; amount: number }) => [row.invoice, row.amount]),
    );
    expect([day, [...reported].toSorted()]).toEqual([day, [...openAt(events, paid, until)].toSorted()]);
  }
});

interface Step {
  client: Client;
  customer: number;
  random: () => number;
  pick: <Value>(of: readonly Value[]) => Value | undefined;
}

const ago = (random: () => number, days: number) => Math.floor((now - Math.floor(random() * days) * DAY) / 1000);

/** One act of somebody. Refused acts change nothing. */
async function act({ client, customer, random, pick }: Step): Promise<void> {
  const { body: invoices } = await client.get(`/invoices?filter[customer]=${customer}`);
  const { body: payments } = await client.get(`/payments?filter[customer]=${customer}&filter[voided]=false`);
  const open = invoices.filter(({ balance, closed }: { balance: number; closed: boolean }) => balance > 0 && !closed);
  const invoice = pick<{ id: number; balance: number; date: number }>(open);
  const payment = pick<{ id: number; amount: number; balance: number }>(payments);
  const dice = random();
  const part = (most: number) => Math.max(0.01, Math.floor(random() * most * 100) / 100);
  if (dice < 0.35 || !invoice) {
    const date = ago(random, 20);
    await client.post('/invoices', {
      customer,
      items: [{ name: 'Work', unit_cost: part(500) }],
      date,
      due_date: date + 30 * 86_400,
    });
  } else if (dice < 0.65) {
    const amount = part(500);
    const applied_to =
      random() < 0.7 ? [{ type: 'invoice', invoice: invoice.id, amount: Math.min(amount, invoice.balance) }] : [];
    await client.post('/payments', { customer, amount, date: ago(random, 15), method: 'check', applied_to });
  } else if (dice < 0.75 && payment) {
    const applied_to = [{ type: 'invoice', invoice: invoice.id, amount: Math.min(payment.amount, invoice.balance) }];
    await client.patch(`/payments/${payment.id}`, { applied_to: random() < 0.5 ? [] : applied_to });
  } else if (dice < 0.85 && payment) await client.delete(`/payments/${payment.id}`);
  else if (dice < 0.92) await client.post(`/invoices/${invoice.id}/void`);
  else await client.patch(`/invoices/${invoice.id}`, { closed: true });
}

interface SeenEvent {
  type: string;
  timestamp: number;
  // biome-ignore lint/suspicious/noExplicitAny: objects of all types
  data: { object: any; previous?: any };
}

async function eventsOf(client: Client): Promise<SeenEvent[]> {
  const events: SeenEvent[] = [];
  for (let page = 1; ; page++) {
    const { body } = await client.get(`/events?per_page=100&page=${page}`);
    events.push(...body);
    if (body.length < 100) return events.toReversed();
  }
}

interface Paid {
  date: number;
  applied_to: { invoice?: number; amount: number }[];
}

/** The open amount of each invoice at a time, from its last event, the event that wrote it off, and the payments as they are now. */
function openAt(events: readonly SeenEvent[], payments: readonly Paid[], until: number): Map<number, number> {
  const ofInvoices = events.filter(({ type }) => type.startsWith('invoice.'));
  const last = new Map(ofInvoices.map((event) => [event.data.object.id, event.data.object]));
  const cents = new Map<number, number>();
  for (const [id, { date, total, status }] of last) {
    if (status === 'voided' || date * 1000 >= until) continue;
    const paid = payments
      .filter((payment) => Math.max(payment.date, date) * 1000 < until)
      .flatMap(({ applied_to }) => applied_to.filter(({ invoice }) => invoice === id))
      .reduce((sum, { amount }) => sum + Math.round(amount * 100), 0);
    // What is written off is the balance of the closed invoice, as its last event before the time says.
    const then = ofInvoices.findLast(({ timestamp, data }) => data.object.id === id && timestamp * 1000 < until)?.data
      .object;
    const writtenOff = then?.closed && !then.paid ? Math.round(then.balance * 100) : 0;
    cents.set(id, Math.round(total * 100) - paid - writtenOff);
  }
  return new Map([...cents].filter(([, amount]) => amount !== 0).map(([id, amount]) => [id, amount / 100]));
}
