/** An answer of Stripe that is an error. Stripe keeps the answers of requests that it began to carry out, under their idempotency key. */
export class Fault extends Error {
  readonly status: number;
  readonly body: Record<string, unknown>;
  readonly isKept: boolean;

  constructor(status: number, body: Record<string, unknown>, { isKept = false } = {}) {
    super(String(body.message));
    this.status = status;
    this.body = body;
    this.isKept = isKept;
  }
}

export const invalid = (message: string, more: Record<string, unknown> = {}): Fault =>
  new Fault(400, { type: 'invalid_request_error', message, ...more });

export const missing = (what: string, id: string): Fault =>
  new Fault(404, { type: 'invalid_request_error', code: 'resource_missing', message: `No such ${what}: '${id}'` });

export const declined = (error: Record<string, unknown>, more: Record<string, unknown>): Fault =>
  new Fault(402, { type: 'card_error', ...error, ...more }, { isKept: true });
