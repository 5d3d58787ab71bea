import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { forbiddenRange } from '../../adapters/webhooks/addresses.ts';
import { createLookup } from '../../adapters/webhooks/connector.ts';
import { readAllowedHosts } from '../../adapters/webhooks/egress.ts';
import { createWebhookSender } from '../../adapters/webhooks/sender.ts';
import { Refusal } from '../../billing/refusal.ts';
import { type Receiver, startReceiver } from '../support/receiver.ts';
import { startNameserver } from './nameserver.ts';

/** A receiver that must not get any request. */
let inside: Receiver;
const strict = createWebhookSender({ allowedHosts: [] });

beforeAll(async () => {
  inside = await startReceiver();
});

afterAll(async () => {
  await strict.close();
  await inside.stop();
});

const request = (url: string) => ({ url, headers: {}, body: '{}', timeoutMilliseconds: 5_000 });

test.each([
  '127.0.0.1',
  'localhost',
  'localhost.',
  'a.localhost',
  '2130706433',
  '0x7f.1',
  '0.0.0.0',
  '[::1]',
  '[::ffff:127.0.0.1]',
])('no webhook is sent to %s unless the host is allowed', async (host) => {
  const answer = await strict.send(request(inside.url.replace('127.0.0.1', host)));
  expect(answer).toMatchObject({ statusCode: null, error: expect.stringMatching(/loopback|internet/) });
  expect(inside.requests).toHaveLength(0);
});

test('a host name is refused by the addresses that it has at connection time', async () => {
  const nameserver = await startNameserver(() => ({ addresses: ['127.0.0.1', '10.0.0.7'] }));
  const sender = createWebhookSender({ allowedHosts: ['elsewhere.example'], nameservers: [nameserver.address] });
  const url = inside.url.replace('127.0.0.1', 'hooks.example');
  expect(() => sender.checkUrl(url, 'sandbox')).not.toThrow();
  const error = 'hooks.example has no address of the public internet (loopback, private)';
  expect(await sender.send(request(url))).toMatchObject({ statusCode: null, error });
  expect(inside.requests).toHaveLength(0);
  await sender.close();
  await nameserver.stop();
});

test('only the public addresses of a host name are used', async () => {
  const nameserver = await startNameserver(() => ({ addresses: ['10.0.0.7', '8.8.4.4', '127.0.0.1'] }));
  const lookup = createLookup(readAllowedHosts([]), [nameserver.address]);
  const found = await new Promise((resolve, reject) => {
    lookup('hooks.example', { all: true }, (error, addresses) => (error ? reject(error) : resolve(addresses)));
  });
  expect(found).toEqual([{ address: '8.8.4.4', family: 4 }]);
  await nameserver.stop();
});

test('other schemes and credentials are also refused when sending', async () => {
  for (const url of ['file:///etc/passwd', inside.url.replace('127', 'me:secret@127'), 'nonsense']) {
    const answer = await createWebhookSender({ allowedHosts: ['127.0.0.1'] }).send(request(url));
    expect(answer).toMatchObject({ statusCode: null, error: expect.any(String) });
  }
  expect(inside.requests).toHaveLength(0);
});

test.each([
  ['live', 'https://example.com/hooks', null],
  ['sandbox', 'http://example.com:8080/hooks', null],
  ['live', 'http://example.com/hooks', 'must begin with https://'],
  ['sandbox', 'ftp://example.com/hooks', 'must begin with https:// or http://'],
  ['live', '/hooks', 'must be absolute'],
  ['live', 'https://me:secret@example.com/', 'user name or password'],
  ['live', 'https://192.168.1.1/', 'private'],
  ['live', 'https://[fd00::1]/', 'uniqueLocal'],
  ['sandbox', 'http://LOCALHOST./', 'loopback'],
  ['sandbox', 'http://receiver.test:9000/', null],
  ['sandbox', 'http://127.0.0.1:9000/', null],
] as const)('the URL of an endpoint is checked: %s, %s', (environment, url, refusal) => {
  const { checkUrl } = createWebhookSender({ allowedHosts: ['127.0.0.1', 'receiver.test'] });
  if (refusal === null) return checkUrl(url, environment);
  const check = () => checkUrl(url, environment);
  expect(check).toThrow(refusal);
  expect(check).toThrow(Refusal);
  expect(check).toThrow(expect.objectContaining({ param: 'url' }));
});

test('only public addresses of the internet are allowed', () => {
  const forbidden = [
    '0.1.2.3',
    '10.0.0.1',
    '100.100.100.200',
    '127.9.9.9',
    '168.63.129.16',
    '169.254.169.254',
    '172.31.0.1',
    '192.0.0.192',
    '192.168.0.1',
    '198.18.0.1',
    '224.0.0.1',
    '255.255.255.255',
    '240.0.0.1',
    '::',
    '::1',
    '::7f00:1',
    '::ffff:10.0.0.1',
    '::ffff:8.8.8.8',
    '64:ff9b::7f00:1',
    '64:ff9b:1::1',
    '100::1',
    '2001::1',
    '2001:db8::1',
    '2002:7f00:1::',
    'fc00::1',
    'fd00:ec2::254',
    'fe80::1',
    'fec0::1',
    'ff02::1',
    '4000::1',
    'localhost',
    '',
  ];
  expect(forbidden.filter((address) => forbiddenRange(address) === null)).toEqual([]);
  const ordinary = ['8.8.8.8', '168.63.129.15', '172.32.0.1', '2606:4700:4700::1111', '2a00:1450::1'];
  expect(ordinary.filter((address) => forbiddenRange(address) !== null)).toEqual([]);
});
