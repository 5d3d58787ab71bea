/** A copy of an object with only these properties. */
export function only<Row extends object, Name extends keyof Row>(row: Row, names: readonly Name[]): Pick<Row, Name>;
export function only(row: object, names: readonly string[]): object {
  return Object.fromEntries(names.map((name) => [name, Reflect.get(row, name)]));
}
