import { expect, test } from '@jest/globals';
import { clientAddress, networkOf, proxiesOf } from '../../api/limits/clientAddress.ts';

const loopback = proxiesOf(['127.0.0.0/8', '::1']);
const ours = proxiesOf(['10.0.0.2', '192.168.0.0/16', 'fd00::/8']);

test.each([
  ['198.51.100.7', '', '198.51.100.7'],
  ['198.51.100.7', '203.0.113.9', '198.51.100.7'], // a client that says it is another
  ['10.0.0.9', '203.0.113.9', '10.0.0.9'], // a neighbour that says it forwards
  ['::ffff:10.0.0.2', '203.0.113.9', '203.0.113.9'],
  ['10.0.0.2', '192.0.2.1, 203.0.113.9', '203.0.113.9'], // a client behind the proxy that says so
  ['10.0.0.2', '192.0.2.1, 203.0.113.9, 192.168.3.4', '203.0.113.9'], // two proxies
  ['10.0.0.2', '10.0.0.9', '10.0.0.9'],
  ['fd00::1', '2001:db8::5', '2001:db8::5'],
  ['10.0.0.2', 'unknown', '10.0.0.2'],
  ['10.0.0.2', '', '10.0.0.2'],
])('a connection from %s with X-Forwarded-For "%s" has the client address %s', (connection, forwardedFor, address) => {
  expect(clientAddress(connection, forwardedFor, ours)).toBe(address);
});

test.each([
  ['127.0.0.1', '203.0.113.9'],
  ['::1', '203.0.113.9'],
  ['10.0.0.2', '10.0.0.2'],
  ['192.168.1.1', '192.168.1.1'],
  ['fd00::1', 'fd00::1'],
])('if only this machine is trusted, a connection from %s has the client address %s', (connection, address) => {
  expect(clientAddress(connection, '203.0.113.9', loopback)).toBe(address);
});

test.each([
  ['203.0.113.9', '203.0.113.9'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:DB8:1:2::9', '2001:db8:1:2::/64'],
  ['2001:db8::3:4:5:6:7', '2001:db8:0:3::/64'],
  ['::1', '0:0:0:0::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ['', ''],
])('%s counts as %s', (address, network) => {
  expect(networkOf(address)).toBe(network);
});
