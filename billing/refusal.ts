/** What a rule of the business refuses; `param` names the request field at fault, null when none is. Anything else thrown is a bug. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
  readonly param: string | null;

  constructor(message: string, param?: string) {
    super(message);
    this.param = param ?? null;
  }
}
