import { randomOf } from '../support/random.ts';

/** Pseudorandom numbers: the same for the same seed. */
export interface Random {
  /** From 0 to below 1. */
  number(): number;
  /** A whole number from 0 to below `end`. */
  below(end: number): number;
  pick<Item>(items: readonly [Item, ...Item[]]): Item;
  shuffled<Item>(items: readonly Item[]): Item[];
}

export function createRandom(seed: number): Random {
  const number = randomOf(seed);
  const below = (end: number) => Math.floor(number() * end);
  return {
    number,
    below,
    pick: (items) => items[below(items.length)] ?? items[0],
    shuffled: (items) => {
      const rest = [...items];
      return items.flatMap(() => rest.splice(below(rest.length), 1));
    },
  };
}
