import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from '@jest/globals';
import { advanceSubscription } from '../../../commands/subscriptions/steps/steps.ts';
import { inTransaction } from '../../../db/transaction.ts';
import { type Answer, unlessBusy } from '../../support/api.ts';
import { dayOf2027 as day, type GoldSubscriptions, MARCH } from '../../support/goldSubscriptions.ts';
import { randomOf } from '../../support/random.ts';
import { chosen } from '../../support/subscriptionProducts.ts';
import { type Asked, type OneOf, type RaceKind, type Racer, TERMS, type Terms } from './renewalRequests.ts';

/** Requests at the very instant of a renewal, beside the same request before and after it. */

/** Months after the race. */
const LATER = day(6, 20);

/** Limit of the random delay before a renewal or a request, in milliseconds. */
const MOST_DELAY = 24;

/** How many renewals came before the request, and after it. */
interface Firsts {
  renewal: number;
  request: number;
}

export interface Races {
  seed: number;
  /** Number of groups. The first races with the terms at `from` in `TERMS`, each other one with the next terms. */
  groups: number;
  from?: number;
  /** Subscriptions of a group. They have the same terms, and race at once. */
  count: number;
  /** Minimum count of each order. If it is not reached after `groups`, up to as many further groups follow. */
  least?: number;
}

/**
 * Races requests of one kind with renewals. Expects that the answer, and months later the subscription and its documents, are those of one
 * of the two orders. Fails if an order occurred fewer than `least` times.
 */
export async function raceRenewals(
  gold: GoldSubscriptions,
  kind: RaceKind,
  { seed, groups, count, from = 0, least = 0 }: Races,
): Promise<void> {
  const random = randomOf(seed);
  const firsts = { renewal: 0, request: 0 };
  const isOneSided = () => Math.min(firsts.renewal, firsts.request) < least;
  for (let group = 0; group < groups || (isOneSided() && group < 2 * groups); group += 1) {
    const terms = chosen(TERMS, from + group);
    for (const first of await raceTogether(gold, kind, { count, random, terms, about: { seed, group } }))
      firsts[first] += 1;
  }
  if (isOneSided()) throw new Error(`${kind.kind}: one order came too seldom: ${JSON.stringify(firsts)}`);
}

interface Together {
  count: number;
  random: () => number;
  terms: Terms;
  /** Names the round in a difference. */
  about: object;
}

async function raceTogether(
  gold: GoldSubscriptions,
  kind: RaceKind,
  { count, random, terms, about }: Together,
): Promise<(keyof Firsts)[]> {
  const oneOf: OneOf = (values) => chosen(values, Math.floor(random() * 1e6));
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
    const { took = false, first = 'renewal' } = runs[index + 2] ?? {};
    if (kind.untold) return first;
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
  unlessBusy(() => api.sandbox.request(method, path(racer), body?.(racer)));

interface Run {
  asked: Asked;
  way: 'renewal' | 'request' | 'race';
  at: number;
  delays: readonly [renewal: number, request: number] | undefined;
}

interface Ran {
  answer: object;
  /** Whether the process took a step. */
  took: boolean;
  /** The one that ended first. */
  first: keyof Firsts;
}

/** Sends the request and takes the due steps, in this order, the other one, or at the same time. */
async function run(
  gold: GoldSubscriptions,
  racer: Racer,
  { asked, way, at, delays: [renewalDelay, requestDelay] = [0, 0] }: Run,
): Promise<Ran> {
  const ask = async () => answerOf(await send(gold, racer, asked));
  const renew = () => takeSteps(gold, racer, at);
  if (way === 'renewal') {
    const took = await renew();
    const answer = await ask();
    await renew();
    return { answer, took, first: way };
  }
  if (way === 'request') return { answer: await ask(), took: await renew(), first: way };
  const ended: (keyof Firsts)[] = [];
  const renewing = sleep(renewalDelay).then(renew);
  const asking = sleep(requestDelay).then(ask);
  const ends = [renewing.then(() => ended.push('renewal')), asking.then(() => ended.push('request'))];
  await Promise.all(ends);
  const [first = 'renewal'] = ended;
  const [took, answer] = [await renewing, await asking];
  await renew();
  return { answer, took, first };
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
const OWN = new Set(['id', 'number', 'url', 'payment_url', 'pdf_url', 'customer', 'subscription', 'invoice']);

function withoutIds(value: Answer['body']): Answer['body'] {
  if (Array.isArray(value)) return value.map(withoutIds);
  if (value === null || typeof value !== 'object') return value;
  const kept = Object.entries(value).filter(([name]) => !OWN.has(name));
  return Object.fromEntries(kept.map(([name, one]) => [name, withoutIds(one)]));
}
