/** Thrown when too much work waits, or takes too long. Nothing was done, so the caller may retry in a moment. */
export class Overload extends Error {
  override readonly name = 'Overload';
}
