import type { ErrorCode } from '../../billing/errorCodes.ts';
import type { Presented } from '../../billing/json.ts';
import { Refusal } from '../../billing/refusal.ts';

/** The request has no valid credential. Answered with 401. */
export class Unauthorized extends Error {
  override readonly name = 'Unauthorized';
  /** Value of the header WWW-Authenticate. */
  readonly challenge: string;

  constructor(message: string, challenge = 'Basic realm="API key"') {
    super(message);
    this.challenge = challenge;
  }
}

/** The credential does not allow the request. Answered with 403. `code`: why, if it is not the permission. */
export class Forbidden extends Error {
  override readonly name = 'Forbidden';
  /** Value of the header WWW-Authenticate; null: not sent. */
  readonly challenge: string | null;
  readonly code: ErrorCode;

  constructor(
    message: string,
    { challenge, code = 'permission_missing' }: { challenge?: string; code?: ErrorCode } = {},
  ) {
    super(message);
    this.challenge = challenge ?? null;
    this.code = code;
  }
}

/** The person has to sign in again, before it sees secrets or changes who may do what. */
export class SignInAgain extends Forbidden {
  constructor() {
    super('This needs a sign-in of the last ten minutes: sign in again', { code: 'sign_in_again' });
  }
}

/** The object has changed since the request's If-Match was read. Answered with 400 and the object as it is. */
export class Stale extends Refusal {
  /** The tag of the object as it is. */
  readonly etag: string;
  /** The object as it is; null: it is not read. */
  readonly current: Presented | null;

  constructor(etag: string, current: Presented | null = null) {
    super('stale', 'The object has changed since it was read: `current` shows it as it is', 'If-Match');
    this.etag = etag;
    this.current = current;
  }
}

/** No route has this path, or none with this path has this method. Answered with 404. */
export class NoRoute extends Error {
  override readonly name = 'NoRoute';
}

/** The credential or its account exceeded a rate limit. `retrySeconds`: until the next request is allowed. Answered with 429. */
export class TooMany extends Error {
  override readonly name = 'TooMany';
  readonly retrySeconds: number;

  constructor(limit: string, retrySeconds: number) {
    super(`Too many requests: ${limit}`);
    this.retrySeconds = retrySeconds;
  }
}

/** Too many requests without a valid key from one address. `seconds`: until the next request is allowed. Answered with 429. */
export class TooManyVisits extends Error {
  override readonly name = 'TooManyVisits';
  readonly seconds: number;

  constructor(seconds: number) {
    super(`Too many requests from your address; wait ${seconds} seconds`);
    this.seconds = seconds;
  }
}

/** Too many requests of the account or address wait in this process, one waited too long, or the server shuts down. Answered with 429. */
export class TooManyAtOnce extends Error {
  override readonly name = 'TooManyAtOnce';
  readonly retrySeconds: number;

  constructor(retrySeconds = 1) {
    super('Too many requests at the same time; send fewer at once');
    this.retrySeconds = retrySeconds;
  }
}

/** A concurrent request with the same key took too long. Answered with 429. */
export class Busy extends Error {
  override readonly name = 'Busy';
}

/**
 * A gateway was called, and its outcome is not recorded. `retrySeconds`: until the request may be sent again; null: it must not be sent again
 * blindly, because the gateway may have moved money. Answered with 429.
 */
export class Unrecorded extends Error {
  override readonly name = 'Unrecorded';
  readonly retrySeconds: number | null;

  constructor(message: string, retrySeconds: number | null) {
    super(message);
    this.retrySeconds = retrySeconds;
  }
}
