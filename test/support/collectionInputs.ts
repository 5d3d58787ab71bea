import type { Answer, TestApi } from './api.ts';
import type { Seen, SeenInvoice } from './collectionSeen.ts';
import type { Stops } from './collectionWaits.ts';
import type { WalkedTime } from './collectionWalk.ts';
import { visitPage } from './payPage.ts';
import { stopPaths } from './reminders.ts';

const DAY = 86_400;
const CARDS = [
  'tok_script_soft.succeed',
  'tok_script_soft.soft.soft.succeed',
  'tok_4000000000000002',
  'tok_4242424242424242',
];

/** Part of the times at which a customer that could be silenced is not. */
const RARELY = 0.6;

/** An input of a walk with its answer. */
export interface Given {
  what: string;
  status: number;
  body: unknown;
}

/** Gives an input that fits the state. Null: none does now. */
export type Input = (seen: Seen) => Promise<Given | null>;

export interface Acting {
  api: TestApi;
  customer: number;
  cadence: number;
  stops: Stops;
  choose<Value>(values: readonly Value[]): Value | undefined;
  random(): number;
  time: WalkedTime;
}

/** Everything that a person, the customer or the bank can do to what is owed. */
export function collectionInputs(acting: Acting): Record<string, Input> {
  return { ...moneyInputs(acting), ...planInputs(acting), ...silencingInputs(acting) };
}

const given = (what: string, { status, body }: Answer): Given => ({ what, status, body });

const openOf = (seen: Seen, fits: (one: SeenInvoice) => boolean = () => true) =>
  seen.invoices.filter((one) => one.isOpen && fits(one));

function moneyInputs({ api, customer, stops, choose, random, time }: Acting): Record<string, Input> {
  const { sandbox } = api;
  const pay = async (what: string, one: SeenInvoice, more: { cents: number; source?: string }) => {
    const amount = more.cents / 100;
    const applied_to = [{ type: 'invoice', invoice: one.id, amount }];
    if (!more.source) return given(what, await sandbox.post('/payments', { customer, amount, applied_to }));
    const source = { method: 'credit_card', gateway_token: more.source };
    return given(what, await sandbox.post('/charges', { customer, amount, applied_to, ...source }));
  };
  return {
    issue: async (seen) => {
      if (stops.creditHold || openOf(seen).length >= 3) return null;
      const unit_cost = 20 + Math.floor(random() * 20) * 10;
      const due_date = time.now() + Math.floor(random() * 6) * DAY;
      const body = { customer, items: [{ name: 'Work', unit_cost }], due_date };
      return given('issue', await sandbox.post('/invoices', body));
    },
    pay: async (seen) => {
      const one = choose(openOf(seen, ({ isPending }) => !isPending));
      return one ? pay('pay', one, { cents: one.balance }) : null;
    },
    'pay a part': async (seen) => {
      const one = choose(openOf(seen, ({ isPending, balance }) => !isPending && balance > 1000));
      return one ? pay('pay a part', one, { cents: Math.floor(one.balance / 3) }) : null;
    },
    'pay a part that is disputed': async (seen) => {
      const one = choose(
        openOf(seen, ({ isPending, balance, isDisputed }) => !isPending && !isDisputed && balance > 1000),
      );
      return one ? pay('pay a part that is disputed', one, { cents: 500, source: 'tok_4000000000000259' }) : null;
    },
    'store a card': async () => {
      const source = { method: 'credit_card', gateway_token: choose(CARDS), make_default: true };
      return given('store a card', await sandbox.post(`/customers/${customer}/payment_sources`, source));
    },
    'switch AutoPay': async (seen) => {
      const one = choose(openOf(seen, ({ isPending }) => !isPending));
      return one
        ? given('switch AutoPay', await sandbox.patch(`/invoices/${one.id}`, { autopay: !one.autopay }))
        : null;
    },
    promise: async (seen) => {
      const one = choose(openOf(seen));
      const date = time.now() + Math.floor(random() * 5) * DAY;
      const body = { expected_payment_date: { date, method: 'check' } };
      return one ? given('promise', await sandbox.patch(`/invoices/${one.id}`, body)) : null;
    },
    'withdraw the promise': async (seen) => {
      const one = choose(openOf(seen, ({ promise }) => promise === 'promised'));
      const body = { expected_payment_date: null };
      return one ? given('withdraw the promise', await sandbox.patch(`/invoices/${one.id}`, body)) : null;
    },
  };
}

