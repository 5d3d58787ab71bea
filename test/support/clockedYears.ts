import type { TestClock } from '../../client/index.ts';
import { advanceTo, clockAt } from './clock.ts';
import type { Answered, Product } from './product.ts';
import { payingCustomer } from './story.ts';

// Random customers on test clocks, who buy, pay, get credit and change their subscriptions for years.

export interface Walk {
  product: Product;
  random: () => number;
  /** Requests that were refused, by message. */
  refused: Map<string, number>;
}

/** A customer on a clock. `currency`: that of all its documents. */
interface Buyer {
  id: number;
  currency: string;
  plans: readonly string[];
  subscriptions: number[];
}

const PLANS = [
  { id: 'basic', amount: 29, interval: 'month' },
  { id: 'team', amount: 149, interval: 'month', interval_count: 3 },
  { id: 'yearly', amount: 1000, interval: 'year' },
  { id: 'weekly', amount: 7, interval: 'week' },
  { id: 'trial', amount: 59, interval: 'month' },
] as const;
const COUPONS = [
  { id: 'forever', value: 10, is_percent: true, duration: 0 },
  { id: 'thrice', value: 25, is_percent: true, duration: 3 },
] as const;
/** With minor units of two digits, and of none. */
const CURRENCIES = ['usd', 'eur', 'jpy'] as const;
export const TAX = { id: 'vat', name: 'VAT', value: 20, is_percent: true } as const;
export const INCLUSIVE = { id: 'gst', name: 'GST', value: 10, is_percent: true, inclusive: true } as const;

const pick = <Value>(random: () => number, of: readonly Value[]): Value | undefined =>
  of[Math.floor(random() * of.length)];
const chance = (random: () => number, of: number): boolean => random() < of;

/** Creates the products. */
export async function stock({ product: { call } }: Walk): Promise<void> {
  for (const currency of CURRENCIES)
    for (const { id, ...plan } of PLANS)
      await call('POST', '/plans', { ...plan, id: `${id}-${currency}`, name: id, currency });
  for (const coupon of COUPONS) await call('POST', '/coupons', { ...coupon, name: coupon.id });
  for (const rate of [TAX, INCLUSIVE]) await call('POST', '/tax_rates', rate);
}

/** Plays a number of rounds with so many customers on a clock of their own. Returns the clock where it arrived. */
export async function play(
  walk: Walk,
  { begin, customers, rounds, days }: { begin: string; customers: number; rounds: number; days: number },
): Promise<TestClock> {
  const { product, random } = walk;
  const clock = await clockAt(product, begin);
  const buyers: Buyer[] = [];
  for (let n = 0; n < customers; n++) buyers.push(await buyerOn(walk, clock, n));
  let now = Date.parse(begin);
  for (let round = 0; round < rounds; round++) {
    for (const buyer of buyers) if (chance(random, 0.35)) await act(walk, buyer);
    now += Math.floor(days * 24 * (0.5 + random())) * 3_600_000;
    const { status, stop_reason } = await advanceTo(product, clock, new Date(now).toISOString());
    if (status !== 'ready') throw new Error(`the clock stopped: ${stop_reason}`);
  }
  return product.client.get('/test_clocks/{id}', { id: clock.id });
}

async function buyerOn(walk: Walk, clock: TestClock, n: number): Promise<Buyer> {
  const { product, random } = walk;
  const currency = pick(random, CURRENCIES) ?? 'usd';
  const about = { name: `Customer ${n}`, currency, test_clock: clock.id };
  const declining = 'tok_script_succeed@2027-09-15.soft@2027-10-20.succeed';
  const token = chance(random, 0.8) ? 'tok_4242424242424242' : declining;
  const { id } = chance(random, 0.5)
    ? await payingCustomer(product, token, about)
    : await product.call('POST', '/customers', { ...about, payment_terms: 'NET 14' });
  const buyer = { id, currency, plans: PLANS.map((plan) => `${plan.id}-${currency}`), subscriptions: [] };
  if (chance(random, 0.7)) await subscribe(walk, buyer);
  return buyer;
}

/** Sends a request of somebody. A refused one changes nothing. */
async function send({ product, refused }: Walk, ...[method, path, body]: [string, string, object?]): Promise<Answered> {
  try {
    return await product.call(method, path, body);
  } catch (error) {
    const { message } = error as Error;
    const text = `${method} ${path.replace(/\d+/g, ':id')} ${message.slice(0, 160).replace(/\d+/g, 'N')}`;
    refused.set(text, (refused.get(text) ?? 0) + 1);
    return null;
  }
}

async function subscribe(walk: Walk, buyer: Buyer): Promise<void> {
  const { random } = walk;
  const plan = pick(random, buyer.plans) ?? '';
  const made = await send(walk, 'POST', '/subscriptions', {
    customer: buyer.id,
    plan,
    quantity: 1 + Math.floor(random() * 4),
    discounts: chance(random, 0.4) ? [pick(random, COUPONS)?.id] : [],
    taxes: chance(random, 0.5) ? [chance(random, 0.5) ? TAX.id : INCLUSIVE.id] : [],
    ...(plan.startsWith('trial') ? { trial_days: 14 } : {}),
    ...(chance(random, 0.2) ? { bill_in: 'arrears' } : {}),
  });
  if (made) buyer.subscriptions.push(made.id);
}

