import { defineEntity, p } from '@mikro-orm/core';
import type { Environment } from '../../billing/environments.ts';

const QueueProgressSchema = defineEntity({
  name: 'QueueProgress',
  comment: 'Progress of the queue of an environment, reported by each worker; belongs to no account',
  properties: {
    id: p.bigint().primary().autoincrement(),
    environment: p.string().length(7).$type<Environment>(),
    /** Earliest real time since which any of the work served since the worker's last report had waited. */
    since: p.datetime(),
    notedAt: p.datetime(),
  },
  indexes: [{ name: 'queue_progress_noted', properties: ['notedAt'] }],
});
export class QueueProgress extends QueueProgressSchema.class {}
QueueProgressSchema.setClass(QueueProgress);
