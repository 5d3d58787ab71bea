type Given<Values> = { [Name in keyof Values]?: Exclude<Values[Name], undefined> };

/** Drops undefined values, so that fields absent from an update stay absent. */
export function definedOnly<Values extends object>(values: Values): Given<Values>;
export function definedOnly(values: object): object {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));
}
