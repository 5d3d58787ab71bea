import { defineEntity, p } from '@mikro-orm/core';
import { processTables, type TimedProcess, timedNames, timedProcesses } from '../../billing/processes.ts';
import type { ReasonCode } from '../../billing/wait.ts';
import { policiesByType } from '../tenant.ts';
import { quoted } from './columns.ts';

const WakeupSchema = defineEntity({
  name: 'Wakeup',
  policies: policiesByType('wakeup', { type: 'process', id: 'subject_id', tables: processTables }),
  comment: 'A planned step of a process, in real time or in the time of a test clock',
  properties: {
    accountId: p.integer().primary(),
    process: p.string().length(16).primary().$type<TimedProcess>(),
    subjectId: p.integer().primary(),
    rule: p.string().length(32).primary(),
    at: p.datetime(),
    /** The rule in words, with its numbers: "attempt 2 of 4". */
    step: p.string().length(255),
    /** Null: the usual reason of its rule. */
    reason: p.string().length(32).$type<ReasonCode>().nullable(),
    reasonDetail: p.string().length(255).nullable(),
    clockId: p.integer().nullable(),
    timeBase: p.string().length(5).$type<'real' | 'clock'>(),
    /** Real time at which it was written or moved: it is not overdue before. */
    putAt: p.datetime().nullable(),
    /** How often the sweep re-enqueued it, and the real time of the first time. */
    sweeps: p.integer().default(0),
    handedAt: p.datetime().nullable(),
  },
  indexes: [
    {
      name: 'wakeup_due',
      expression: 'create index "wakeup_due" on "wakeup" ("at") where time_base = \'real\'',
    },
    {
      name: 'wakeup_clock',
      expression: 'create index "wakeup_clock" on "wakeup" ("account_id", "clock_id", "at") where clock_id is not null',
    },
  ],
  checks: [
    { name: 'wakeup_time_base', expression: "time_base = 'real' or (time_base = 'clock' and clock_id is not null)" },
  ],
});
export class Wakeup extends WakeupSchema.class {}
WakeupSchema.setClass(Wakeup);

const known = timedNames.flatMap((process) =>
  [...timedProcesses[process].rules, 'problem'].map((rule) => `${process}/${rule}`),
);

/** SQL: whether this version has the process and the rule of a wake-up. It leaves those of a later version alone. */
export const isKnownWakeup = (alias: string): string =>
  `${alias}.process || '/' || ${alias}.rule in (${quoted(known)})`;
