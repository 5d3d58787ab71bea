import { expect, test } from '@jest/globals';
import { refused } from '../../support/api.ts';
import { APRIL, dayOf2027 as day, goldSubscriptions, JUNE, MARCH, MAY } from '../../support/goldSubscriptions.ts';

/** Requests for a pause at the end of the period: undone, replaced, repeated, late and refused. */

const gold = goldSubscriptions((client) =>
  client.make('/plans', { id: 'annual', name: 'Annual', amount: 100, interval: 'year' }),
);
const { change, cancel, expectCleanBooks } = gold;

const LATER = { pause_at_period_end: true };
const planned = (over: object = {}) => ({ ...LATER, resume_at: day(4, 20), ...over });
const begunWith = async (pause: object) => {
  const id = await gold.begin();
  await gold.advanceTo(id, day(3, 10));
  expect((await change(id, pause)).body).toMatchObject({ paused: false, ...pause });
  return id;
};

test('undone, the subscription goes on, and no time to resume is left', async () => {
  const id = await begunWith(planned({ resume_mode: 'new' }));
  const undone = { paused: false, pause_at_period_end: false, resume_at: null, resume_mode: 'continue' };
  expect((await change(id, { pause_at_period_end: false })).body).toMatchObject(undone);
  await gold.advanceTo(id, MAY);
  expect(await gold.billed(id)).toEqual([MARCH, APRIL, MAY]);
});

test('a pause at once replaces the planned one, and so does the end of the subscription', async () => {
  const paused = await begunWith(planned({ resume_mode: 'new' }));
  const now = { paused: true, pause_at_period_end: false, resume_at: null, resume_mode: 'continue' };
  expect((await change(paused, { paused: true })).body).toMatchObject(now);
  await gold.advanceTo(paused, JUNE);
  expect(await gold.billed(paused)).toEqual([MARCH]);
  const canceled = await begunWith(planned());
  expect((await cancel(canceled)).body).toMatchObject({
    status: 'canceled',
    pause_at_period_end: false,
    resume_at: null,
  });
});

test('the same request twice changes nothing the second time; the time to resume can change and go', async () => {
  const id = await begunWith(planned());
  const { updated_at } = await gold.read(id);
  gold.moveTo(day(3, 11));
  expect((await change(id, planned({ paused: false }))).body).toMatchObject({ updated_at });
  expect((await change(id, { resume_at: day(4, 25) })).body).toMatchObject({ ...LATER, resume_at: day(4, 25) });
  expect((await change(id, { resume_at: null, resume_mode: 'new' })).body).toMatchObject({
    ...LATER,
    resume_at: null,
    resume_mode: 'new',
  });
  expect((await change(id, { when: 'renewal', resume_at: day(4, 25) })).body.param).toBe('when');
});

test.each([
  [{ pause_at_period_end: false }, { paused: true, pause_at_period_end: false }],
  [{ paused: true }, { paused: true, resume_at: null }],
  [{ cancel_at_period_end: true }, { paused: true, cancel_at_period_end: true }],
])('after the end of the period it does not matter whether the process or %j comes first', async (body, after) => {
  const inOrder = await begunWith(LATER);
  await gold.advanceTo(inOrder, day(4, 3));
  const late = await begunWith(LATER);
  gold.moveTo(day(4, 3));
  for (const id of [inOrder, late]) {
    expect((await change(id, body)).body).toMatchObject(after);
    await gold.advanceTo(id, MAY);
    expect(await gold.billed(id)).toEqual([MARCH]);
  }
  await expectCleanBooks();
});

const CANCEL = { cancel_at_period_end: true };
const both = 'Subscription can be paused or canceled at the end of its period, not both';
const notPaused = 'Pause at period end needs a subscription that is not paused';

test.each([
  [{}, { ...LATER, ...CANCEL }, 'pause_at_period_end', both],
  [LATER, CANCEL, 'cancel_at_period_end', both],
  [CANCEL, LATER, 'pause_at_period_end', both],
  [{}, { ...LATER, paused: true }, 'pause_at_period_end', notPaused],
  [{ paused: true }, LATER, 'pause_at_period_end', notPaused],
  [{ paused: true }, { ...LATER, paused: false }, 'pause_at_period_end', notPaused],
  [{}, { pause_at_period_end: 'soon' }, 'pause_at_period_end', expect.stringContaining('Pause at period end must be')],
  [{}, planned({ resume_at: MARCH }), 'resume_at', 'Resume at must be in the future'],
  [
    {},
    planned({ resume_at: APRIL }),
    'resume_at',
    'Resume at must be after the end of the period, at which the pause begins',
  ],
  [LATER, { resume_at: day(3, 31) }, 'resume_at', expect.stringContaining('after the end of the period')],
  [planned(), { plan: 'annual' }, 'resume_at', expect.stringContaining('after the end of the period')],
  [LATER, { pause_at_period_end: false, resume_at: MAY }, 'resume_at', expect.stringContaining('Resume at needs')],
])('after %j, %j is refused, naming %s', async (before, body, param, message) => {
  const id = await gold.begin();
  await change(id, before);
  const stored = await gold.read(id);
  expect(await change(id, body)).toMatchObject(refused({ param, message }));
  expect(await gold.read(id)).toEqual(stored);
});

test('a request may replace a planned cancellation by a pause, and a pause by a cancellation', async () => {
  const id = await gold.begin();
  await change(id, LATER);
  const canceled = await change(id, { ...CANCEL, pause_at_period_end: false });
  expect(canceled.body).toMatchObject({ ...CANCEL, pause_at_period_end: false });
  const paused = await change(id, { ...LATER, cancel_at_period_end: false });
  expect(paused.body).toMatchObject({ ...LATER, cancel_at_period_end: false });
});

test.each([
  [CANCEL, both],
  [{ paused: true }, notPaused],
])('a new subscription with pause_at_period_end and %j is refused', async (body, message) => {
  const { customer } = await gold.read(await gold.begin());
  const answer = await gold.api.sandbox.post('/subscriptions', { customer, plan: 'gold', ...LATER, ...body });
  expect(answer).toMatchObject(refused({ param: 'pause_at_period_end', message }));
});

test('no request failed with a server error', () => {
  expect(gold.api.faults).toEqual([]);
});
