import type { Plain } from '../../db/queries/kernel/plain.ts';
import type { Suppression } from '../../db/schema/suppression.ts';
import { orNull, type Presented, unix } from '../kernel/values.ts';

/** An address to which an account sends no mail. */
export function presentSuppression(suppression: Plain<Suppression>): Presented {
  return {
    id: suppression.id,
    object: 'suppression',
    email: orNull(suppression.address),
    reason: suppression.reason,
    detail: orNull(suppression.detail),
    suppressed_at: unix(suppression.suppressedAt),
    created_at: unix(suppression.createdAt),
    updated_at: unix(suppression.updatedAt),
  };
}
