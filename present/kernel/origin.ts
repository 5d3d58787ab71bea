const known = { origin: '' };

/** The origin under which the product is reached from outside, without a trailing slash; set once, when a process starts. */
export function setOrigin(origin: string): void {
  known.origin = origin;
}

/** Absolute, from a path that begins with a slash. */
export function absolute(path: string): string {
  return `${known.origin}${path}`;
}
