import { defineEntity, p } from '@mikro-orm/core';

const DeploymentSchema = defineEntity({
  name: 'Deployment',
  comment: 'One row, written at first start: a database cloned from a template gets its own id',
  properties: {
    /** Always 1: the table holds one row. */
    singleton: p.integer().primary(),
    /** Part of every workflow id and task queue. */
    id: p.string().length(32),
    /** Fingerprint of the encryption key that sealed the stored secrets. */
    keyFingerprint: p.string().length(16),
    /** Encrypted key of the audit log's chain; null until the first row is linked. */
    sealedAuditKey: p.text().nullable(),
    /** The Temporal namespace that holds the running processes. If a worker finds another one, they must be rebuilt. */
    temporalNamespaceId: p.string().length(64).nullable(),
    /** Real time at which a sweep of any worker last succeeded in all its parts. */
    sweptAt: p.datetime().nullable(),
    createdAt: p.datetime(),
  },
  checks: [{ name: 'deployment_singleton', expression: 'singleton = 1' }],
});
export class Deployment extends DeploymentSchema.class {}
DeploymentSchema.setClass(Deployment);
