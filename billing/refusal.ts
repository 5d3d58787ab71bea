const MOST_NAMED = 100;

/** Shortens a name from a request for use in messages. */
export function cut(name: string): string {
  return name.slice(0, MOST_NAMED);
}

/** Thrown when a business rule refuses a request or step. `param` names the request field at fault; null: there is none. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
  readonly param: string | null;

  constructor(message: string, param?: string) {
    super(message);
    this.param = param === undefined ? null : cut(param);
  }
}
