import { type Attack, repeat } from '../attack.ts';

const HARMS: readonly [string, ...string[]] = [
  '/hang',
  '/redirect',
  '/refuse',
  '/later',
  '/cut',
  '/endless',
  '/trickle',
  '/gone',
];

const receivers: Attack = {
  name: 'harmful endpoints',
  tries:
    '50 endpoints that hang, redirect, answer without end or trickle, with 16 shards; events, replays, test deliveries',
  run: async (at) => {
    await at.call('PATCH', '/account', { body: { webhook_shards: 16 } });
    const ids: number[] = [];
    await repeat(at, { times: 50, width: 4 }, async (n) => {
      const harm = n < 30 ? '/hang' : at.random.pick(HARMS);
      const made = await at.call('POST', '/webhooks', { body: { url: `${at.receivers}${harm}?n=${n}` } });
      if (made.json?.id) ids.push(made.json.id);
    });
    await repeat(at, { times: 80, width: 4 }, (n) => at.customer({ name: `Told ${n}` }));
    const [first] = ids;
    await repeat(at, { times: 3, width: 3 }, () => at.call('POST', `/webhooks/${first}/test`));
    await repeat(at, { times: 5, width: 1 }, (n) =>
      at.call('POST', `/webhooks/${ids[n]}/replay`, { body: { start_date: 0 } }),
    );
    const deadline = performance.now() + 20_000;
    while (!at.isOver() && performance.now() < deadline) await at.customer({ name: 'Told' });
    for (const id of ids) await at.call('DELETE', `/webhooks/${id}`);
  },
};

const TARGETS: readonly [string, ...string[]] = [
  'http://169.254.169.254/latest/meta-data/',
  'http://[::ffff:169.254.169.254]/',
  'http://10.0.0.1/',
  'http://0x7f.1/',
  'http://2130706433/',
  'http://user:password@127.0.0.1/',
  'gopher://127.0.0.1:25/_MAIL',
  'file:///etc/passwd',
  'http://127.0.0.1:5432/',
  'http://localhost.localdomain/',
  'http://metadata.google.internal/',
  `http://${'a.'.repeat(120)}example/`,
  'https://127.1/',
  'javascript:alert(1)',
  `http://127.0.0.1/${'x'.repeat(2000)}`,
];

const addresses: Attack = {
  name: 'internal addresses',
  tries: 'endpoints at addresses of the machine, the network and the cloud in many notations, sandbox and live',
  run: (at) =>
    repeat(at, { times: TARGETS.length, width: 2 }, async (n) => {
      const url = TARGETS[n] ?? '';
      for (const made of [
        await at.call('POST', '/webhooks', { body: { url } }),
        await at.callLive('POST', '/webhooks', { body: { url } }),
      ]) {
        if (made.status !== 201) continue;
        await at.call('POST', `/webhooks/${made.json.id}/test`);
        await at.call('DELETE', `/webhooks/${made.json.id}`);
        await at.callLive('DELETE', `/webhooks/${made.json.id}`);
      }
    }),
};

export const webhooks: readonly Attack[] = [receivers, addresses];
