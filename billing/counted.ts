/** A count with its noun: "1 cycle", "2 cycles". */
export function counted(count: number, one: string, several = `${one}s`): string {
  return `${count} ${count === 1 ? one : several}`;
}
