import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type Answer, type Client, refused, startApi, type TestApi } from '../../support/api.ts';
import { until } from '../../support/wait.ts';

let api: TestApi;
let many: Client;
beforeAll(async () => {
  api = await startApi();
  many = (await api.open('Many')).sandbox;
});
afterAll(() => api.close());

const from = (address: string) => ({ 'X-Forwarded-For': address });

test('500 requests of one account can wait, from any addresses; the next is refused, and another account is served', async () => {
  const { id } = (await many.post('/customers', { name: 'Locked' })).body;
  const answers: Answer[] = [];
  const sent: Promise<unknown>[] = [];
  const ask = async () => {
    const address = from(`192.0.2.${sent.length % 250}`);
    answers.push(await many.request('PATCH', `/customers/${id}`, { name: 'Changed' }, address));
  };
  const isRefused = ({ body }: Answer) => body.message?.startsWith('Too many requests at the same time');
  await api.em.fork().transactional(async (em) => {
    await em.execute('select 1 from customer where id = ? for update', [id]);
    await until(
      async () => {
        for (let n = 0; n < 100; n++) sent.push(ask());
        return answers.some(isRefused);
      },
      { what: 'a refusal', every: 300 },
    );
    expect((await api.sandbox.get('/customers')).status).toBe(200);
  });
  await Promise.all(sent);
  const refusal = answers.find(isRefused);
  expect(refusal).toMatchObject(
    refused(
      {
        object: 'error',
        type: 'invalid_request',
        message: 'Too many requests at the same time; send fewer at once',
      },
      429,
    ),
  );
  expect(refusal?.headers.get('Retry-After')).toBe('1');
  expect(refusal?.headers.get('Request-Id')).toEqual(expect.any(String));
});
