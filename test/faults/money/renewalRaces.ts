import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from '@jest/globals';
import { advanceSubscription } from '../../../commands/subscriptions/steps.ts';
import { inTransaction } from '../../../db/transaction.ts';
import type { Answer, Client } from '../../support/api.ts';
import { randomNumbers } from '../../support/calendarSpace.ts';
import { APRIL, dayOf2027 as day, type GoldSubscriptions, MARCH } from '../../support/goldSubscriptions.ts';
import { chosen } from '../../support/subscriptionProducts.ts';

/** Requests at the very instant of a renewal, beside the same request before and after it. */

/** Months after the race. */
const LATER = day(6, 20);

/** Number of subscriptions with the same terms that race at once. */
const AT_ONCE = 10;

/** Most milliseconds that a renewal or a request starts after the others. */
const MOST_DELAY = 8;

interface Terms {
  body: object;
  /** UNIX seconds of the step that races. */
  at: number;
}

/** Terms of a subscription from 1 March. */
const TERMS: readonly Terms[] = [
  { body: {}, at: APRIL },
  { body: { quantity: 3, discounts: ['twice'], taxes: ['vat'] }, at: APRIL },
  { body: { addons: [{ plan: 'seats', quantity: 2 }, { catalog_item: 'line' }], taxes: ['vat'] }, at: APRIL },
  { body: { bill_in: 'arrears', quantity: 2 }, at: APRIL },
  { body: { bill_in_advance_days: 5 }, at: day(3, 27) }, // the bill of April
  { body: { bill_in_advance_days: 5, discounts: ['twice'] }, at: APRIL }, // the begin of April
  { body: { cycles: 1, contract_renewal_mode: 'auto' }, at: APRIL }, // a new contract and its first bill
  { body: { cycles: 1, contract_renewal_mode: 'manual' }, at: APRIL },
  { body: { cycles: 1 }, at: APRIL }, // finished
  { body: { trial_days: 14 }, at: day(3, 15) },
  { body: { snap_to_nth_day: 15 }, at: day(3, 15) },
];

interface Racer {
  customer: number;
  id: number;
  /** Another customer; null: none is needed. */
  other: number | null;
}

interface Asked {
  method: 'PATCH' | 'DELETE' | 'POST';
  path: (racer: Racer) => string;
  body?: (racer: Racer) => object;
}

export interface RaceKind {
  kind: string;
  /** The request. `oneOf` draws a member of a list. */
  asks: (oneOf: OneOf, terms: Terms) => Asked;
  /** A request on 1 March. */
  prepares?: Asked;
  /** Whether bills depend on the order: the request takes no due step. */
  ordered?: true;
  /** Whether it merges customers. Then neither bills nor the steps taken tell which came first. */
  merges?: true;
}

type OneOf = <Value>(values: readonly Value[]) => Value;

const patch = (body: object): Asked => ({
  method: 'PATCH',
  path: ({ id }) => `/subscriptions/${id}`,
  body: () => body,
});

const hasContract = ({ body }: Terms) => 'cycles' in body;

export const raceKinds: readonly RaceKind[] = [
  {
    kind: 'a change of the price',
    asks: (oneOf) =>
      patch({
        ...oneOf([{ quantity: 5 }, { plan: 'silver' }, { addons: [{ plan: 'seats', quantity: 7 }] }]),
        prorate: oneOf([true, true, 'now', false]),
      }),
  },
  {
    kind: 'a change of the interval',
    asks: (oneOf, terms) =>
      patch({
        plan: 'annual',
        addons: [],
        prorate: oneOf([true, false]),
        ...(hasContract(terms) ? { cycles: oneOf([1, 2]) } : {}),
      }),
  },
  {
    kind: 'a change kept for the renewal',
    asks: (oneOf) => patch({ quantity: oneOf([2, 4]), when: 'renewal' }),
  },
  {
    kind: 'the drop of a kept change',
    prepares: patch({ quantity: 4, when: 'renewal' }),
    asks: () => patch({ pending_change: null }),
    ordered: true,
  },
  {
    kind: 'a cancellation',
    asks: (oneOf) => {
      const prorate = oneOf([true, false]);
      return { method: 'DELETE', path: ({ id }) => `/subscriptions/${id}?prorate=${prorate}` };
    },
  },
  {
    kind: 'a cancellation at the end of the period',
    asks: () => patch({ cancel_at_period_end: true }),
  },
  {
    kind: 'a pause',
    asks: (oneOf) => {
      const resume_mode = oneOf(['continue', 'new']);
      return patch({ paused: true, ...oneOf([{}, { resume_at: day(4, 20), resume_mode }]) });
    },
  },
  {
    kind: 'a pending line',
    asks: (oneOf) => {
      const line = { unit_cost: oneOf([7, 0.01, -3]) };
      return { method: 'POST', path: ({ customer }) => `/customers/${customer}/line_items`, body: () => line };
    },
    ordered: true,
  },
  {
    kind: 'a merge of its customer',
    asks: () => ({
      method: 'POST',
      path: ({ other }) => `/customers/${other}/merge`,
      body: ({ customer }) => ({ customer }),
    }),
    merges: true,
  },
];

