import { expect, test } from '@jest/globals';
import { createPlaces } from '../../db/fairness/places.ts';

test('the waiting holder with the fewest places goes first; among equals, the earliest', async () => {
  const order: string[] = [];
  const refusal = () => new Error('full');
  const places = createPlaces<string>({ size: 3, most: () => 3, mostWaiting: 2, refusal });
  const first = await Promise.all([places.take('a'), places.take('a'), places.take('a')]);
  const waiting = ['a', 'a', 'b', 'c', 'b'].map(async (who) => {
    const leave = await places.take(who);
    order.push(who);
    return leave;
  });
  await expect(places.take('a')).rejects.toThrow('full');
  for (const leave of first) leave();
  for (const one of waiting.slice(0, 4)) (await one)();
  expect(order).toEqual(['b', 'c', 'a', 'a', 'b']);
  expect(places.waiting).toBe(0);
});

test('a holder that rests gets no place until its rest is over; others get theirs meanwhile', async () => {
  const order: string[] = [];
  let resting = 20;
  const places = createPlaces<string>({
    size: 3,
    most: () => 3,
    mostWaiting: 2,
    refusal: () => new Error('full'),
    rest: (who) => (who === 'a' ? resting : 0),
  });
  const take = async (who: string) => {
    const leave = await places.take(who);
    order.push(who);
    leave();
  };
  const waiting = take('a');
  for (let n = 0; n < 3; n++) await take('b');
  expect([order, places.waiting]).toEqual([['b', 'b', 'b'], 1]);
  resting = 0;
  await waiting;
  expect([order, places.waiting]).toEqual([['b', 'b', 'b', 'a'], 0]);
});

test('a request that has waited for the longest time is refused, and holds up nobody', async () => {
  const ends: string[] = [];
  const places = createPlaces<string>({
    size: 1,
    most: () => 1,
    mostWaiting: 2,
    refusal: (who) => new Error(`${who} waited too long`),
    longest: 20,
    note: (end) => void ends.push(end),
  });
  const leave = await places.take('a');
  await expect(places.take('b')).rejects.toThrow('b waited too long');
  expect([places.waiting, ends]).toEqual([0, ['refused']]);
  const next = places.take('c');
  leave();
  await next;
  expect(ends).toEqual(['refused']);
});
