import { expect, test } from '@jest/globals';
import { createClockRest } from '../../workers/clockRest.ts';

const [ours, theirs] = [1, 2];

test('a clock rests while the machine is busy and another account is at work, its account moves a quarter of the time', () => {
  const rest = createClockRest(() => 0.7);
  rest.note(theirs);
  rest.note(ours);
  expect(rest.after(ours, { milliseconds: 100, clocks: 1 })).toBe(300); // 100 of 400 ms
  expect(rest.after(ours, { milliseconds: 100, clocks: 2 })).toBe(700); // 2 x 100 of 800 ms
  expect(rest.after(ours, { milliseconds: 1000, clocks: 6 })).toBe(2000); // at most
});

test('a clock does not rest on a machine with room, and not for the work of its own account', () => {
  const idle = createClockRest(() => 0.69);
  for (const account of [theirs, ours]) idle.note(account);
  const alone = createClockRest(() => 1);
  alone.note(ours);
  for (const rest of [idle, alone]) expect(rest.after(ours, { milliseconds: 100, clocks: 1 })).toBe(0);
});