/** Creates the plans, items, coupons and rates of `TERMS`. */
export async function sellForRaces({ make }: Client): Promise<void> {
  await make('/plans', { id: 'annual', name: 'Annual', amount: 100, interval: 'year' });
  await make('/plans', { id: 'silver', name: 'Silver', amount: 6.66, interval: 'month' });
  await make('/plans', { id: 'seats', name: 'Seats', amount: 3.33, interval: 'month' });
  await make('/items', { id: 'line', name: 'Line', unit_cost: 1.25 });
  await make('/coupons', { id: 'twice', name: 'Twice', value: 15, duration: 2 });
  await make('/tax_rates', { id: 'vat', name: 'VAT', value: 19 });
}

/** How many renewals came before the request, and after it. */
export interface Firsts {
  renewal: number;
  request: number;
}

/**
 * Races a kind of request with renewals, for `rounds` subscriptions. Expects of each the answer, the subscription and the documents of one
 * of both orders, months later.
 */
export async function raceRenewals(
  gold: GoldSubscriptions,
  kind: RaceKind,
  { rounds, seed }: { rounds: number; seed: number },
): Promise<Firsts> {
  const random = randomNumbers(seed);
  const firsts = { renewal: 0, request: 0 };
  for (let raced = 0; raced < rounds; raced += AT_ONCE) {
    const count = Math.min(AT_ONCE, rounds - raced);
    for (const first of await raceTogether(gold, kind, { count, random, about: { seed, raced } })) firsts[first] += 1;
  }
  return firsts;
}

interface Together {
  count: number;
  random: () => number;
  /** Names the round in a difference. */
  about: object;
}

async function raceTogether(
  gold: GoldSubscriptions,
  kind: RaceKind,
  { count, random, about }: Together,
): Promise<(keyof Firsts)[]> {
  const oneOf: OneOf = (values) => chosen(values, Math.floor(random() * 1e6));
  const terms = oneOf(TERMS);
  const asked = kind.asks(oneOf, terms);
  gold.moveTo(MARCH);
  const racers = await Promise.all(Array.from({ length: count + 2 }, () => beginWith(gold, terms, kind)));
  gold.moveTo(terms.at - 1);
  for (const racer of racers) await takeSteps(gold, racer, terms.at - 1); // a notice
  gold.moveTo(terms.at);
  const ways = ['renewal', 'request', ...Array.from({ length: count }, () => 'race' as const)] as const;
  const delays = racers.map(() => [Math.floor(random() * MOST_DELAY), Math.floor(random() * MOST_DELAY)] as const);
  const runs = await Promise.all(
    racers.map((racer, at) => run(gold, racer, { asked, way: ways[at] ?? 'race', at: terms.at, delays: delays[at] })),
  );
  gold.moveTo(LATER);
  await Promise.all(racers.map((racer) => takeSteps(gold, racer, LATER)));
  const later = await Promise.all(racers.map((racer) => outcomeOf(gold, racer)));
  const outcomes = racers.map((_, at) => ({ answer: runs[at]?.answer, later: later[at] }));
  const [afterRenewal, afterRequest, ...raced] = outcomes.map((outcome) => ({ about, terms, asked, outcome }));
  if (!kind.ordered) expect(afterRequest).toEqual(afterRenewal);
  return raced.map((one, index): keyof Firsts => {
    const isOfRequest = JSON.stringify(one) === JSON.stringify(afterRequest);
    if (!isOfRequest) expect(one).toEqual(afterRenewal);
    const took = runs[index + 2]?.took ?? false;
    return (kind.ordered ? isOfRequest : !took) ? 'request' : 'renewal';
  });
}

