import { type Answer, startApi, successBody, type TestApi } from './api.ts';
import { changeBody, newSubscription } from './oracleBodies.ts';
import { itemsOf, plansOf, type Stock, stockCoupon, stockItem, stockPlan, stockRate } from './oracleCatalog.ts';
import type { Change } from './subscriptionOracleRequest.ts';
import type { Sold, State } from './subscriptionOracleState.ts';
import { COUPONS, RATES } from './subscriptionProducts.ts';
import { takeSubscriptionSteps } from './subscriptionSteps.ts';

// Subscriptions of the oracle, sold through the API.

/** An API with the products of random subscriptions. The test moves the time. */
export interface OracleShop {
  api: TestApi;
  /** Creates a subscription with a customer of its own. Takes the steps that are due at its creation. */
  sell(sold: Sold): Promise<SoldSubscription>;
  /** The answer to the request that creates it. */
  offer(sold: Sold): Promise<Answer>;
}

export interface SoldSubscription {
  id: number;
  customer: number;
  currency: string;
  /** Sets the time, and takes the steps that are due until then: each at its time, or all of them late. */
  advanceTo(at: number, how: 'onTime' | 'late'): Promise<void>;
  /** Sends a change. `state`: the oracle before it. */
  change(change: Change, state: State): Promise<Answer>;
  read(): Promise<Answer['body']>;
  /** In order of their issue. */
  invoices(): Promise<Answer['body'][]>;
  pendingLines(): Promise<Answer['body'][]>;
  creditBalance(): Promise<number>;
}

interface Shop extends Stock {
  api: TestApi;
  now: number;
}

export async function startOracleShop(): Promise<OracleShop> {
  const shop = { now: Date.UTC(2025, 0, 1), stocked: new Set<string>() };
  const api = await startApi({ systemNow: () => new Date(shop.now) });
  const all = Object.assign(shop, { api, make: api.sandbox.make });
  for (const rate of RATES) await stockRate(all, rate);
  return { api, sell: (sold) => sell(all, sold), offer: async (sold) => (await offer(all, sold)).answer };
}

async function sell(shop: Shop, sold: Sold): Promise<SoldSubscription> {
  const { customer, answer } = await offer(shop, sold);
  const { currency, start, createdAt = start } = sold;
  const one = subscriptionOf(shop, { id: successBody(answer).id, customer, currency });
  await one.advanceTo(createdAt, 'late');
  return one;
}

/** Creates all products that it names, and its customer. */
async function offer(shop: Shop, sold: Sold): Promise<{ customer: number; answer: Answer }> {
  const { sandbox } = shop.api;
  const { currency, zone, start, createdAt = start } = sold;
  shop.now = createdAt;
  await sandbox.patch('/account', { time_zone: zone });
  for (const coupon of COUPONS) await stockCoupon(shop, coupon, currency);
  for (const plan of plansOf(sold)) await stockPlan(shop, plan, currency);
  for (const item of itemsOf(sold.addons ?? [])) await stockItem(shop, item);
  const customer = (await sandbox.make('/customers', { name: 'Random', currency })).id;
  return { customer, answer: await sandbox.post('/subscriptions', { customer, ...newSubscription(sold) }) };
}

function subscriptionOf(shop: Shop, about: { id: number; customer: number; currency: string }): SoldSubscription {
  const { sandbox } = shop.api;
  const { id, customer, currency } = about;
  const read = async () => (await sandbox.get(`/subscriptions/${id}`)).body;
  const invoices = async () => (await sandbox.get(`/invoices?filter[customer]=${customer}&sort=id asc`)).body;
  return {
    ...about,
    read,
    invoices,
    advanceTo: (at, how) => advanceTo(shop, { id, at, how }),
    pendingLines: async () => (await sandbox.get(`/customers/${customer}/line_items`)).body,
    creditBalance: async () =>
      (await sandbox.get(`/customers/${customer}/balance?currency=${currency}`)).body.available_credits,
    change: async (change, state) => {
      shop.now = change.at;
      for (const plan of plansOf(change)) await stockPlan(shop, plan, currency);
      for (const item of itemsOf(change.addons ?? [])) await stockItem(shop, item);
      if (change.void !== undefined) return sandbox.post(`/invoices/${(await invoices())[change.void]?.id}/void`);
      const path = `/subscriptions/${id}`;
      if (change.renew) return sandbox.post(`${path}/renew`, change.renew);
      if (change.cancel) {
        const { prorate = false, billRemaining = false } = change.cancel;
        return sandbox.delete(`${path}?prorate=${prorate ?? false}&bill_remaining=${billRemaining ?? false}`);
      }
      const known = change.addons ? addonIds(state, await read()) : new Map();
      return sandbox.patch(path, changeBody(change, { currency, state, known }));
    },
  };
}

async function advanceTo(shop: Shop, { id, at, how }: { id: number; at: number; how: 'onTime' | 'late' }) {
  const { api } = shop;
  const key = { accountId: api.sandbox.account.id, id };
  for (let next = await wakesAt(shop, id); how === 'onTime' && next !== null && next <= at; ) {
    shop.now = Math.max(shop.now, next);
    await takeSubscriptionSteps(api.em, key, new Date(shop.now));
    next = await wakesAt(shop, id);
  }
  shop.now = at;
  await takeSubscriptionSteps(api.em, key, new Date(at));
}

/** Time of the next wake-up of a subscription. */
async function wakesAt({ api }: Shop, id: number): Promise<number | null> {
  const next = `select min(at) as at from wakeup where account_id = ? and process = 'subscription' and subject_id = ?`;
  const [row] = await api.em.fork().execute<{ at: string | null }[]>(next, [api.sandbox.account.id, id]);
  return row?.at ? new Date(row.at).getTime() : null;
}

/** The add-ons of the API by id of the oracle. Both have them in the same order. */
function addonIds({ terms }: State, { addons }: Answer['body']): Map<string, { id: number; product: string }> {
  const products = terms.addons.map(({ product }) => ('plan' in product ? product.plan.id : product.item.id));
  const entries = terms.addons.map(({ id }, at) => {
    return [id, { id: addons[at]?.id, product: products[at] ?? '' }] as const;
  });
  return new Map(entries);
}
