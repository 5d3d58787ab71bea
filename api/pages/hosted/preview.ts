import type { PreviewPages } from '../../framework/previewPages.ts';
import { inactiveMail, inactivePage } from '../kit/inactive.ts';
import { shownPage } from './shownPage.ts';

/** The address of a page that is only shown. */
const NOWHERE = '#';

/** The pages and mails that the API shows in previews. */
export const previewPages: PreviewPages = {
  ofDocument: async (opened) => inactivePage(await shownPage({ opened, path: NOWHERE, refused: null })),
  ofMail: inactiveMail,
};