async function beginWith(gold: GoldSubscriptions, { body }: Terms, { prepares, merges }: RaceKind): Promise<Racer> {
  const { make } = gold.api.sandbox;
  const who = { name: 'Racer', currency: 'usd' };
  const customer = (await make('/customers', who)).id;
  const other = merges ? (await make('/customers', who)).id : null;
  const { id } = await make('/subscriptions', { customer, plan: 'gold', ...body });
  const racer = { customer, other, id };
  if (prepares) expect(await send(gold, racer, prepares)).toMatchObject({ status: 200 });
  return racer;
}

const send = ({ api }: GoldSubscriptions, racer: Racer, { method, path, body }: Asked): Promise<Answer> =>
  api.sandbox.request(method, path(racer), body?.(racer));

interface Run {
  asked: Asked;
  way: 'renewal' | 'request' | 'race';
  at: number;
  delays: readonly [renewal: number, request: number] | undefined;
}

/** Sends the request and takes the due steps, in this order, the other one, or at the same time. `took`: the process took a step. */
async function run(
  gold: GoldSubscriptions,
  racer: Racer,
  { asked, way, at, delays: [renewalDelay, requestDelay] = [0, 0] }: Run,
): Promise<{ answer: object; took: boolean }> {
  const ask = () => send(gold, racer, asked);
  const renew = () => takeSteps(gold, racer, at);
  if (way === 'renewal') {
    const took = await renew();
    const answer = answerOf(await ask());
    await renew();
    return { answer, took };
  }
  if (way === 'request') {
    const answer = answerOf(await ask());
    return { answer, took: await renew() };
  }
  const [took, answer] = await Promise.all([sleep(renewalDelay).then(renew), sleep(requestDelay).then(ask)]);
  await renew();
  return { took, answer: answerOf(answer) };
}

const answerOf = ({ status, body }: Answer) => (status < 400 ? { status } : { status, param: body.param });

/** Takes the due steps of a subscription, as its process does. Returns whether there was one. */
async function takeSteps({ api }: GoldSubscriptions, { id }: Racer, at: number): Promise<boolean> {
  const key = { accountId: api.sandbox.account.id, id };
  for (let took = false; ; took = true) {
    const step = await inTransaction(api.em, (em) => advanceSubscription(em, key, new Date(at * 1000)));
    if (!step.more) return took || step.did !== null;
  }
}

async function outcomeOf(gold: GoldSubscriptions, { id }: Racer): Promise<object> {
  const { sandbox } = gold.api;
  const subscription = await gold.read(id);
  const { customer } = subscription;
  const read = async (path: string) => (await sandbox.get(path)).body;
  const invoices = await read(`/invoices?filter[customer]=${customer}&sort=id asc`);
  const notes = await read(`/credit_notes?filter[customer]=${customer}&sort=id asc`);
  const pending = await read(`/customers/${customer}/line_items?sort=id asc`);
  const { available_credits } = await read(`/customers/${customer}/balance?currency=usd`);
  return withoutIds({ subscription, invoices, notes, pending, available_credits });
}

/** Fields in which equal objects of two customers differ. */
const OWN = new Set(['id', 'number', 'url', 'pdf_url', 'customer', 'subscription', 'invoice']);

function withoutIds(value: Answer['body']): Answer['body'] {
  if (Array.isArray(value)) return value.map(withoutIds);
  if (value === null || typeof value !== 'object') return value;
  const kept = Object.entries(value).filter(([name]) => !OWN.has(name));
  return Object.fromEntries(kept.map(([name, one]) => [name, withoutIds(one)]));
}
