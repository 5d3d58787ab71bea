/** Errors that only the API has; each has its own status and message. */
export class Unauthorized extends Error {
  override readonly name = 'Unauthorized';
  /** Value of the header WWW-Authenticate. */
  readonly challenge: string;

  constructor(message: string, challenge = 'Basic realm="API key"') {
    super(message);
    this.challenge = challenge;
  }
}

export class Forbidden extends Error {
  override readonly name = 'Forbidden';
  /** Value of the header WWW-Authenticate; null: not sent. */
  readonly challenge: string | null;

  constructor(message: string, challenge: string | null = null) {
    super(message);
    this.challenge = challenge;
  }
}

/** No route has this address, or none with this method. */
export class NoRoute extends Error {
  override readonly name = 'NoRoute';
}

/** The credential has used up its requests. `retrySeconds`: until it may send one again. */
export class TooMany extends Error {
  override readonly name = 'TooMany';
  readonly retrySeconds: number;

  constructor(limit: string, retrySeconds: number) {
    super(`Too many requests: ${limit}`);
    this.retrySeconds = retrySeconds;
  }
}

/** Too many requests without a key from one place. `seconds`: until it may send one again. */
export class TooManyVisits extends Error {
  override readonly name = 'TooManyVisits';
  readonly seconds: number;

  constructor(seconds: number) {
    super(`Too many requests from your address; wait ${seconds} seconds`);
    this.seconds = seconds;
  }
}

/** The waiting queue of this process is full for this account, or for this address without a key. */
export class TooManyAtOnce extends Error {
  override readonly name = 'TooManyAtOnce';
  readonly retrySeconds: number;

  constructor(retrySeconds = 1) {
    super('Too many requests at the same time; send fewer at once');
    this.retrySeconds = retrySeconds;
  }
}

/** The same request or the same object has been worked on for too long. Nothing was done. */
export class Busy extends Error {
  override readonly name = 'Busy';
}
