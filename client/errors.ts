/** The API refused a request, or all retries failed: any status from 400, and answers that are not from the API. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly status: number;
  /** `invalid_request`: change the request; `api`: the fault is on the side of the API. */
  readonly type: 'invalid_request' | 'api';
  /** Path of the wrong parameter, such as `items[0][unit_cost]`; null: no single one. */
  readonly param: string | null;
  /** Id of the request for questions to support. */
  readonly requestId: string | null;

  constructor(status: number, headers: Headers, text: string) {
    const shown = json(text);
    super(textOf(shown, 'message') ?? `The answer has status ${status} and is not of the API`);
    this.status = status;
    this.type = textOf(shown, 'type') === 'invalid_request' ? 'invalid_request' : 'api';
    this.param = textOf(shown, 'param');
    this.requestId = headers.get('Request-Id');
  }
}

/** No answer arrived, so the outcome of the request is unknown. `cause` holds the reason: a broken connection, or a TimeoutError. */
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
