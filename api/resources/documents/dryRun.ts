import type { DocumentType } from '../../../billing/documents/document.ts';
import type { Presented } from '../../../billing/json.ts';
import { findPrintable } from '../../../commands/documents/printing.ts';
import type { Caller } from '../../../commands/kernel/caller.ts';
import type { PrintedDocument } from '../../../present/printed/document.ts';
import { templated } from '../../../present/printed/template.ts';
import type { ApiRequest } from '../../framework/apiRequest.ts';
import * as shown from '../../framework/shape.ts';
import type { DryRun } from '../../writing/dryRun.ts';

const picture = shown.value('DocumentPicture', 'Picture of the pages of a document', {
  svg: shown.text('All pages, one below the other, as SVG', '<svg viewBox="0 0 612 792">…</svg>'),
  pages: shown.integer('Number of pages', 1),
});

/** How documents of a type are tried. */
interface TriedDocument<Result> {
  type: Exclude<DocumentType, 'payment'>;
  shape: shown.ObjectShape;
  /** The document without what does not exist: its number, its addresses, and ids. */
  present(result: Result): Presented;
  idOf(result: Result): number;
}

/** The dry run of routes that create or change documents of a type: the whole document with its totals, and a picture of its pages. */
export function dryRunOfDocument<Result>({
  type,
  shape,
  present,
  idOf,
}: TriedDocument<Result>): DryRun<{ caller: Caller; request: ApiRequest }, Result> {
  const answered = shown.value(
    `${shape.name.replace('Upcoming', '')}DryRun`,
    `${shape.description}; nothing is stored`,
    {
      [type]: shown.one(shape, 'Document as the request would leave it'),
      picture: shown.nullable(
        shown.one(
          picture,
          'Picture of its pages; null: the request did not ask for it, or it has more than 60 pages or 12 MB',
        ),
      ),
    },
  );
  return {
    kind: { shape: answered },
    isCounted: false,
    hasPicture: true,
    answer: async (em, { input, isPictured, change }, systemNow) => {
      const { caller, request } = input;
      const { result } = await change();
      const document = present(result);
      if (!isPictured) return { [type]: document, picture: null };
      const named = { account: caller.account, type, id: idOf(result) };
      const printable = await findPrintable(em, named, systemNow);
      const paper = printable && templated(await printable.print(), printable.pdfTemplate);
      return async () => ({
        [type]: document,
        picture: paper && (await pictureOf(request, paper)),
      });
    },
  };
}

/** The picture of a paper; null: it would be too large. */
async function pictureOf({ deps, caller }: ApiRequest, paper: PrintedDocument): Promise<Presented | null> {
  const drawn = await deps.pdf.draw(paper, caller.account.id);
  return drawn && { ...drawn };
}
