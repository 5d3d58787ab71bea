import {
  type PaperKind,
  type PdfTemplateFields,
  paperKinds,
  partsOfPapers,
  plainTemplate,
} from '../../billing/look/pdfTemplate.ts';
import { Refusal } from '../../billing/refusal.ts';
import { lockCountOf } from '../../db/lock.ts';
import type { EntityManager } from '../../db/orm.ts';
import { PdfTemplate } from '../../db/schema/templates.ts';
import type { Caller } from '../kernel/caller.ts';
import { assignChanges } from '../kernel/changes.ts';

/** The template of a kind of paper. `updatedAt` null: the account has stored none, and this is the default. */
export interface PdfTemplateState extends PdfTemplateFields {
  /** The kind, or the code of a further template. */
  code: string;
  /** Null: it is built in. */
  name: string | null;
  kind: PaperKind;
  updatedAt: Date | null;
}

/** The template of a kind of paper, as an account uses it. */
export async function readPdfTemplate(
  em: EntityManager,
  accountId: number,
  kind: PaperKind,
): Promise<PdfTemplateState> {
  return stateOf(kind, await em.findOne(PdfTemplate, { accountId, kind }));
}

/** The templates of all kinds. */
export async function readPdfTemplates(em: EntityManager, accountId: number): Promise<PdfTemplateState[]> {
  const rows = await em.find(PdfTemplate, { accountId });
  return paperKinds.map((kind) => stateOf(kind, rows.find((row) => row.kind === kind) ?? null));
}

function stateOf(kind: PaperKind, row: PdfTemplate | null): PdfTemplateState {
  const own = { code: kind, name: null, kind };
  if (!row) return { ...plainTemplate(kind), ...own, updatedAt: null };
  const { layout, paper = null, columns, blocks, updatedAt } = row;
  return { ...templateOf(kind, { layout, paper, columns, blocks }), ...own, updatedAt };
}

/** The look of papers of a kind. `stored` null: the default. */
export function templateOf(kind: PaperKind, stored: PdfTemplateFields | null): PdfTemplateFields {
  if (!stored) return plainTemplate(kind);
  const { layout, paper } = stored;
  const parts = partsOfPapers[kind];
  // Rows of an earlier version can name columns and blocks that the kind does not have.
  const columns = stored.columns.filter((column) => parts.columns.includes(column));
  const blocks = stored.blocks.filter((block) => parts.blocks.includes(block));
  return { layout, paper, columns, blocks };
}

/** Changes of a look; undefined: unchanged. */
export type ChangedLook = { [Name in keyof PdfTemplateFields]: PdfTemplateFields[Name] | undefined };

/** Changes how papers of a kind are printed whose content has no PDF yet. Refuses columns and blocks that this kind does not have. */
export async function savePdfTemplate(
  em: EntityManager,
  {
    caller,
    kind,
    fields,
  }: {
    caller: Caller;
    kind: PaperKind;
    fields: ChangedLook;
  },
  systemNow: Date,
): Promise<PdfTemplateState> {
  const accountId = caller.account.id;
  refuseOthers(kind, fields);
  await lockCountOf(em, 'pdf_template', accountId);
  const row = await em.findOne(PdfTemplate, { accountId, kind });
  const { layout, paper, columns, blocks } = fields;
  const change = { layout, paper, columns: columns && [...columns], blocks: blocks && [...blocks] };
  if (row) {
    if (assignChanges(row, change)) row.updatedAt = systemNow;
    return stateOf(kind, row);
  }
  const plain = plainTemplate(kind);
  const made = em.create(PdfTemplate, {
    accountId,
    kind,
    layout: layout ?? plain.layout,
    paper: paper ?? null,
    columns: [...(columns ?? plain.columns)],
    blocks: [...(blocks ?? plain.blocks)],
    createdAt: systemNow,
    updatedAt: systemNow,
  });
  return stateOf(kind, made);
}

/** Refuses columns and blocks that papers of a kind do not have. */
export function refuseOthers(
  kind: PaperKind,
  { columns = [], blocks = [] }: { [Name in 'columns' | 'blocks']: PdfTemplateFields[Name] | undefined },
): void {
  const parts = partsOfPapers[kind];
  for (const [index, column] of columns.entries())
    if (!parts.columns.includes(column))
      throw new Refusal(
        'parameter_invalid',
        `A paper of the kind ${kind} has no column ${column} that can be left out`,
        `columns[${index}]`,
      );
  for (const [index, block] of blocks.entries())
    if (!parts.blocks.includes(block))
      throw new Refusal('parameter_invalid', `A paper of the kind ${kind} has no block ${block}`, `blocks[${index}]`);
}

/** Returns the papers of a kind to the default. */
export async function deletePdfTemplate(
  em: EntityManager,
  { caller, kind }: { caller: Caller; kind: PaperKind },
): Promise<void> {
  await em.nativeDelete(PdfTemplate, { accountId: caller.account.id, kind });
}
