const LONGEST_CODE = 64;
const LONGEST_MESSAGE = 255;

/**
 * A gateway refused a request for a reason that no payer and no bank can change: a key, a right, a method that is not activated, or the request
 * itself. The people of the account have to mend it. `isUnmade`: the operation is recorded as not made; false: nothing is known of it.
 */
export class GatewayRefused extends Error {
  /** The gateway's code. */
  readonly code: string;
  readonly isUnmade: boolean;

  constructor({ code, message, isUnmade }: { code: string; message: string; isUnmade: boolean }) {
    super(message.slice(0, LONGEST_MESSAGE));
    this.code = code.slice(0, LONGEST_CODE);
    this.isUnmade = isUnmade;
  }
}
