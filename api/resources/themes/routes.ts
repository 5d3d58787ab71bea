import type { Presented } from '../../../billing/json.ts';
import { lookOf } from '../../../billing/look/theme.ts';
import { createTheme, deleteTheme, updateTheme } from '../../../commands/catalog/themes.ts';
import type { Theme } from '../../../db/schema/theme.ts';
import { presentTheme } from '../../../present/catalog/templates.ts';
import type { ApiRequest } from '../../framework/apiRequest.ts';
import { pathId, type Route, withBody } from '../../framework/route.ts';
import { listRoute, readRoute } from '../../reading/readRoutes.ts';
import { write } from '../../writing/write.ts';
import { deleteRoute } from '../../writing/writeRoutes.ts';
import { chosenLogo, previewTheme } from './previewing.ts';
import { fieldsOf, newTheme, themeChange, themePreview, themePreviewing, themes } from './resource.ts';

const path = '/themes';

function presentFor({ caller }: ApiRequest): (theme: Theme) => Presented {
  return (theme) => presentTheme(theme, caller.account.accentColor ?? null);
}

export const themeRoutes: Route[] = [
  withBody({
    method: 'POST',
    path,
    operationId: 'createTheme',
    permission: 'settings.write',
    summary: 'Create a theme; a new default takes the place of the one before',
    body: newTheme,
    example: { name: 'Brand of 2027', accent_color: '#7c2d12', corners: 'square' },
    answer: { statusCode: 201, kind: themes },
    handle: async (request, body) => {
      const logo = (await chosenLogo(request, body.logo)) ?? null;
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
    permission: 'settings.write',
    summary: 'Change a theme, for papers that are issued later, receipts, statements and mails',
    body: themeChange,
    example: { accent_color: '#14532d' },
    answer: { statusCode: 200, kind: themes },
    handle: async (request, body) => {
      const id = pathId(request, themes.name);
      const logo = await chosenLogo(request, body.logo);
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
  withBody({
    method: 'POST',
    path: `${path}/:id/preview`,
    operationId: 'previewTheme',
    permission: 'settings.read',
    summary: 'Preview page, mail and PDF of a document with a theme, also with fields that are not saved',
    body: themePreviewing,
    example: { accent_color: '#14532d', corners: 'square' },
    bodyShape: themes.shape,
    media: ['pdf'],
    answer: { statusCode: 200, kind: { shape: themePreview } },
    storesNothing: true,
    handle: previewTheme,
  }),
];
