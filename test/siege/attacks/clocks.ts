import { type Attack, type Attacker, repeat } from '../attack.ts';

const YEAR = 365 * 86_400;
const START = 1_790_000_000;

/** The id of a plan with this interval. The plan is created on first use. */
async function plan(at: Attacker, interval: 'day' | 'month'): Promise<string> {
  const id = `siege-${interval}`;
  await at.call('POST', '/plans', { body: { id, name: 'Siege', amount: 1, interval } });
  return id;
}

async function clockWith(at: Attacker, customers: number): Promise<number | null> {
  const daily = await plan(at, 'day');
  const clock = await at.call('POST', '/test_clocks', { body: { name: 'Siege', frozen_time: START } });
  if (!clock.json?.id) return null;
  for (let n = 0; n < customers && !at.isOver(); n++) {
    const customer = await at.customer({ test_clock: clock.json.id });
    await at.call('POST', '/subscriptions', { body: { customer, plan: daily } });
  }
  return clock.json.id;
}

const centuries: Attack = {
  name: 'a clock by a century',
  tries:
    'advances a test clock with daily subscriptions to invalid times, by 100 years and again, and deletes it meanwhile',
  run: async (at) => {
    const clock = await clockWith(at, 5);
    if (clock === null) return;
    const advance = (frozen_time: unknown) =>
      at.call('POST', `/test_clocks/${clock}/advance`, { body: { frozen_time } });
    for (const time of [START - 1, 1e12, -1, 'soon', START + 100 * YEAR]) await advance(time);
    await advance(START + 101 * YEAR);
    for (let n = 0; n < 10 && !at.isOver(); n++) {
      await at.call('GET', `/test_clocks/${clock}`);
      await at.call('GET', `/test_clocks/${clock}/steps`);
      await new Promise((resolve) => setTimeout(resolve, 1000));
    }
    await at.call('DELETE', `/test_clocks/${clock}`);
  },
};

const fifty: Attack = {
  name: 'fifty clocks',
  tries: 'advances 50 test clocks with daily subscriptions by a year at the same time',
  run: async (at) => {
    const clocks: number[] = [];
    await repeat(at, { times: 50, width: 6 }, async () => {
      const clock = await clockWith(at, 2);
      if (clock !== null) clocks.push(clock);
    });
    await repeat(at, { times: clocks.length, width: 10 }, (n) =>
      at.call('POST', `/test_clocks/${clocks[n]}/advance`, { body: { frozen_time: START + YEAR } }),
    );
    const deadline = performance.now() + 20_000;
    while (!at.isOver() && performance.now() < deadline) {
      await at.call('GET', '/test_clocks');
      await new Promise((resolve) => setTimeout(resolve, 500));
    }
    for (const clock of clocks) await at.call('DELETE', `/test_clocks/${clock}`);
  },
};

const subscriptions: Attack = {
  name: 'subscriptions to 1970',
  tries:
    'subscriptions that start in 1970 and 2198, with a quantity of 10^9, maximum amounts, backfill; canceled at once',
  run: async (at) => {
    const daily = await plan(at, 'day');
    await at.call('POST', '/plans', {
      body: { id: 'siege-dear', name: 'x', amount: 999_999_999_999, interval: 'day' },
    });
    await at.call('POST', '/plans', {
      body: { id: 'siege-far', name: 'x', amount: 1, interval: 'year', interval_count: 200 },
    });
    await repeat(at, { times: 15, width: 3 }, async () => {
      const customer = await at.customer({ autopay: true });
      const body = at.random.pick<object>([
        { plan: daily, start_date: 0 },
        { plan: daily, start_date: 0, backfill: true },
        { plan: daily, start_date: Math.floor(Date.now() / 1000) - 11 * 86_400 },
        { plan: daily, quantity: 1_000_000_000 },
        { plan: 'siege-dear', quantity: 2 },
        { plan: 'siege-dear' },
        { plan: 'siege-far', start_date: 7_200_000_000 },
        { plan: 'siege-far' },
        { plan: daily, cycles: 10_000, start_date: 7_226_000_000 },
      ]);
      const made = await at.call('POST', '/subscriptions', { body: { customer, ...body } });
      if (!made.json?.id) return;
      await at.call('GET', `/subscriptions/${made.json.id}/timeline`);
      await at.call('PATCH', `/subscriptions/${made.json.id}`, { body: { paused: true } });
      await at.call('DELETE', `/subscriptions/${made.json.id}`);
    });
  },
};

export const clocks: readonly Attack[] = [centuries, fifty, subscriptions];
