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
  /** Path of the field or parameter at fault, such as `items[0][unit_cost]`. Null if no single one is. */
  readonly param: string | null;
  /** Id of the request in the logs of the API. Null if the response has none. */
  readonly requestId: string | null;

  constructor(status: number, headers: Headers, text: string) {
    const shown = json(text);
    super(textOf(shown, 'message') ?? `The response with status ${status} is not from the API`);
    this.status = status;
    this.type = textOf(shown, 'type') === 'invalid_request' ? 'invalid_request' : 'api';
    this.param = textOf(shown, 'param');
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
  if (typeof value !== 'object' || value === null) return null;
  const found: unknown = Reflect.get(value, name);
  return typeof found === 'string' ? found : null;
}
