type Given<Values> = { [Name in keyof Values]?: Exclude<Values[Name], undefined> };

/** The values without undefined ones: fields absent from an update stay absent. */
export function given<Values extends object>(values: Values): Given<Values>;
export function given(values: object): object {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));
}
