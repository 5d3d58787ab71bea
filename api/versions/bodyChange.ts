/** How bodies of clients of older versions are read as the product reads them now. */
export interface BodyChange {
  /** The first version that does not need it. */
  since: string;
  /** The body as the version `since` would have it. Numbers, and all that a form holds, are `Sent`. */
  read(body: object): object;
}