/** What somebody does at the time of the clock. */
async function act(walk: Walk, buyer: Buyer): Promise<void> {
  const { random } = walk;
  const subscription = pick(random, buyer.subscriptions);
  const dice = random();
  if (dice < 0.2) await sell(walk, buyer);
  else if (dice < 0.45) await pay(walk, buyer);
  else if (dice < 0.55) await correct(walk, buyer);
  else if (dice < 0.65 || subscription === undefined) await subscribe(walk, buyer);
  else await change(walk, buyer, subscription);
}

const money = ({ currency }: Buyer, amount: number): number =>
  currency === 'jpy' ? Math.max(1, Math.round(amount)) : Math.max(1, Math.round(amount * 100)) / 100;

async function sell(walk: Walk, buyer: Buyer): Promise<void> {
  const { random } = walk;
  const line = () => {
    return { name: 'Work', quantity: 1 + Math.floor(random() * 3), unit_cost: money(buyer, random() * 300) };
  };
  const items = Array.from({ length: 1 + Math.floor(random() * 3) }, line);
  const taxes = chance(random, 0.6) ? [chance(random, 0.5) ? TAX.id : INCLUSIVE.id] : [];
  const discounts = chance(random, 0.3) ? [COUPONS[0].id] : [];
  await send(walk, 'POST', '/invoices', { customer: buyer.id, items, taxes, discounts, currency: buyer.currency });
}

async function openInvoice(walk: Walk, { id }: Buyer): Promise<Answered> {
  const invoices = await send(walk, 'GET', `/invoices?filter[customer]=${id}&sort=id desc`);
  return pick(
    walk.random,
    invoices.filter((one: Answered) => one.balance > 0 && !one.closed && !one.draft),
  );
}

/** The newest bill of a subscription, which is still in service mostly. */
async function newestBill(walk: Walk, { id }: Buyer): Promise<Answered> {
  const invoices = await send(walk, 'GET', `/invoices?filter[customer]=${id}&sort=id desc`);
  return invoices.find(({ subscription, draft, status }: Answered) => subscription && !draft && status !== 'voided');
}

async function pay(walk: Walk, buyer: Buyer): Promise<void> {
  const { random } = walk;
  const invoice = await openInvoice(walk, buyer);
  const amount = invoice && chance(random, 0.6) ? invoice.balance : money(buyer, random() * 400);
  const applied_to =
    invoice && chance(random, 0.85)
      ? [{ type: 'invoice', invoice: invoice.id, amount: Math.min(amount, invoice.balance) }]
      : [];
  const { id: customer, currency } = buyer;
  await send(walk, 'POST', '/payments', { customer, currency, amount, method: 'check', applied_to });
}

/** Somebody voids, writes off, credits, or deletes a payment. */
async function correct(walk: Walk, buyer: Buyer): Promise<void> {
  const { random } = walk;
  const isOfService = chance(random, 0.4);
  const invoice = await (isOfService ? newestBill : openInvoice)(walk, buyer);
  const dice = isOfService ? 0.5 : random();
  if (!invoice) return;
  const [line] = invoice.items;
  if (dice < 0.25) await send(walk, 'POST', `/invoices/${invoice.id}/void`);
  else if (dice < 0.45) await send(walk, 'PATCH', `/invoices/${invoice.id}`, { closed: true });
  else if (dice < 0.85)
    await send(walk, 'POST', '/credit_notes', {
      customer: buyer.id,
      invoice: invoice.id,
      currency: buyer.currency,
      items: [{ name: 'Credit', quantity: 1, unit_cost: money(buyer, Math.abs(line.amount) * random()) }],
      taxes: invoice.taxes.map(({ tax_rate }: Answered) => tax_rate.id),
    });
  else {
    const payments = await send(walk, 'GET', `/payments?filter[customer]=${buyer.id}&filter[voided]=false`);
    const payment = pick<Answered>(random, payments);
    if (payment) await send(walk, 'DELETE', `/payments/${payment.id}`);
  }
}

async function change(walk: Walk, buyer: Buyer, subscription: number): Promise<void> {
  const { random } = walk;
  const path = `/subscriptions/${subscription}`;
  const dice = random();
  if (dice < 0.35) await send(walk, 'PATCH', path, { quantity: 1 + Math.floor(random() * 5) });
  else if (dice < 0.5) await send(walk, 'PATCH', path, { plan: pick(random, buyer.plans) });
  else if (dice < 0.6) await send(walk, 'PATCH', path, { quantity: 2, when: 'renewal' });
  else if (dice < 0.75) {
    const { paused } = await send(walk, 'GET', path);
    await send(walk, 'PATCH', path, { paused: !paused });
  } else if (dice < 0.85) await send(walk, 'PATCH', path, { cancel_at_period_end: true });
  else if (dice < 0.93) await send(walk, 'DELETE', `${path}?prorate=true`);
  else await send(walk, 'PATCH', path, { discounts: [] });
}
