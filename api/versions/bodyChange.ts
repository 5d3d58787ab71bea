/** Converts request bodies of older versions to the next version. */
export interface BodyChange {
  /** The first version that does not need the conversion. */
  since: string;
  /** Converts the body to the version `since`. Numbers, and all values of a form, are `Sent`. */
  read(body: object): object;
}
