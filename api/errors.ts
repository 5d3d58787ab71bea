/** Errors that only the edge knows; each answers with its status and message. */
export class Unauthorized extends Error {
  override readonly name = 'Unauthorized';
}

export class Forbidden extends Error {
  override readonly name = 'Forbidden';
}

/** No such address, or not with this method. */
export class NoRoute extends Error {
  override readonly name = 'NoRoute';
}

/** The same request or the same object is being worked on for too long already: nothing was done. */
export class Busy extends Error {
  override readonly name = 'Busy';
}
