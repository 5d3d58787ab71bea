/** Pseudorandom numbers: the same for the same seed. */
export interface Random {
  /** From 0 to below 1. */
  number(): number;
  /** A whole number from 0 to below `end`. */
  below(end: number): number;
  pick<Item>(items: readonly [Item, ...Item[]]): Item;
  shuffled<Item>(items: readonly Item[]): Item[];
}

/** mulberry32 */
export function createRandom(seed: number): Random {
  let state = seed | 0;
  const number = () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
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
