import { once } from 'node:events';
import { createServer, request } from 'node:http';
import { setImmediate as immediate } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import Koa, { type Middleware } from 'koa';
import type { ApiState } from '../../../api/framework/state.ts';
import { type Admission, admitAs, createAdmission, withoutPlace } from '../../../api/limits/admission.ts';
import { body } from '../../../api/middleware/body.ts';
import { Refusal } from '../../../billing/refusal.ts';
import { createConcurrencyLimit } from '../../../db/fairness/concurrencyLimit.ts';
import { listen, portOf } from '../../support/listen.ts';
import { until } from '../../support/wait.ts';

/** A signal that never aborts: the server does not shut down. */
const NEVER = new AbortController().signal;

/** An admission gate with requests that run until the test ends them. */
function createGate(...options: Parameters<typeof createAdmission>) {
  const gate = createAdmission(...options);
  const open: (() => void)[] = [];
  const begun: string[] = [];
  const begin = (who: string, account?: string) =>
    gate.admit(who, async () => {
      if (account) await admitAs(account);
      begun.push(account ?? who);
      await new Promise<void>((resolve) => open.push(resolve));
    });
  return { gate, open, begun, begin };
}

test('an account alone has twelve places; when another comes it is served next, and nobody gets more than four', async () => {
  const { open, begun, begin } = createGate(NEVER);
  const all = Array.from({ length: 16 }, (_, n) => begin(`address ${n}`, 'account 1'));
  await immediate();
  expect(begun).toHaveLength(12);
  all.push(begin('address 1', 'account 2'));
  await immediate();
  expect(begun.slice(12)).toEqual(['account 2']);
  for (const end of open.splice(0, 8)) end();
  await immediate();
  expect(begun).toHaveLength(13);
  const ending = setInterval(() => open.pop()?.(), 1);
  await Promise.all(all);
  clearInterval(ending);
  expect(begun).toHaveLength(17);
});

test('requests that wait for a gateway or a slow client occupy no place', async () => {
  const { gate, begun, begin, open } = createGate(NEVER);
  const gateway = Promise.withResolvers<void>();
  const slow = Array.from({ length: 20 }, () => gate.admit('account 1', () => withoutPlace(() => gateway.promise)));
  const next = begin('account 1');
  await until(() => begun.length === 1, { what: 'the place', every: 1 });
  open.pop()?.();
  gateway.resolve();
  await Promise.all([...slow, next]);
});

test('a long request makes room for the next one of its account', async () => {
  const { open, begun, begin } = createGate(NEVER);
  const all = Array.from({ length: 13 }, () => begin('account 1'));
  await until(() => begun.length === 13, { what: 'the thirteenth' });
  for (const end of open) end();
  await Promise.all(all);
});

test('a request is refused when 500 are waiting', async () => {
  const { open, begin } = createGate(NEVER);
  const all = Array.from({ length: 512 }, () => begin('account 1'));
  await immediate();
  await expect(begin('account 1')).rejects.toThrow('Too many requests at the same time');
  const ending = setInterval(() => {
    for (const end of open.splice(0)) end();
  }, 1);
  await Promise.all(all);
  clearInterval(ending);
});

/** A server that reads bodies of account 1. `before` runs before the body is read, `read` after it. */
async function reader(gate: Admission, { before, read }: Record<'before' | 'read', Middleware<ApiState>>) {
  const app = new Koa<ApiState>();
  app.use((_ctx, next) => gate.admit('account 1', next));
  app.use(before);
  app.use(body);
  app.use(read);
  app.silent = true;
  const server = await listen(createServer(app.callback()), 0);
  const headers = { 'Content-Type': 'application/json' };
  return {
    send: (length: number | null) => {
      const known = length === null ? headers : { ...headers, 'Content-Length': length };
      return request({ port: portOf(server), method: 'POST', headers: known });
    },
    close: () => server.close(),
  };
}

test.each([
  ['small', 10],
  ['large', 300_000],
])('a request with a %s body queues again once the body has been received', async (_size, length) => {
  const { gate, open, begun, begin } = createGate(NEVER);
  const { send, close } = await reader(gate, {
    before: (_ctx, next) => {
      begun.push('body comes');
      return next();
    },
    read: (ctx) => {
      begun.push('body is read');
      ctx.body = 'ok';
    },
  });
  const sent = send(null);
  const answered = new Promise((resolve) => sent.on('response', (answer) => answer.resume().on('end', resolve)));
  sent.write(`{"a":"${'a'.repeat(length)}`);
  await until(() => begun.length === 1, { what: 'the body', every: 1 });
  const all = Array.from({ length: 12 }, () => begin('account 1'));
  all.push(gate.admit('account 1', async () => void begun.push('waits before it')));
  sent.end('"}');
  const ending = setInterval(() => open.pop()?.(), 100);
  await Promise.all([answered, ...all]);
  clearInterval(ending);
  close();
  expect(begun.indexOf('waits before it')).toBeLessThan(begun.indexOf('body is read'));
});

