import { expect, test } from '@jest/globals';
import { createGatewayShare } from '../../workers/gatewayShare.ts';

const hanging = () => Promise.withResolvers<string>();
const NO_PLACE = { type: 'NoPlace', nonRetryable: false };

test('an account whose share is used up is told to retry, and another account is served', async () => {
  const share = createGatewayShare(2);
  const calls = [hanging(), hanging()];
  const first = calls.map(({ promise }) => share.take(1, () => promise));
  await expect(share.take(1, async () => 'more')).rejects.toMatchObject(NO_PLACE);
  expect(await share.take(2, async () => 'another account')).toBe('another account');
  calls[0]?.resolve('answered');
  expect(await first[0]).toBe('answered');
  expect(await share.take(1, async () => 'more')).toBe('more');
  calls[1]?.reject(new Error('refused'));
  await expect(first[1]).rejects.toThrow('refused');
});

test('more waiting calls of an account mean longer retry delays, up to half a minute', async () => {
  const share = createGatewayShare(1);
  void share.take(1, () => hanging().promise);
  const delays: unknown[] = [];
  const delayOf = (error: object) => void delays.push('nextRetryDelay' in error && error.nextRetryDelay);
  for (let n = 0; n < 700; n++) await share.take(1, async () => undefined).catch(delayOf);
  expect(delays.slice(0, 7)).toEqual([250, 250, 250, 250, 250, 300, 350]);
  expect(delays.at(-1)).toBe(30_000);
});
