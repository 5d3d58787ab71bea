import { expect, test } from '@jest/globals';
import { refused } from '../../support/api.ts';
import { dayOf2027 as day, goldSubscriptions } from '../../support/goldSubscriptions.ts';

/** The list of subscriptions by the end of their contracts, which a column keeps. */

const gold = goldSubscriptions();
const { cancel, change } = gold;

const list = (query: string) => gold.api.sandbox.get(`/subscriptions?${query}`);
const idsOf = async (query: string): Promise<number[]> =>
  (await list(query)).body.map(({ id }: { id: number }) => id).toSorted((one: number, other: number) => one - other);

/** Compares the stored end of each contract with the one that the API computes. */
async function expectStored(): Promise<void> {
  const shown = (await list('canceled=1&finished=1')).body;
  const sql = 'select id, extract(epoch from contract_end_at)::float8 as "endsAt" from subscription';
  const rows = await gold.api.em.fork().execute<{ id: number; endsAt: number | null }[]>(sql);
  const stored = new Map(rows.map(({ id, endsAt }) => [id, endsAt]));
  expect(rows).toHaveLength(shown.length);
  for (const { id, contract_period_end } of shown) expect([id, stored.get(id)]).toEqual([id, contract_period_end]);
}

test('subscriptions are listed by the end of their contract, both bounds included', async () => {
  const endless = await gold.begin();
  const [june, july] = [await gold.begin({ cycles: 3 }), await gold.begin({ cycles: 4 })];
  const later = await gold.begin({ start_date: day(6), cycles: 2 }); // 1 June to 1 August
  expect(await idsOf(`contract_ends_before=${day(7)}`)).toEqual([june, july]);
  expect(await idsOf(`contract_ends_before=${day(7) - 1}`)).toEqual([june]);
  expect(await idsOf(`contract_ends_after=${day(7)}`)).toEqual([july, later]);
  expect(await idsOf(`contract_ends_after=${day(6) + 1}&contract_ends_before=${day(7)}`)).toEqual([july]);
  expect(await idsOf('filter[plan]=gold')).toContain(endless);
  const sorted = await list(`contract_ends_after=0&sort=contract_period_end desc`);
  expect(sorted.body.map(({ id }: { id: number }) => id)).toEqual([later, july, june]);
  await expectStored();
});

test('the end follows renewals, pauses and cancellations', async () => {
  const renewed = await gold.begin({ cycles: 1, contract_renewal_mode: 'auto', contract_renewal_cycles: 6 });
  await gold.advanceTo(renewed, day(4));
  expect(await idsOf(`contract_ends_after=${day(10)}&contract_ends_before=${day(10)}`)).toEqual([renewed]); // 1 April and six months
  const paused = await gold.begin({ cycles: 8 }); // until 1 November
  await change(paused, { paused: true });
  gold.moveTo(day(5, 2));
  await change(paused, { paused: false }); // April and May are skipped
  expect(await idsOf(`contract_ends_after=${day(13)}`)).toEqual([paused]);
  const canceled = await gold.begin({ cycles: 11 });
  await cancel(canceled);
  expect(await idsOf(`contract_ends_after=${day(14)}`)).toEqual([]);
  expect(await idsOf(`contract_ends_after=${day(14)}&canceled=1`)).toEqual([canceled]);
  const waiting = await gold.begin({ cycles: 1, contract_renewal_mode: 'manual' });
  await gold.advanceTo(waiting, day(4));
  await gold.api.sandbox.post(`/subscriptions/${waiting}/renew`, { cycles: 24 });
  expect(await idsOf(`contract_ends_after=${day(27)}`)).toEqual([waiting]); // 1 April 2027 and 24 months
  await expectStored();
});

test.each(['contract_ends_before', 'contract_ends_after'])('a malformed %s is refused', async (name) => {
  expect(await list(`${name}=soon`)).toMatchObject(
    refused({ param: name, message: expect.stringContaining('must be a UNIX time') }),
  );
});
