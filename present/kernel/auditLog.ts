import type { Presented } from '../../billing/json.ts';
import type { Plain } from '../../db/queries/kernel/plain.ts';
import type { AuditLog } from '../../db/schema/auditLog.ts';
import { unix } from './values.ts';

export function presentAct(act: Plain<AuditLog>): Presented {
  return {
    id: act.id,
    object: 'audit_log_entry',
    created_at: unix(act.createdAt),
    kind: act.kind,
    operation: act.operation,
    actor: { type: act.actor, id: act.actorId ?? null, name: act.actorName ?? null, member: act.memberId ?? null },
    object_type: act.objectType ?? null,
    object_id: act.objectId ?? null,
    reason: act.reason ?? null,
    before: act.before ?? null,
    after: act.after ?? null,
    count: act.count,
    ip: act.ip ?? null,
    user_agent: act.userAgent ?? null,
    request_id: act.requestId ?? null,
  };
}
