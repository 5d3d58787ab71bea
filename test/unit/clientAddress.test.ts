import { expect, test } from '@jest/globals';
import { clientAddress } from '../../api/oauth/clientAddress.ts';

test.each([
  ['198.51.100.7', '', '198.51.100.7'],
  ['198.51.100.7', '203.0.113.9', '198.51.100.7'], // a client that says it is another
  ['127.0.0.1', '203.0.113.9', '203.0.113.9'],
  ['::ffff:10.0.0.2', '203.0.113.9', '203.0.113.9'],
  ['10.0.0.2', '192.0.2.1, 203.0.113.9', '203.0.113.9'], // a client behind the proxy that says so
  ['10.0.0.2', '192.0.2.1, 203.0.113.9, 192.168.3.4', '203.0.113.9'], // two proxies
  ['10.0.0.2', '10.0.0.9', '10.0.0.9'],
  ['fd00::1', '2001:db8::5', '2001:db8::5'],
  ['10.0.0.2', 'unknown', '10.0.0.2'],
  ['10.0.0.2', '', '10.0.0.2'],
])('a connection from %s that forwards for "%s" is of %s', (connection, forwardedFor, address) => {
  expect(clientAddress(connection, forwardedFor)).toBe(address);
});
