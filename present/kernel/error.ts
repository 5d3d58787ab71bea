import type { ErrorCode } from '../../billing/errorCodes.ts';
import type { DeclineCode } from '../../billing/payments/declines.ts';
import type { Presented } from './values.ts';

export type ErrorType = 'invalid_request' | 'api';

/** Why a gateway or a bank declined. `chargeId`: the failed charge; null: none was stored. */
export interface ShownDecline {
  code: DeclineCode;
  chargeId: number | null;
  isRetryable: boolean;
}

interface ShownError {
  type: ErrorType;
  code: ErrorCode;
  message: string;
  param?: string | null;
  decline?: ShownDecline;
  /** Of a request with an old If-Match: the object as it is, and its tag. */
  stale?: { etag: string; current: Presented | null };
}

/** The body of every error response. */
export function presentError({ type, code, message, param, decline, stale }: ShownError): Presented {
  const declined: Presented = decline
    ? { decline_code: decline.code, charge: decline.chargeId, retryable: decline.isRetryable }
    : {};
  return { object: 'error', type, code, message, ...(param ? { param } : {}), ...declined, ...stale };
}