function planInputs({ api, choose, time }: Acting): Record<string, Input> {
  const { sandbox } = api;
  const path = ({ id }: SeenInvoice) => `/invoices/${id}/payment_plan`;
  const isRunning = ({ plan }: SeenInvoice) => plan?.status === 'active' || plan?.status === 'pending_signup';
  /** Thirds of a balance, four days apart. */
  const thirds = (balance: number) => {
    const third = Math.floor(balance / 3);
    return [third, third, balance - 2 * third].map((cents, index) => ({
      date: time.now() + (index * 4 + 1) * DAY,
      amount: cents / 100,
    }));
  };
  const put = (one: SeenInvoice) => sandbox.request('PUT', path(one), { installments: thirds(one.balance) });
  return {
    plan: async (seen) => {
      const one = choose(openOf(seen, (invoice) => !isRunning(invoice) && !invoice.isPending));
      return one ? given('plan', await put(one)) : null;
    },
    'replace the plan': async (seen) => {
      const one = choose(openOf(seen, (invoice) => isRunning(invoice) && !invoice.isPending));
      return one ? given('replace the plan', await put(one)) : null;
    },
    'move the last installment': async (seen) => {
      const one = choose(openOf(seen, (invoice) => isRunning(invoice) && !invoice.isPending));
      const last = one?.plan?.installments.at(-1);
      if (!one || !last || last.owed === 0) return null;
      const installments = [{ id: last.id, date: Math.max(last.date, time.now()) + 2 * DAY }];
      return given('move the last installment', await sandbox.patch(path(one), { installments }));
    },
    'cancel the plan': async (seen) => {
      const one = choose(openOf(seen, isRunning));
      return one ? given('cancel the plan', await sandbox.delete(path(one))) : null;
    },
  };
}

function silencingInputs({ api, customer, cadence, stops, choose, random }: Acting): Record<string, Input> {
  const { sandbox } = api;
  return {
    'pause or resume the cadence': async () => {
      if (!stops.cadencePaused && random() < RARELY) return null;
      stops.cadencePaused = !stops.cadencePaused;
      const body = { paused: stops.cadencePaused };
      return given('pause or resume the cadence', await sandbox.patch(`/chasing_cadences/${cadence}`, body));
    },
    'hold or release': async () => {
      if (!stops.creditHold && random() < RARELY) return null;
      stops.creditHold = !stops.creditHold;
      const body = { credit_hold: stops.creditHold };
      return given('hold or release', await sandbox.patch(`/customers/${customer}`, body));
    },
    'stop or resume reminders': async () => {
      const [path] = (await stopPaths(api, customer)).values();
      if (!path) return null;
      const body = new URLSearchParams({ reminders: choose(['stop', 'resume']) ?? '' });
      const { status, html } = await visitPage(api, path, { method: 'POST', body });
      return { what: 'stop or resume reminders', status, body: status >= 400 ? html : null };
    },
    'complete a task': async () => {
      // The task to decide stays: after it, nobody but its person cares for what is owed.
      const query = `filter[customer]=${customer}&filter[complete]=false&filter[action]=phone`;
      const tasks = (await sandbox.get(`/tasks?${query}`)).body;
      const one: { id: number } | undefined = choose(tasks);
      return one ? given('complete a task', await sandbox.patch(`/tasks/${one.id}`, { complete: true })) : null;
    },
  };
}
