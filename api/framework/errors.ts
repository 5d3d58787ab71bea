/** Errors that only the edge knows; each answers with its status and message. */
export class Unauthorized extends Error {
  override readonly name = 'Unauthorized';
  /** What the header WWW-Authenticate says. */
  readonly challenge: string;

  constructor(message: string, challenge = 'Basic realm="API key"') {
    super(message);
    this.challenge = challenge;
  }
}

export class Forbidden extends Error {
  override readonly name = 'Forbidden';
  /** What the header WWW-Authenticate says, if it is sent. */
  readonly challenge: string | null;

  constructor(message: string, challenge: string | null = null) {
    super(message);
    this.challenge = challenge;
  }
}

/** No such address, or not with this method. */
export class NoRoute extends Error {
  override readonly name = 'NoRoute';
}

/** The credential has used up its requests; `retrySeconds` until it has one again. */
export class TooMany extends Error {
  override readonly name = 'TooMany';
  readonly retrySeconds: number;

  constructor(limit: string, retrySeconds: number) {
    super(`Too many requests: ${limit}`);
    this.retrySeconds = retrySeconds;
  }
}

/** Too much comes from one place without a key; `seconds` until there may be more. */
export class TooManyVisits extends Error {
  override readonly name = 'TooManyVisits';
  readonly seconds: number;

  constructor(seconds: number) {
    super(`Too many requests from your address; wait ${seconds} seconds`);
    this.seconds = seconds;
  }
}

/** More requests of one account, or of one address without a key, wait for their turn than this process keeps. */
export class TooManyAtOnce extends Error {
  override readonly name = 'TooManyAtOnce';

  constructor() {
    super('Too many requests at the same time; send fewer at once');
  }
}

/** The same request or the same object is being worked on for too long already: nothing was done. */
export class Busy extends Error {
  override readonly name = 'Busy';
}
