import { readConfiguration } from '../../billing/gatewayConfiguration.ts';
import type { Plain } from '../../db/queries/kernel/plain.ts';
import type { Dispute } from '../../db/schema/dispute.ts';
import { number, type Presented, unix, unixOrNull } from '../kernel/values.ts';

export function presentDispute(dispute: Plain<Dispute>): Presented {
  return {
    id: dispute.id,
    object: 'dispute',
    charge: dispute.charge.id,
    currency: dispute.currency,
    amount: number(dispute.amount),
    amount_lost: number(dispute.amountLost),
    fee: number(dispute.fee),
    gateway: readConfiguration(dispute.gateway).gateway,
    gateway_id: dispute.gatewayId,
    status: dispute.status,
    reason: dispute.reason,
    evidence_due_at: unixOrNull(dispute.evidenceDueAt),
    created_at: unix(dispute.createdAt),
    updated_at: unix(dispute.updatedAt),
  };
}
