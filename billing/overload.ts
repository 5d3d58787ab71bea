/** Thrown when too many requests wait. Nothing was done, so the caller may retry in a moment. */
export class Overload extends Error {
  override readonly name = 'Overload';
}