test('a request whose client left while it waited is refused, and its body is not read', async () => {
  const ends: unknown[] = [];
  let isHere = false;
  const { send, close } = await reader(createGate(NEVER).gate, {
    before: async (ctx, next) => {
      isHere = true;
      await once(ctx.req, 'close').catch(() => undefined); // the connection may close while the body waits for its turn
      await next().catch((error: unknown) => void ends.push(error));
    },
    read: () => void ends.push('read'),
  });
  const sent = send(10).on('error', () => undefined);
  sent.flushHeaders();
  await until(() => isHere, { what: 'the request' });
  sent.destroy();
  await until(() => ends.length > 0, { what: 'the end of the request' });
  expect(ends).toEqual([new Refusal('body_invalid', 'The request was cut off')]);
  close();
});

test('requests of an account that rests wait; work time is reported once, to the right account', async () => {
  const used: string[] = [];
  let rest = 30;
  const gate = createAdmission(NEVER, {
    ask: () => undefined,
    resting: () => [],
    rest: (who) => (who === 'account 1' ? rest : 0),
    used: (who, milliseconds) => {
      expect(milliseconds).toBeGreaterThanOrEqual(0);
      used.push(who);
    },
  });
  const waiting = gate.admit('address 1', () => admitAs('account 1'));
  await gate.admit('account 2', () => Promise.resolve());
  expect(used).toEqual(['account 1', 'account 2']); // its authentication
  rest = 0;
  await waiting;
  expect(used).toEqual(['account 1', 'account 2', 'account 1']);
});

test('requests without an account count as one holder, whatever their addresses are', async () => {
  const told = new Set<string>();
  const note = (who: string) => void told.add(who);
  const gate = createAdmission(NEVER, { ask: note, used: note, rest: () => 0, resting: () => [] });
  for (let address = 1; address <= 50; address += 1)
    await gate.admit(`address ${address}`, () => Promise.reject(new Error('no key'))).catch(() => undefined);
  await gate.admit('address 51', () => admitAs('account 1'));
  expect([...told]).toEqual(['strangers', 'account 1']);
});

test('on a busy machine an account that is alone never rests, and rests once a visitor without a key comes', async () => {
  let elapsed = 0;
  const concurrencyLimit = createConcurrencyLimit<string>({ load: () => 1, elapsed: () => elapsed });
  const gate = createAdmission(NEVER, concurrencyLimit);
  for (let request = 0; request < 20; request++) {
    await gate.admit('address 1', () => admitAs('account 1'));
    concurrencyLimit.used('account 1', 1000);
    elapsed += 200;
    expect(concurrencyLimit.rest('account 1')).toBe(0);
  }
  expect(concurrencyLimit.rest('address 1')).toBe(0);
  await expect(gate.admit('address 2', () => Promise.reject(new Error('no key')))).rejects.toThrow();
  expect(concurrencyLimit.rest('account 1')).toBeGreaterThan(0);
});

test('when the server closes, requests that wait for a place are refused early, and their places are not lost', async () => {
  const closing = new AbortController();
  let rest = 1500;
  const concurrencyLimit = { ask: () => undefined, used: () => undefined, rest: () => rest, resting: () => [] };
  const { open, begun, begin } = createGate(closing.signal, concurrencyLimit);
  const ends: string[] = [];
  const waiting = begin('account 1').catch((error: Error) => void ends.push(`closing: ${error.message}`));
  const other = createGate(NEVER, concurrencyLimit);
  const otherWaiting = other.begin('account 1').then(() => ends.push('admitted'));
  rest = 0;
  closing.abort();
  await until(() => other.begun.length === 1, { what: 'the end of the rest', every: 1 });
  expect(ends).toEqual(['closing: Too many requests at the same time; send fewer at once']);
  const all = Array.from({ length: 12 }, () => begin('account 1'));
  await immediate();
  await immediate();
  expect(begun).toHaveLength(12);
  for (const end of [...open, ...other.open]) end();
  await Promise.all([waiting, otherWaiting, ...all]);
});
