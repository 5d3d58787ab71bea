const known = { origin: '' };

/** Sets the public origin, without a trailing slash. Called when a process starts. */
export function setOrigin(origin: string): void {
  known.origin = origin;
}

/** Absolute URL of a path that begins with a slash. */
export function absolute(path: string): string {
  return `${known.origin}${path}`;
}
