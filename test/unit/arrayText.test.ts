import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { expect, test } from '@jest/globals';
import { arrayText } from '../../api/middleware/arrayText.ts';

const member = (id: number, characters: number) => ({ id, name: 'x'.repeat(characters) });

test('a short array is written as one text', async () => {
  expect(await arrayText(null, [])).toBe('[]');
  const members = [member(1, 5), member(2, 5)];
  expect(await arrayText(null, members)).toBe(JSON.stringify(members));
});

test('a long array is written at the pace of its reader', async () => {
  const members = Array.from({ length: 30 }, (_, id) => member(id, 200_000));
  let made = 0;
  const counted = members.map((one) =>
    Object.defineProperty({ ...one }, 'name', {
      enumerable: true,
      get: () => {
        made += 1;
        return one.name;
      },
    }),
  );
  const stream = await arrayText(null, counted);
  if (!(stream instanceof Readable)) throw new Error('a long array was one text');
  expect(made).toBeLessThan(8);
  expect(await text(stream)).toBe(JSON.stringify(members));
  expect(made).toBe(30);
});
