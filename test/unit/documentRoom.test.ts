import { expect, test } from '@jest/globals';
import { checkRoom, linesWithin } from '../../billing/documents/documentRoom.ts';
import type { LineText } from '../../billing/look/printedLength.ts';

const long = 'x'.repeat(50_000);
const line = (name: string, more: Partial<LineText> = {}): LineText => ({ name, discounts: [], taxes: [], ...more });
const adjusted = (count: number) => line('a', { taxes: Array.from({ length: count }, () => ({ taxRate: null })) });

test('the oldest waiting lines that fit are chosen, negative ones together with lines that outweigh them', () => {
  const waiting = (totals: string[]) => totals.map((total) => ({ line: line(long), total }));
  const chosen = (totals: string[], own: LineText[] = []) => {
    const all = waiting(totals);
    const picked = linesWithin(all, own);
    return all.flatMap((one, index) => (picked.includes(one.line) ? [index] : []));
  };
  expect(chosen(['1', '1', '1', '1'])).toEqual([0, 1, 2, 3]);
  expect(chosen(['1', '1', '1', '1'], [line('a')])).toEqual([0, 1, 2]);
  expect(chosen(['-5', '-5', '-5', '-5', '8', '8', '8'])).toEqual([0, 1, 4, 5]);
  expect(chosen(['-5', '-5', '-5', '-5', '-5'])).toEqual([]);
  expect(chosen(['1'], [...waiting(['1', '1', '1', '1']).map((one) => one.line)])).toEqual([]);
});

test('the lines of a document have at most 5,000 discounts and taxes in total', () => {
  const most = Array.from({ length: 250 }, () => adjusted(20));
  expect(() => checkRoom(most)).not.toThrow();
  expect(() => checkRoom([...most, adjusted(1)])).toThrow(
    /^All items of a document together may have at most 5,000 discounts and taxes, not 5,001$/,
  );
  const waiting = [...most, adjusted(1), line('b')].map((one) => ({ line: one, total: '1' }));
  expect(linesWithin(waiting, [])).toEqual(most);
  expect(linesWithin(waiting, [adjusted(1)])).toEqual(most.slice(0, 249));
});
