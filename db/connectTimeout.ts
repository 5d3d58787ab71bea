const DEFAULT_SECONDS = 5;

/**
 * Milliseconds until an attempt to connect, or to get a connection of a full pool, fails: the parameter `connect_timeout` of a PostgreSQL
 * URL, in seconds; otherwise five seconds. NaN if the parameter is not a whole number from 1 to 600.
 */
export function connectTimeout(url: string): number {
  const given = new URL(url).searchParams.get('connect_timeout');
  if (given === null) return DEFAULT_SECONDS * 1000;
  return /^[1-9]\d{0,2}$/.test(given) && Number(given) <= 600 ? Number(given) * 1000 : Number.NaN;
}
