/** A request that the specification of subscriptions refuses. `param` null: no field is at fault. */
export class Refused extends Error {
  readonly param: string | null;

  constructor(param: string | null, message: string) {
    super(`${param}: ${message}`);
    this.param = param;
  }
}

export function refuseIf(isWrong: boolean, param: string | null, message: string): void {
  if (isWrong) throw new Refused(param, message);
}
