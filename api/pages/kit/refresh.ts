/** Seconds until a page loads itself again, by how often it has: two minutes of short waits, then longer ones, and then no more. */
const WAITS = [...Array<number>(30).fill(2), ...Array<number>(12).fill(5), ...Array<number>(18).fill(10)];

interface Refreshed {
  query: { look?: unknown };
  set(name: string, value: string): void;
}

/** Lets a page that waits for an outcome load itself again. `path`: its own. */
export function refreshLater(ctx: Refreshed, path: string): void {
  const looks = Number(ctx.query.look ?? 0);
  const seconds = Number.isInteger(looks) ? WAITS[looks] : undefined;
  if (seconds !== undefined) ctx.set('Refresh', `${seconds}; url=${path}?look=${looks + 1}`);
}
