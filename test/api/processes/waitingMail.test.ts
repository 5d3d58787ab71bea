import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { startWakes, sweepAt, type Wakes } from '../../support/sweeps.ts';

const MINUTE = 60_000;
const DUE = Date.UTC(2027, 2, 1);
let now = DUE;
let wakes: Wakes;
beforeAll(async () => {
  wakes = await startWakes(() => new Date(now));
});
afterAll(() => wakes.close());

/** Sweeps at a minute after the mail became due. Returns the messages of the open problems. */
async function problemsAt(minute: number): Promise<string[]> {
  now = DUE + minute * MINUTE;
  await sweepAt(wakes.api, now);
  const { body } = await wakes.api.sandbox.get('/problems');
  return body.map(({ subject, message }: { subject: { object: string; id: number }; message: string }) => {
    return `${subject.object} ${subject.id}: ${message}`;
  });
}

/** Records an attempt of an email at the current time. */
const tryEmail = (id: number) =>
  wakes.sql.query('update email set attempts = attempts + 1, next_attempt_at = $2, updated_at = $3 where id = $1', [
    id,
    new Date(now + 60 * MINUTE),
    new Date(now),
  ]);

test('mail that nothing sends is a problem after ten minutes, until it moves; a queue that moves is none', async () => {
  const { sandbox } = wakes.api;
  const { id: customer } = await sandbox.make('/customers', { name: 'Ada', email: 'ada@example.com' });
  const { id: invoice } = await sandbox.make('/invoices', { customer, items: [{ name: 'Seat', unit_cost: 5 }] });
  for (let mail = 0; mail < 3; mail += 1) await sandbox.post(`/invoices/${invoice}/emails`, {});
  const ids = (await wakes.sql.query<{ id: number }>('select id from email order by id')).map(({ id }) => id);
  expect(ids).toHaveLength(3);
  const [first = 0, second = 0] = ids;

  expect(await problemsAt(9)).toEqual([]);
  expect(await problemsAt(10)).toEqual([
    `email ${first}: overdue since 2027-03-01T00:00:00.000Z: 3 emails wait to be sent`,
  ]);
  expect(await problemsAt(11)).toHaveLength(1);

  await tryEmail(first);
  expect(await problemsAt(12)).toEqual([]); // one minute ago an email was tried
  expect(await problemsAt(15)).toEqual([]);
  expect(await problemsAt(16)).toEqual([
    `email ${second}: overdue since 2027-03-01T00:00:00.000Z: 2 emails wait to be sent`,
  ]);
});
