const known = { origin: '' };

/** Sets the public origin of the product, without a trailing slash. Called once when a process starts. */
export function setOrigin(origin: string): void {
  known.origin = origin;
}

/** Absolute URL of a path that begins with a slash. */
export function absolute(path: string): string {
  return `${known.origin}${path}`;
}
