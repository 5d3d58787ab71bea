import { randomBytes } from 'node:crypto';
import { type PaperKind, type PdfTemplateFields, paperKinds, plainTemplate } from '../../billing/look/pdfTemplate.ts';
import { nearest } from '../../billing/money/nearest.ts';
import { cut, Refusal } from '../../billing/refusal.ts';
import { lockCountOf } from '../../db/lock.ts';
import type { EntityManager } from '../../db/orm.ts';
import { customerWithPdfTemplate } from '../../db/queries/catalog/templates.ts';
import { NamedPdfTemplate } from '../../db/schema/templates.ts';
import type { Caller } from '../kernel/caller.ts';
import { assignChanges } from '../kernel/changes.ts';
import { type ChangedLook, type PdfTemplateState, refuseOthers, templateOf } from './pdfTemplates.ts';

/** Most further PDF templates of an account. */
const MOST_TEMPLATES = 100;

/** A further template as it prints. */
export function stateOfNamed(row: NamedPdfTemplate): PdfTemplateState {
  const { code, name, kind, layout, paper = null, columns, blocks, updatedAt } = row;
  return { ...templateOf(kind, { layout, paper, columns, blocks }), code, name, kind, updatedAt };
}

/** The further template with this code; null: there is none. */
export function findNamedPdf(em: EntityManager, accountId: number, code: string): Promise<NamedPdfTemplate | null> {
  return em.findOne(NamedPdfTemplate, { accountId, code });
}

/** All further templates of an account, the oldest first. */
export async function namedPdfTemplates(em: EntityManager, accountId: number): Promise<PdfTemplateState[]> {
  return (await em.find(NamedPdfTemplate, { accountId }, { orderBy: { id: 'asc' } })).map(stateOfNamed);
}

export interface NewPdfTemplate {
  caller: Caller;
  /** Null: one is generated. */
  id: string | null;
  name: string;
  kind: PaperKind;
  fields: ChangedLook;
}

/** Creates a further template for a kind of paper. Refuses an id that is taken, and columns and blocks that the kind does not have. */
export async function createPdfTemplate(
  em: EntityManager,
  { caller, id, name, kind, fields }: NewPdfTemplate,
  systemNow: Date,
): Promise<PdfTemplateState> {
  const accountId = caller.account.id;
  refuseOthers(kind, fields);
  await lockCountOf(em, 'pdf_template', accountId);
  const code = id ?? `pdf_template_${randomBytes(8).toString('hex')}`;
  if (paperKinds.some((one) => one === code))
    throw new Refusal('already_taken', `${code} is built in: change it by PATCH /pdf_templates/${code}`, 'id');
  if (await findNamedPdf(em, accountId, code)) throw new Refusal('already_taken', `Id is taken: ${code}`, 'id');
  if ((await em.count(NamedPdfTemplate, { accountId })) >= MOST_TEMPLATES)
    throw new Refusal('limit_exceeded', `An account has at most ${MOST_TEMPLATES} further PDF templates`);
  const plain = plainTemplate(kind);
  const row = em.create(NamedPdfTemplate, {
    accountId,
    code,
    name,
    kind,
    layout: fields.layout ?? plain.layout,
    paper: fields.paper ?? null,
    columns: [...(fields.columns ?? plain.columns)],
    blocks: [...(fields.blocks ?? plain.blocks)],
    createdAt: systemNow,
    updatedAt: systemNow,
  });
  return stateOfNamed(row);
}

/** Changes a further template, for papers whose content has no PDF yet. Refuses columns and blocks that its kind does not have. */
export async function updateNamedPdf(
  em: EntityManager,
  { row, name, fields }: { row: NamedPdfTemplate; name: string | undefined; fields: ChangedLook },
  systemNow: Date,
): Promise<PdfTemplateState> {
  refuseOthers(row.kind, fields);
  await lockCountOf(em, 'pdf_template', row.accountId);
  const { layout, paper, columns, blocks } = fields;
  const change = { name, layout, paper, columns: columns && [...columns], blocks: blocks && [...blocks] };
  if (assignChanges(row, change)) row.updatedAt = systemNow;
  return stateOfNamed(row);
}

/** Deletes a further template. Refuses one that a customer names. */
export async function deleteNamedPdf(em: EntityManager, row: NamedPdfTemplate): Promise<void> {
  const { accountId, code } = row;
  await lockCountOf(em, 'pdf_template', accountId);
  const customer = await customerWithPdfTemplate(em, accountId, code);
  if (customer !== null) throw new Refusal('in_use', `Customer ${customer} has the PDF template: change it first`);
  em.remove(row);
}

/** The codes of the templates that a customer names. Refuses unknown ones, and a second one of a kind. */
export async function checkNamedPdfs(
  em: EntityManager,
  accountId: number,
  codes: readonly string[],
): Promise<string[]> {
  if (codes.length === 0) return [];
  await lockCountOf(em, 'pdf_template', accountId);
  const known = await em.find(NamedPdfTemplate, { accountId });
  const kinds = new Map<PaperKind, string>();
  for (const [index, code] of codes.entries()) {
    const param = `pdf_templates[${index}]`;
    const found = known.find((one) => one.code === code);
    if (!found) {
      const close = nearest(
        code,
        known.map((one) => one.code),
      );
      throw new Refusal(
        'resource_missing',
        `PDF template was not found: ${cut(code)}${close ? `; did you mean ${close}?` : ''}`,
        param,
      );
    }
    const before = kinds.get(found.kind);
    if (before !== undefined)
      throw new Refusal('parameter_invalid', `${before} and ${code} are both of the kind ${found.kind}`, param);
    kinds.set(found.kind, code);
  }
  return [...codes];
}

/** How a customer's papers of a kind look by its own template, or null if it names none for this kind. */
export async function namedPdfOf(
  em: EntityManager,
  { accountId, codes, kind }: { accountId: number; codes: readonly string[]; kind: PaperKind },
): Promise<PdfTemplateFields | null> {
  const row =
    codes.length === 0 ? null : await em.findOne(NamedPdfTemplate, { accountId, code: { $in: [...codes] }, kind });
  return row && stateOfNamed(row);
}
