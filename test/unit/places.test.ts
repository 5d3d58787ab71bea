import { expect, test } from '@jest/globals';
import { createPlaces } from '../../db/places.ts';

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
