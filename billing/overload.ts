/** Too much is asked for at once: nothing was done, and the same may be asked for again in a moment. */
export class Overload extends Error {
  override readonly name = 'Overload';
}
