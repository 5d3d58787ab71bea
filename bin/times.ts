const TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:\d{2})$/;

/** Parses a time with its zone, such as 2026-11-22T10:00:00Z. Null for any other text. */
export function readTime(text: string): Date | null {
  const time = new Date(text);
  return TIME.test(text) && !Number.isNaN(time.getTime()) ? time : null;
}
