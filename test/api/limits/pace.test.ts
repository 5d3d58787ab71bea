import { expect, test } from '@jest/globals';
import { createPace, PACED_BYTES } from '../../../api/limits/pace.ts';
import { startApi } from '../../support/api.ts';

const MIB = 1024 * 1024;

test('large bodies of one account arrive at 4 MiB/s while another sends requests; its small ones do not wait', async () => {
  const api = await startApi();
  const other = await api.open('Other');
  const others = setInterval(() => void other.sandbox.get('/account').catch(() => undefined), 100);
  try {
    for (const client of [other.sandbox, api.sandbox]) await client.get('/account');
    const name = 'x'.repeat(4 * MIB - 100);
    const startedAt = performance.now();
    const answered: string[] = [];
    const send = async (body: object, size: string) => {
      const { status } = await api.sandbox.post('/customers', body);
      answered.push(`${size} ${status}`);
    };
    // The first body is read at once. Each later one waits until the bodies before it have taken their second.
    const large = [1, 2, 3].map(() => send({ name }, 'large'));
    await new Promise((resolve) => setTimeout(resolve, 300));
    await Promise.all([...large, send({ name: 'Small' }, 'small')]);
    expect(answered.indexOf('small 201')).toBeLessThan(answered.lastIndexOf('large 400'));
    expect(performance.now() - startedAt).toBeGreaterThan(1900);
  } finally {
    clearInterval(others);
    await api.close();
  }
});

test('an account alone does not wait', async () => {
  const pace = createPace<string>(() => true, 1);
  await Promise.all([1, 2, 3].map(() => pace.pass('a', PACED_BYTES)));
});

test('a body that would wait for more than 10 s is refused, and others pass', async () => {
  const pace = createPace<string>(() => false, PACED_BYTES / 11);
  await pace.pass('a', PACED_BYTES);
  await expect(pace.pass('a', PACED_BYTES)).rejects.toThrow('Too many requests at the same time');
  await pace.pass('a', PACED_BYTES - 1);
  await pace.pass('b', PACED_BYTES);
});

test('a body of unknown length waits for earlier ones, and counts once it has been read', async () => {
  const pace = createPace<string>(() => false, PACED_BYTES / 11);
  await pace.pass('a', null);
  pace.charge('a', PACED_BYTES - 1);
  await pace.pass('a', null);
  pace.charge('a', PACED_BYTES);
  await expect(pace.pass('a', null)).rejects.toMatchObject({ retrySeconds: 11 });
});
