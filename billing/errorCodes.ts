/** What a code of an error means, and what to do about it. Both are sentences for developers. */
export interface ErrorCodeWords {
  means: string;
  remedy: string;
}

/** The codes of all errors of the API: what programs branch on. Messages are for people, and may change. */
export const errorCodes = {
  parameter_missing: {
    means: 'A field or parameter that the request needs is absent or empty; `param` names it.',
    remedy: 'Send it.',
  },
  parameter_invalid: {
    means:
      'A field or parameter has a value of the wrong kind, out of bounds, or at odds with another one; `param` names it.',
    remedy: 'Send a value as the message says.',
  },
  parameter_unknown: {
    means: 'The request has a field, parameter or filter that this route does not know; `param` names it.',
    remedy: 'Correct its name, or leave it out.',
  },
  filter_unbounded: {
    means:
      'No index answers the filter, or finds its objects in the order that is asked for, so the answer could take any time; `param` names it.',
    remedy: 'Use a filter that the message names, narrow the filters, or sort by the column that is filtered.',
  },
  body_invalid: {
    means: 'The body is cut off, not UTF-8, or no well-formed JSON, form or event.',
    remedy: 'Correct the program that writes the body; sending the same body again cannot succeed.',
  },
  body_too_large: {
    means: 'The body, or a file in it, is too large, too deep, or has too many values.',
    remedy: 'Send less at once, in several requests.',
  },
  content_type_unsupported: {
    means: 'The `Content-Type` of the body is not one that the route reads.',
    remedy: 'Send one that the message names.',
  },
  signature_invalid: {
    means:
      'An event of a provider is not signed with the configured secret, is too old, or is meant for another account.',
    remedy: 'Check the secret, and that the provider sends its events to the right address.',
  },
  authentication_required: {
    means: 'The key or token is missing, wrong, expired or revoked.',
    remedy: 'Send a valid API key, or authorize the application again.',
  },
  permission_missing: {
    means: 'The key or token is valid, but may not do this.',
    remedy: 'Use a key with the right to do it, or ask the administrator of the account.',
  },
  sign_in_again: {
    means: 'The person signed in more than ten minutes ago, and the request shows secrets or changes who may do what.',
    remedy: 'Let the person sign in again, then repeat the request.',
  },
  second_factor_required: {
    means: 'The account demands a second factor, which the person did not prove when it signed in.',
    remedy: 'Let the person set up a second factor and sign in with it.',
  },
  route_missing: {
    means: 'No route has this method and path.',
    remedy: 'Check method, path and base URL against the reference.',
  },
  resource_missing: {
    means:
      'The object that the path or a field names does not exist in this account, or was deleted; `param` names the field.',
    remedy: 'Check the id, and that the key belongs to the account and the environment that has the object.',
  },
  already_taken: {
    means: 'A value that must be unique, such as a number or an id, is in use.',
    remedy: 'Choose another value, or change the object that has it.',
  },
  in_use: {
    means: 'Other objects name the object, so it cannot be deleted or changed in this way.',
    remedy: 'Change those objects first; the message names them.',
  },
  state_conflict: {
    means: 'The state of the object forbids this: for example, it is voided, paid, canceled or a draft.',
    remedy: 'Read the object again, and take the step that the message names first.',
  },
  stale: {
    means: 'The object has changed since it was read with the `ETag` in `If-Match`. Nothing was changed.',
    remedy:
      '`current` is the object as it is, `etag` its tag: decide again, and send the request with that tag in `If-Match`.',
  },
  precondition_failed: {
    means: 'The object has changed since it was read.',
    remedy: 'Read it again, decide again, and send the request anew.',
  },
  limit_exceeded: {
    means: 'An account, an object or a request has as many of something as it may have.',
    remedy: 'Remove some, or send fewer.',
  },
  amount_too_large: {
    means: 'An amount or quantity exceeds what is open, what is left, or what can be stored.',
    remedy: 'Send a smaller one; the message says the most.',
  },
  insufficient_credit: {
    means: 'The customer has less credit than the request would spend or take back.',
    remedy: 'Use less credit, or add some first.',
  },
  currency_mismatch: {
    means: 'Two objects, or an object and an amount, are in different currencies.',
    remedy: 'Use objects of one currency.',
  },
  card_declined: {
    means: 'The gateway or the bank declined a card; `decline_code` says why.',
    remedy: 'If `retryable`, try again later. Otherwise ask the customer for another card or a confirmation.',
  },
  bank_debit_declined: {
    means: 'The gateway or the bank declined a debit of a bank account; `decline_code` says why.',
    remedy: 'If `retryable`, try again later. Otherwise ask the customer for another payment source.',
  },
  verification_failed: {
    means: 'The bank account was not verified, for example because the amounts are wrong; `decline_code` says why.',
    remedy: 'Ask the customer for the amounts of the test deposits again.',
  },
  gateway_refused: {
    means:
      'The gateway refused the request itself, and nothing was made: its key, its configuration or the request is wrong, and the message has the words of the gateway. Or it declined another operation than a payment, such as a refund; `decline_code` says why.',
    remedy:
      'Mend the configuration at the gateway, or the key of the merchant account; `GET /problems` has the problem. Refund in another way if need be.',
  },
  gateway_missing: {
    means: 'No payment gateway is configured that could do this.',
    remedy: 'Add a merchant account, or use a method and a currency that a configured one takes.',
  },
  gateway_unavailable: {
    means:
      'A payment gateway or another provider could not be reached, or did not do what it was asked. Nothing was charged or changed.',
    remedy: 'Try again later, with a new `Idempotency-Key`.',
  },
  outcome_unknown: {
    means:
      'A gateway was called, and its outcome is not known yet: money may have moved. Or the connection to the database was lost after the change was sent: it may have been stored.',
    remedy:
      'With `Retry-After`, send the same request with the same `Idempotency-Key`. Without it, look at what is stored before you try again.',
  },
  idempotency_mismatch: {
    means: 'The idempotency key was used before with another request.',
    remedy: 'Use a new key for each new request.',
  },
  idempotency_in_progress: {
    means: 'A request with the same `Idempotency-Key` is still at work.',
    remedy: 'Send the same request again after `Retry-After`.',
  },
  rate_limited: {
    means: 'Too many requests were sent at once or in a short time.',
    remedy: 'Send the request again after `Retry-After`, and send fewer at once.',
  },
  busy: {
    means: 'Another operation is at work on the same object, or the server has too much to do. Nothing was changed.',
    remedy: 'Send the request again in a moment.',
  },
  service_unavailable: {
    means: 'The database cannot be reached, does not answer or stores nothing at the moment. Nothing was changed.',
    remedy: 'Send the request again after `Retry-After`.',
  },
  files_unavailable: {
    means:
      'The store of files is full, may not be written or cannot be reached, so no file can be uploaded or read at the moment. Nothing was changed. Other requests are served.',
    remedy: 'Send the request again after `Retry-After`.',
  },
  document_unprintable: {
    means: 'The PDF of the document cannot be rendered because of its content or its template.',
    remedy: 'Change the content or the template as the message says.',
  },
  internal_error: {
    means: 'Something failed on our side.',
    remedy: 'Try again with the same `Idempotency-Key`; if it persists, report the `Request-Id`.',
  },
} as const satisfies Readonly<Record<string, ErrorCodeWords>>;

export type ErrorCode = keyof typeof errorCodes;

/** The codes in the order of the reference. */
export const errorCodeNames = Object.keys(errorCodes).filter((name): name is ErrorCode => name in errorCodes);
