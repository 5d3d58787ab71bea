import type { Attack, Attacker, Call } from './attack.ts';
import { attacks } from './attacks/all.ts';
import { attackOrders, type Orders } from './orders.ts';
import { createRandom, type Random } from './random.ts';
import { basic, createSender } from './sender.ts';
import { count, type Tally } from './tally.ts';

/**
 * Program: the attacker. Runs several attacks at the same time until the time that its parent process sends. Reports the start and end of
 * each attack and a tally of the answers.
 */
const KEYS = 40;
/** Longest run of one attack before the lane starts the next one. */
const ATTACK_MILLISECONDS = 25_000;

const sender = createSender(96);

interface Means {
  orders: Orders;
  random: Random;
  keys: string[];
  deck: Attack[];
}

/** The means of one attack until a time. Each answer is added to the tally. */
function attackerOf(
  { orders, random, keys }: Means,
  { attack, tally, until }: { attack: string; tally: Tally; until: number },
): Attacker {
  const { origin } = orders;
  const counted = async (request: Parameters<typeof sender.send>[0]) => {
    const answer = await sender.send(request);
    count(tally, attack, answer);
    return answer;
  };
  const callWith =
    (base: string, key: string) =>
    (method: string, path: string, { body, headers, from }: Call) => {
      const isRaw = body === undefined || typeof body === 'string' || Buffer.isBuffer(body);
      const typed = isRaw ? {} : { 'content-type': 'application/json' };
      const sent = isRaw ? body : JSON.stringify(body);
      const all = { ...basic(key), ...typed, ...headers };
      return counted({ method, url: `${origin}${base}${path}`, headers: all, body: sent, from: from ?? 1 });
    };
  const call: Attacker['call'] = (method, path, how = {}) =>
    callWith('/sandbox/api', keys[(how.key ?? 0) % keys.length] ?? orders.sandboxKey)(method, path, how);
  return {
    random,
    call,
    origin,
    receivers: orders.receivers,
    callLive: (method, path, how = {}) => callWith('/api', orders.liveKey)(method, path, how),
    visit: (url, { method = 'GET', headers = {}, body, from } = {}) =>
      counted({ method, url, headers, body, from: from ?? 2 }),
    customer: async (fields = {}) =>
      (await call('POST', '/customers', { body: { name: 'Target', ...fields } })).json?.id ?? 0,
    isOver: () => Date.now() >= until,
  };
}

/** Runs one attack after another. All lanes draw from one deck, which is shuffled again when it is empty. */
async function runLane(means: Means, { until, tally }: { until: number; tally: Tally }): Promise<void> {
  const { orders, random, deck } = means;
  const chosen = attacks.filter(({ name }) => orders.only.length === 0 || orders.only.includes(name));
  while (Date.now() < until) {
    if (deck.length === 0) deck.push(...random.shuffled(chosen));
    const attack = deck.pop();
    if (!attack) return;
    process.send?.({ began: attack.name });
    const at = attackerOf(means, {
      attack: attack.name,
      tally,
      until: Math.min(until, Date.now() + ATTACK_MILLISECONDS),
    });
    await attack.run(at).catch((error: unknown) => {
      count(tally, attack.name, {
        status: 'cut',
        text: `the attack itself failed: ${error}`,
        milliseconds: 0,
        json: null,
      });
    });
    process.send?.({ ended: attack.name });
  }
}

async function moreKeys(orders: Orders): Promise<string[]> {
  const url = `${orders.origin}/sandbox/api/api_keys`;
  const headers = { ...basic(orders.sandboxKey), 'content-type': 'application/json' };
  const keys = [orders.sandboxKey];
  for (let n = 1; n < KEYS; n++) {
    const made = await sender.send({ method: 'POST', url, headers, body: JSON.stringify({ name: `Key ${n}` }) });
    if (made.json?.key) keys.push(made.json.key);
  }
  return keys;
}

let means: Means | null = null;

async function handleMessage(message: unknown): Promise<void> {
  const { orders, attack } = attackOrders.parse(message);
  if (orders) {
    means = { orders, random: createRandom(orders.seed), keys: await moreKeys(orders), deck: [] };
    process.send?.({ ready: true });
  }
  if (attack && means) {
    const ready = means;
    const tally: Tally = {};
    const lanes = Array.from({ length: ready.orders.lanes }, () => runLane(ready, { until: attack.until, tally }));
    await Promise.all(lanes);
    process.send?.({ tally });
  }
}

process.on('message', (message) => void handleMessage(message));
process.on('disconnect', () => process.exit(0));
process.send?.('hello');
