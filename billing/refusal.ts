import type { ErrorCode } from './errorCodes.ts';

const MOST_NAMED = 100;

/** Shortens a name from a request for use in messages. */
export function cut(name: string): string {
  return name.slice(0, MOST_NAMED);
}

/**
 * Thrown when a business rule refuses a request or step. `code` is what programs branch on. `param` names the request field at fault; null:
 * there is none.
 */
export class Refusal extends Error {
  override readonly name = 'Refusal';
  readonly code: ErrorCode;
  readonly param: string | null;

  constructor(code: ErrorCode, message: string, param?: string) {
    super(message);
    this.code = code;
    this.param = param === undefined ? null : cut(param);
  }
}

/** Thrown when the caller does not hold a permission that a part of its request needs. Answered with 403. */
export class PermissionMissing extends Refusal {
  constructor(message: string, param?: string) {
    super('permission_missing', message, param);
  }
}
