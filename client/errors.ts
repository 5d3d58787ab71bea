/** The API refused a request, or failed at it for good: every status from 400, and answers that are not the API's own. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly status: number;
  /** `invalid_request`: the request has to change; `api`: the fault is on the other side. */
  readonly type: 'invalid_request' | 'api';
  /** The parameter that is wrong, `items[0][unit_cost]`; null when it is none in particular. */
  readonly param: string | null;
  /** What to name when asking about it. */
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

/** No answer arrived; what became of the request is unknown. `cause` says why: a broken connection, or a TimeoutError. */
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
