import { auditDatabase } from '../../bin/audit.ts';
import { startApi, type TestApi } from './api.ts';
import { collectionInputs, type Given } from './collectionInputs.ts';
import { collectionRules, type WatchedStep } from './collectionRules.ts';
import { type Seen, seenOf } from './collectionSeen.ts';
import { type Stops, waitOf } from './collectionWaits.ts';
import { hearGateway, type TakenStep, type TimedWork, takeDueWork, workUntil } from './dueWork.ts';
import { randomOf } from './random.ts';

const ZONE = 'America/New_York';
const TERMS = { zone: ZONE, feePercent: 10, feeDays: 9, feeCap: 2500 };

/** The time of an API, which walks move. */
export interface WalkedTime {
  now(): number;
  moveTo(seconds: number): void;
}

/** A random walk on what one customer owes: a person, the customer and time act, and rules watch each step of the processes. */
export interface CollectionWalk {
  /** Does something random, and takes all steps that follow. */
  step(): Promise<void>;
  /** Sentences about everything that broke a rule. */
  breaches: readonly string[];
  /** How often each input was given and each step was taken. */
  counts: ReadonlyMap<string, number>;
  /** The waits of invoices, as they were seen. */
  waits: ReadonlySet<string>;
}

/** Walks on one API, whose time moves on from walk to walk. */
export interface CollectionModel {
  /** Takes this many random steps with a new customer, or fewer up to the first breach. */
  walk(seed: number, steps: number): Promise<CollectionWalk>;
  /** The errors that the audit finds. */
  audit(): ReturnType<typeof auditDatabase>;
  close(): Promise<void>;
}

/** Starts an API for walks from 4 January 2027 on. */
export async function startCollectionModel(): Promise<CollectionModel> {
  let now = Date.parse('2027-01-04T14:00:00Z') / 1000;
  const api = await startApi({ systemNow: () => new Date(now * 1000) });
  await readyForWalks(api);
  const time: WalkedTime = {
    now: () => now,
    moveTo: (seconds) => {
      now = seconds;
    },
  };
  return {
    async walk(seed, steps) {
      const walk = await collectionWalk(api, time, seed);
      for (let step = 0; step < steps && walk.breaches.length === 0; step += 1) await walk.step();
      return walk;
    },
    audit: () => auditDatabase(api.databaseUrl),
    close: api.close,
  };
}

/** Sets an account up for walks: its zone, a late fee of 10 % every 9 days up to 25.00, and attempts at any hour. */
async function readyForWalks({ sandbox }: TestApi): Promise<void> {
  await sandbox.patch('/account', { time_zone: ZONE, autopay_minimum_delay: 0, late_fee_document: 'line' });
  const fee = { amount: TERMS.feePercent, grace_period_days: 2, recurring_days: TERMS.feeDays, cap: 25 };
  await sandbox.make('/late_fee_schedules', { name: 'Late', default: true, ...fee });
}

/** Begins a walk of a new customer on a cadence of its own. */
async function collectionWalk(api: TestApi, time: WalkedTime, seed: number): Promise<CollectionWalk> {
  const { sandbox } = api;
  const random = randomOf(seed);
  const choose = <Value>(values: readonly Value[]) => values[Math.floor(random() * values.length)];
  const cadence = await sandbox.make('/chasing_cadences', { name: `Cadence ${seed}`, time_of_day: 9, steps: STEPS });
  const person = { name: 'Ann', email: `ann${seed}@example.com`, chasing_cadence: cadence.id };
  const customer: number = (await sandbox.make('/customers', person)).id;
  const accountId = sandbox.account.id;
  const rules = collectionRules(TERMS);
  const [breaches, counts, waits] = [[] as string[], new Map<string, number>(), new Set<string>()];
  const count = (what: string) => void counts.set(what, (counts.get(what) ?? 0) + 1);
  const stops: Stops = { creditHold: false, cadencePaused: false };
  const see = async () => {
    const seen = await seenOf(api, accountId, customer);
    rules.note(seen);
    return seen;
  };
  const tell = (sentence: string) =>
    breaches.push(`seed ${seed}, ${new Date(time.now() * 1000).toISOString()}: ${sentence}`);
  /** The state after the last step; null: something else has changed it since. */
  let last: Seen | null = null;
  const around = async (take: () => Promise<TakenStep>) => {
    const before = last ?? (await see());
    const taken = await take();
    last = await see();
    const step: WatchedStep = { ...taken, at: time.now(), before, after: last };
    if (taken.did) count(`${taken.process}: ${taken.did.replace(/\d[\d.-]*|INV\S+/g, 'N')}`);
    for (const breach of rules.afterStep(step)) tell(breach);
  };
  const work: TimedWork = { accountId, choose, around, ...time };
  const checkWaits = (seen: Seen) => {
    for (const one of seen.invoices) {
      const wait = waitOf(one, seen, stops);
      if (wait) waits.add(wait);
      else tell(`${one.number} is open (${one.balance}, ${one.status}) and waits for nothing`);
    }
  };
  const inputs = Object.values(collectionInputs({ api, customer, cadence: cadence.id, stops, choose, random, time }));
  const giveOne = async (seen: Seen): Promise<Given> => {
    for (;;) {
      const given = await choose(inputs)?.(seen);
      if (given) return given;
    }
  };
  return {
    breaches,
    counts,
    waits,
    async step() {
      const { what, status, body } = await giveOne(await see());
      count(what);
      if (status >= 400) tell(`${what} was answered with ${status} ${JSON.stringify(body)}`);
      await hearGateway(api, work);
      last = null;
      await takeDueWork(api, work);
      const days = choose([0, 0, 1, 1, 2, 4, 9]) ?? 0;
      if (days > 0) await workUntil(api, work, time.now() + days * 86_400 + Math.floor(random() * 3600));
      checkWaits(await see());
    },
  };
}

const STEPS = [
  { name: 'First', action: 'email', schedule: 'past_due_age:1' },
  { name: 'Second', action: 'email', schedule: 'past_due_age:4' },
  { name: 'Call', action: 'phone', schedule: 'past_due_age:8' },
  { name: 'Decide', action: 'escalate', schedule: 'past_due_age:12' },
];
