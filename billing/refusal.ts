const MOST_NAMED = 100;

/** A name that a request made up, as messages repeat it. */
export function cut(name: string): string {
  return name.slice(0, MOST_NAMED);
}

/** What a rule of the business refuses; `param` names the request field at fault, null when none is. Anything else thrown is a bug. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
  readonly param: string | null;

  constructor(message: string, param?: string) {
    super(message);
    this.param = param === undefined ? null : cut(param);
  }
}
