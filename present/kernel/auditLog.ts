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

/** The heading of a list of acts as CSV (RFC 4180). */
export const ACTS_HEADING = `${[
  'id',
  'created_at',
  'kind',
  'operation',
  'actor_type',
  'actor_id',
  'actor_name',
  'member',
  'object_type',
  'object_id',
  'reason',
  'before',
  'after',
  'count',
  'ip',
  'user_agent',
  'request_id',
].join()}\r\n`;

/** An act as a line of CSV, with the time in ISO 8601. */
export function actAsCsv(act: Plain<AuditLog>): string {
  const cells = [
    act.id,
    act.createdAt.toISOString(),
    act.kind,
    act.operation,
    act.actor,
    act.actorId,
    act.actorName,
    act.memberId,
    act.objectType,
    act.objectId,
    act.reason,
    act.before && JSON.stringify(act.before),
    act.after && JSON.stringify(act.after),
    act.count,
    act.ip,
    act.userAgent,
    act.requestId,
  ];
  return `${cells.map(cell).join()}\r\n`;
}

/** A text that a spreadsheet would take for a formula is marked as text. */
function cell(value: string | number | null | undefined): string {
  if (value === null || value === undefined) return '';
  const text = String(value);
  const harmless = typeof value === 'string' && /^[=+\-@\t\r\n]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}
