import type { Presented } from './values.ts';

export type ErrorType = 'invalid_request' | 'api';

/** The body of every error response. */
export function presentError(error: { type: ErrorType; message: string; param?: string | null }): Presented {
  const { type, message, param } = error;
  return { object: 'error', type, message, ...(param ? { param } : {}) };
}
