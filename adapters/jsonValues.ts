/** The object that a text holds as JSON. Null: it holds none. */
export function objectOf(text: string): object | null {
  try {
    const read: unknown = JSON.parse(text);
    return typeof read === 'object' ? read : null;
  } catch {
    return null;
  }
}

/** A text or a number in an object, as text. Null: it is missing. */
export function textIn(body: object | null, name: string): string | null {
  const value = valueIn(body, name);
  return typeof value === 'string' || typeof value === 'number' ? String(value) : null;
}

/** An object in an object. Null: it is missing. */
export function objectIn(body: object | null, name: string): object | null {
  const value = valueIn(body, name);
  return typeof value === 'object' ? value : null;
}

/** The objects of a list in an object. */
export function listIn(body: object | null, name: string): object[] {
  return objectsOf(valueIn(body, name));
}

/** The objects of a list. */
export function objectsOf(value: unknown): object[] {
  return Array.isArray(value) ? value.filter((one) => typeof one === 'object' && one !== null) : [];
}

function valueIn(body: object | null, name: string): unknown {
  return body !== null && Object.hasOwn(body, name) ? Reflect.get(body, name) : null;
}
