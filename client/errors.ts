import type { Error as ErrorBody } from './schema.ts';

/** A code that a later version of the API has. */
type Other = string & Record<never, never>;

/**
 * A response that is not a success: any status outside 200 to 299, and responses that do not come from the API. Retries may have failed
 * before.
 */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  /** HTTP status. */
  readonly status: number;
  /** `invalid_request`: the request has to be changed. `api`: the API or something in front of it failed. */
  readonly type: 'invalid_request' | 'api';
  /** What to branch on; the reference has the list. Null if the response is not from the API. */
  readonly code: ErrorBody['code'] | Other | null;
  /** Why a gateway or a bank declined, the same for all gateways. Null if it is no decline. */
  readonly declineCode: NonNullable<ErrorBody['decline_code']> | Other | null;
  /** Id of the charge that was declined. Null if none was stored. */
  readonly charge: number | null;
  /** Whether the same payment source may succeed later. Null if it is no decline. */
  readonly retryable: boolean | null;
  /** Path of the field or parameter at fault, such as `items[0][unit_cost]`. Null if no single one is. */
  readonly param: string | null;
  /** The whole body, with fields that only some errors have: `current` and `etag` of `stale`. Null: it is no JSON object. */
  readonly body: Readonly<Record<string, unknown>> | null;
  /** Id of the request in the logs of the API. Null if the response has none. */
  readonly requestId: string | null;

  constructor(status: number, headers: Headers, text: string) {
    const shown = json(text);
    super(textOf(shown, 'message') ?? `The response with status ${status} is not from the API`);
    this.status = status;
    this.type = textOf(shown, 'type') === 'invalid_request' ? 'invalid_request' : 'api';
    this.code = textOf(shown, 'code');
    this.declineCode = textOf(shown, 'decline_code');
    const { charge, retryable } = membersOf(shown);
    this.charge = typeof charge === 'number' ? charge : null;
    this.retryable = typeof retryable === 'boolean' ? retryable : null;
    this.param = textOf(shown, 'param');
    this.body = typeof shown === 'object' && shown !== null && !Array.isArray(shown) ? membersOf(shown) : null;
    this.requestId = headers.get('Request-Id');
  }
}

/** No response arrived, so the outcome of the request is unknown. `cause` has the reason: a broken connection or a TimeoutError. */
export class ConnectionError extends Error {
  override readonly name = 'ConnectionError';
}

function json(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function textOf(value: unknown, name: string): string | null {
  const found = membersOf(value)[name];
  return typeof found === 'string' ? found : null;
}

function membersOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? Object.fromEntries(Object.entries(value)) : {};
}
