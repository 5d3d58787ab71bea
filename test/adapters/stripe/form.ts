/** Parameters of a request: text, lists and nested objects, as Stripe's form encoding has them. */
export type Params = { [name: string]: string | Params | undefined };

/** Parses `a[b][0]=c` to `{ a: { b: { 0: 'c' } } }`. Lists become objects with their indexes as names. */
export function parseForm(text: string): Params {
  const params: Params = {};
  for (const [name, value] of new URLSearchParams(text)) {
    const path = name.replaceAll(']', '').split('[');
    const last = path.pop() ?? '';
    let place = params;
    for (const step of path) {
      const inner = place[step];
      const next: Params = typeof inner === 'object' ? inner : {};
      place[step] = next;
      place = next;
    }
    place[last === '' ? String(Object.keys(place).length) : last] = value;
  }
  return params;
}

/** A parameter that is text. */
export function textIn(params: Params | undefined, name: string): string | null {
  const value = params?.[name];
  return typeof value === 'string' ? value : null;
}

/** A parameter that is an object or a list. */
export function objectIn(params: Params | undefined, name: string): Params | undefined {
  const value = params?.[name];
  return typeof value === 'object' ? value : undefined;
}

/** The texts of a parameter that is a list or an object, by their names. */
export function textsIn(params: Params | undefined, name: string): Record<string, string> {
  const found = Object.entries(objectIn(params, name) ?? {});
  return Object.fromEntries(found.flatMap(([key, value]) => (typeof value === 'string' ? [[key, value]] : [])));
}
