/** Levels of PostgreSQL's table locks, weakest first. */
export const lockLevels = [
  'ACCESS SHARE',
  'ROW SHARE',
  'ROW EXCLUSIVE',
  'SHARE UPDATE EXCLUSIVE',
  'SHARE',
  'SHARE ROW EXCLUSIVE',
  'EXCLUSIVE',
  'ACCESS EXCLUSIVE',
] as const;

export type LockLevel = (typeof lockLevels)[number];

/** Work whose time grows with the rows of a table, lightest first. `catalog`: none of the rows is read. */
export const works = ['catalog', 'scan', 'index', 'update', 'rewrite'] as const;

export type Work = (typeof works)[number];

/** Effect of a migration on a table that exists before it. */
export interface Change {
  table: string;
  /** Description for the operator: "add column swept_at". */
  does: string;
  lock: LockLevel;
  work: Work;
}

export interface Declared {
  /** New tables and everything else that takes no lock on an existing table. */
  creates: string;
  /** In the order of the statements: each lock is held until the migration commits. */
  changes: Change[];
  /**
   * Null: the migration expands the schema, so the version before it runs on. Otherwise it contracts the schema, and this is the release
   * that first stopped using what it removes.
   */
  unusedSince: string | null;
  /** New checks that concern columns of the version before, with the reason why it cannot break them. */
  harmlessChecks?: Readonly<Record<string, string>>;
}

export const addColumn = (table: string, name: string): Change => ({
  table,
  does: `add column ${name}`,
  lock: 'ACCESS EXCLUSIVE',
  work: 'catalog',
});

/** New and changed rows are checked from then on. */
export const addChecks = (table: string, name: string): Change => ({
  table,
  does: `check ${name} of new rows`,
  lock: 'ACCESS EXCLUSIVE',
  work: 'catalog',
});

/** Reads all rows once, while requests read and write the table. */
export const validateChecks = (table: string): Change => ({
  table,
  does: 'check the rows from before',
  lock: 'SHARE UPDATE EXCLUSIVE',
  work: 'scan',
});

/** Writes of the table wait until the index is built. */
export const addIndex = (table: string, name: string): Change => ({
  table,
  does: `index ${name}`,
  lock: 'SHARE',
  work: 'index',
});

/** The version before runs on with the index that replaces this one. */
export const dropIndex = (table: string): Change => ({
  table,
  does: 'drop the index that it replaces',
  lock: 'ACCESS EXCLUSIVE',
  work: 'catalog',
});

/** A new table refers to this one. Writes of it wait. */
export const addReference = (table: string, from: string): Change => ({
  table,
  does: `add reference from ${from}`,
  lock: 'SHARE ROW EXCLUSIVE',
  work: 'catalog',
});

export const changeComment = (table: string): Change => ({
  table,
  does: 'change its comment',
  lock: 'SHARE UPDATE EXCLUSIVE',
  work: 'catalog',
});

export const readRows = (table: string, does: string): Change => ({ table, does, lock: 'ACCESS SHARE', work: 'scan' });

export const updateRows = (table: string, does: string): Change => ({
  table,
  does,
  lock: 'ROW EXCLUSIVE',
  work: 'update',
});
