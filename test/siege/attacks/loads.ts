import { connect } from 'node:net';
import { type Attack, type Attacker, repeat } from '../attack.ts';
import { basic } from '../sender.ts';

const lists: Attack = {
  name: 'expensive lists',
  tries:
    'lists with deep pages, sorts by many columns, filters without matches, many expansions, and audits; 16 at a time',
  run: (at) => repeat(at, { times: 150, width: 16 }, (n) => at.call('GET', `${at.random.pick(LISTS)}`, { key: n })),
};

const LISTS: readonly [string, ...string[]] = [
  '/events?page=100000&per_page=100',
  '/events?sort=type desc,id asc&start_date=0&end_date=4000000000',
  '/invoices?expand=customer,customer.parent_customer,subscription.plan,items.catalog_item,payment_plan&per_page=100',
  '/invoices?sort=number desc,date asc,total desc,name asc&filter[name]=nothing',
  '/customers?sort=name asc&metadata[k]=v&updated_after=0',
  '/customers?filter[name]=%25%25%25&sort=number desc',
  '/payments?include=applied_to&expand=customer,charge.payment_source&per_page=100',
  '/subscriptions?canceled=1&finished=1&sort=id desc&expand=plan,customer',
  '/numbering/audit',
  '/webhook_attempts?per_page=100&expand=webhook,event',
  '/problems?per_page=100',
  '/emails?per_page=100&expand=customer',
  '/invoices?page=9007199254740991',
];

const keys: Attack = {
  name: 'many keys',
  tries: 'reads and writes with 40 keys, each with its own rate limit, 64 requests at a time',
  run: async (at) => {
    await repeat(at, { times: 1500, width: 64 }, (n) => {
      if (n % 5 === 0) return at.call('POST', '/customers', { body: { name: `K${n}` }, key: n });
      return at.call('GET', n % 3 ? '/account' : '/customers?per_page=100', { key: n });
    });
  },
};

const hot: Attack = {
  name: 'one object at once',
  tries: '48 changes of one customer at the same time: each holds a database connection while it waits for the lock',
  run: async (at) => {
    const customer = await at.customer();
    await repeat(at, { times: 400, width: 48 }, (n) =>
      n % 2
        ? at.call('POST', '/invoices', { body: { customer, items: [{ name: 'x', unit_cost: 1 }] }, key: n })
        : at.call('PATCH', `/customers/${customer}`, { body: { notes: `n${n}` }, key: n }),
    );
  },
};

const silence: Attack = {
  name: 'connections that say nothing',
  tries: '64 connections that for ten seconds send nothing, half a head or half a body, or read no answer',
  run: async (at) => {
    const { hostname, port } = new URL(at.origin);
    const beginnings = [
      '',
      'GET /api/customers HTTP/1.1\r\nHost: x\r\n',
      `POST /sandbox/api/customers HTTP/1.1\r\nHost: x\r\nContent-Length: 4000000\r\nContent-Type: application/json\r\n\r\n{"name":`,
      'POST /oauth/sign_in HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nab',
      'GET /docs HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(50),
      'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
    ];
    const sockets = Array.from({ length: 64 }, (_, n) => {
      const socket = connect({ host: hostname, port: Number(port), localAddress: `127.0.0.${2 + (n % 40)}` });
      socket.on('error', () => undefined);
      socket.write(beginnings[n % beginnings.length] ?? '');
      socket.pause();
      return socket;
    });
    for (let n = 0; n < 10 && !at.isOver(); n++) await new Promise((resolve) => setTimeout(resolve, 1000));
    for (const socket of sockets) socket.destroy();
  },
};

const PATHS: readonly [string, ...string[]] = [
  '/docs',
  '/api/openapi.json',
  '/documents/1/invoice/1/00000000000000000000000000000000',
  '/documents/1/invoice/1/00000000000000000000000000000000/pdf',
  '/files/0000',
  '/oauth/authorize?client_id=x&response_type=code&redirect_uri=https://a.example&scope=read',
  '/sandbox/oauth/authorize?client_id=%00&response_type=code',
  '/%2e%2e/%2e%2e/etc/passwd',
  '/sandbox/api/../../api/account',
  '/\u0000',
];

const pages: Attack = {
  name: 'pages from many addresses',
  tries: 'the reference, openapi.json, missing documents, OAuth pages, with HEAD, OPTIONS, TRACE, from 40 addresses',
  run: (at) =>
    repeat(at, { times: 300, width: 8 }, async () => {
      const from = 2 + at.random.below(40);
      const method = at.random.pick(['GET', 'GET', 'GET', 'HEAD', 'OPTIONS', 'PUT', 'TRACE', 'PATCH']);
      const path = encodeURI(at.random.pick(PATHS));
      await at.visit(`${at.origin}${path}`, { method, from, headers: { 'x-forwarded-for': `10.0.0.${from}` } });
    }),
};

const strangers: Attack = {
  name: 'wrong credentials',
  tries: 'guesses API keys, access tokens, passwords and authorization codes from 40 addresses',
  run: (at) => repeat(at, { times: 150, width: 8 }, () => guess(at)),
};

async function guess(at: Attacker): Promise<void> {
  const from = 2 + at.random.below(40);
  const form = { 'content-type': 'application/x-www-form-urlencoded' };
  const secret = `sk_test_${at.random.below(1e9)}\u0000`;
  await at.visit(`${at.origin}/sandbox/api/account`, { headers: basic(secret), from });
  await at.visit(`${at.origin}/api/account`, { headers: { authorization: `Bearer ${'x'.repeat(4000)}` }, from });
  await at.visit(`${at.origin}/oauth/sign_in`, {
    method: 'POST',
    headers: form,
    body: `email=a@b.example&password=${'p'.repeat(200_000)}`,
    from,
  });
  await at.visit(`${at.origin}/oauth/access_token`, {
    method: 'POST',
    headers: form,
    from,
    body: `grant_type=authorization_code&code=%00${at.random.below(1e9)}&client_id=%00&client_secret=y&redirect_uri=https://a.example`,
  });
}

const applications: Attack = {
  name: 'applications',
  tries: 'creates and deletes OAuth applications with hostile names and redirect URIs',
  run: (at) =>
    repeat(at, { times: 20, width: 3 }, async () => {
      const uris = at.random.pick<unknown>([
        ['javascript:alert(1)'],
        ['https://a.example/#x'],
        ['http://127.0.0.1/'],
        Array.from({ length: 500 }, (_, n) => `https://a.example/${n}`),
        'x',
      ]);
      const body = { name: at.random.pick(['\u202Eknab', '<b>', 'x'.repeat(5000), '\u0000']), redirect_uris: uris };
      const made = await at.call('POST', '/oauth_applications', { body });
      if (made.json?.id) await at.call('DELETE', `/oauth_applications/${made.json.id}`);
      await at.call('DELETE', '/oauth_grants/1');
    }),
};

export const loads: readonly Attack[] = [lists, keys, hot, silence, pages, strangers, applications];
