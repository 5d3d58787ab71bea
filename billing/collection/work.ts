import type { Area } from '../people/permissions.ts';

/**
 * Kinds of what waits for a person, each with the subject of the permission to read it. An object that is of several kinds is an item of the
 * first one.
 */
export const areaOfWork = {
  /** A step with money at risk that a process cannot take. */
  problem: 'collections',
  /** A bank holds money of a charge. */
  dispute: 'payments',
  /** A customer disputes lines of an invoice. */
  disputed_invoice: 'collections',
  /** A payment that was promised did not come. */
  broken_promise: 'collections',
  /** A member has to call, to write or to review something. */
  task: 'collections',
  /** An automatic charge of an open invoice failed. */
  failed_charge: 'documents',
  /** Money pays nothing yet. */
  unapplied_payment: 'payments',
} as const satisfies Readonly<Record<string, Area>>;

export type WorkKind = keyof typeof areaOfWork;

const isKind = (name: string): name is WorkKind => Object.hasOwn(areaOfWork, name);

/** All kinds, in their order. */
export const workKinds: readonly WorkKind[] = Object.keys(areaOfWork).filter(isKind);

/** Whose work is asked for: that of the member itself, of the whole team, or what nobody has yet. */
export const assignees = ['me', 'team', 'unassigned'] as const;
export type Assignee = (typeof assignees)[number];
