import { defineEntity, p } from '@mikro-orm/core';

const DeploymentSchema = defineEntity({
  name: 'Deployment',
  comment: 'One row, written at first start: a database cloned from a template gets its own id',
  properties: {
    /** Always 1: the table holds one row. */
    singleton: p.integer().primary(),
    /** Part of every workflow id and task queue. */
    id: p.string().length(32),
    /** Which encryption key the stored secrets were sealed with. */
    keyFingerprint: p.string().length(16),
    /** The Temporal namespace that holds the running processes; another one means that they must be rebuilt. */
    temporalNamespaceId: p.string().length(64).nullable(),
    /** When a sweep of any worker last succeeded in all its parts; real time. */
    sweptAt: p.datetime().nullable(),
    createdAt: p.datetime(),
  },
  checks: [{ name: 'deployment_singleton', expression: 'singleton = 1' }],
});
export class Deployment extends DeploymentSchema.class {}
DeploymentSchema.setClass(Deployment);
