/**
 * Builds the path and query of a request, relative to the base URL. Parameters whose names are in the path fill it, and all others become the
 * query. There, arrays are joined with commas, objects become `name[key]`, and undefined and null are omitted. Throws a TypeError for a path
 * parameter that is missing or would change the path.
 */
export function addressOf(template: string, parameters: unknown): { path: string; query: string } {
  const left = new Map<string, unknown>(Object.entries(parameters ?? {}));
  const path = template.replace(/\{(\w+)\}/g, (_, name: string) => {
    const text = String(left.get(name) ?? '');
    if (['', '.', '..'].includes(text)) throw new TypeError(`${template} needs ${name}, got "${text}"`);
    left.delete(name);
    return encodeURIComponent(text);
  });
  const pairs = [...left].flatMap(([name, value]) => pairsOf(name, value));
  return { path, query: String(new URLSearchParams(pairs)) };
}

function pairsOf(name: string, value: unknown): [string, string][] {
  if (value === undefined || value === null) return [];
  if (Array.isArray(value)) return [[name, value.join(',')]];
  if (typeof value !== 'object') return [[name, String(value)]];
  return Object.entries(value).flatMap(([key, inner]) => pairsOf(`${name}[${key}]`, inner));
}
