import type { Plain } from '../../db/queries/kernel/plain.ts';
import type { ApiKey } from '../../db/schema/apiKey.ts';
import { type Presented, unix, unixOrNull } from '../kernel/values.ts';

/** An API key without the key itself, which only the response to its creation shows. */
export function presentApiKey(apiKey: Plain<ApiKey>): Presented {
  return {
    id: apiKey.id,
    object: 'api_key',
    name: apiKey.name,
    last4: apiKey.last4,
    kind: apiKey.kind,
    scope: apiKey.scope,
    expires_at: unixOrNull(apiKey.expiresAt),
    last_used_at: unixOrNull(apiKey.lastUsedAt),
    revoked_at: unixOrNull(apiKey.revokedAt),
    created_at: unix(apiKey.createdAt),
  };
}
