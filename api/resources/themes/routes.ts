import type { Presented } from '../../../billing/json.ts';
import { lookOf } from '../../../billing/theme.ts';
import { type ChosenLogo, readLogo } from '../../../commands/accounts/logos.ts';
import { createTheme, deleteTheme, updateTheme } from '../../../commands/catalog/themes.ts';
import type { Theme } from '../../../db/schema/theme.ts';
import { presentTheme } from '../../../present/catalog/theme.ts';
import type { ApiRequest } from '../../framework/apiRequest.ts';
import { pathId, type Route, withBody } from '../../framework/route.ts';
import { listRoute, readRoute } from '../../reading/readRoutes.ts';
import { write } from '../../writing/write.ts';
import { deleteRoute } from '../../writing/writeRoutes.ts';
import { themes } from './resource.ts';
import { fieldsOf, newTheme, themeChange } from './schema.ts';

const path = '/themes';

function presentFor({ caller }: ApiRequest): (theme: Theme) => Presented {
  return (theme) => presentTheme(theme, caller.account.accentColor ?? null);
}

/** The chosen file, read before the transaction, because the file store is remote. */
function readChosen({ em, deps, caller }: ApiRequest, fileId: number): Promise<ChosenLogo> {
  return readLogo({ em, fileStore: deps.fileStore }, { accountId: caller.account.id, fileId });
}

export const themeRoutes: Route[] = [
  withBody({
    method: 'POST',
    path,
    operationId: 'createTheme',
    summary: 'Create a theme; a new default takes the place of the one before',
    body: newTheme,
    example: { name: 'Brand of 2027', accent_color: '#7c2d12', corners: 'square' },
    answer: { statusCode: 201, kind: themes },
    handle: async (request, body) => {
      const logo = body.logo ? await readChosen(request, body.logo) : null;
      const { name, default: isDefault, footer = null } = body;
      const fields = {
        ...lookOf({ ...fieldsOf(body), font: body.font, corners: body.corners }),
        name,
        isDefault,
        footer,
      };
      return write(request, {
        statusCode: 201,
        command: (em, caller, now) => createTheme(em, { caller, fields, logo }, now),
        present: presentFor(request),
      });
    },
  }),
  listRoute({ path, resource: themes, summary: 'List themes' }),
  readRoute({ path, resource: themes, summary: 'Read a theme' }),
  withBody({
    method: 'PATCH',
    path: `${path}/:id`,
    operationId: 'updateTheme',
    summary: 'Change a theme, for papers that are issued later, receipts, statements and mails',
    body: themeChange,
    example: { accent_color: '#14532d' },
    answer: { statusCode: 200, kind: themes },
    handle: async (request, body) => {
      const id = pathId(request, themes.name);
      const logo = body.logo ? await readChosen(request, body.logo) : body.logo === null ? null : undefined;
      return write(request, {
        statusCode: 200,
        command: (em, caller, now) => updateTheme(em, { caller, id, fields: fieldsOf(body), logo }, now),
        present: presentFor(request),
      });
    },
  }),
  deleteRoute({
    path,
    resource: themes,
    summary: 'Delete a theme that is not the default and that no customer has; issued documents keep its look',
    command: deleteTheme,
  }),
];
