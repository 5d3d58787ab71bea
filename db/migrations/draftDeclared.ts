/**
 * Drafts the entry of `declared.ts` for a generated migration: its new tables, their references to existing tables, and new columns of
 * existing tables. A test compares the entry with PostgreSQL's behaviour. Other statements are added by hand.
 */
export function draftDeclared(name: string, sql: string): string {
  const created = [...sql.matchAll(/^create table "(\w+)"/gm)].map(([, table = '']) => table);
  const added = [...sql.matchAll(/^alter table "(\w+)" (add "\w+".*);$/gm)].map(([, table, additions = '']) => {
    const columns = [...additions.matchAll(/\badd "(\w+)"/g)].map(([, column]) => column);
    return { table, columns };
  });
  const references = [...sql.matchAll(/^alter table "(\w+)" add constraint .* references "(\w+)"/gm)]
    .filter(([, from = '', to = '']) => created.includes(from) && !created.includes(to))
    .map(([, from, to]) => `addReference('${to}', '${from}')`);
  const additions = added.map(({ table, columns }) => `addColumn('${table}', '${columns.join(', ')}')`);
  const changes = [...additions, ...new Set(references)].map((change) => `\n      ${change},`).join('');
  const creates = created.length === 0 ? '' : `${created.length > 1 ? 'tables' : 'table'} ${created.join(', ')}`;
  return `  '${name}': {
    creates: '${creates}',
    changes: [${changes}${changes === '' ? '' : '\n    '}],
    unusedSince: null,
  },
`;
}
