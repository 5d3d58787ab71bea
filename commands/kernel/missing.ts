/** The object that a request or a process names does not exist in its account. */
export class Missing extends Error {
  override readonly name = 'Missing';
  readonly id: number | string;

  constructor(what: string, id: number | string) {
    super(`${what} was not found: ${id}`);
    this.id = id;
  }
}
