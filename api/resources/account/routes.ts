import { settingNames } from '../../../billing/settings.ts';
import { updateAccount } from '../../../commands/accounts/accounts.ts';
import { readLogo } from '../../../commands/accounts/logos.ts';
import { seriesOf } from '../../../commands/accounts/numberSeries.ts';
import { lockAccount } from '../../../db/lock.ts';
import { accountsWithPrefixes } from '../../../db/queries/accounts/accounts.ts';
import { condition } from '../../../db/queries/kernel/sql.ts';
import type { Stored } from '../../../db/queries/kernel/tags.ts';
import { Account } from '../../../db/schema/account.ts';
import { presentAccount } from '../../../present/accounts/account.ts';
import type { ApiRequest } from '../../framework/apiRequest.ts';
import { SignInAgain } from '../../framework/errors.ts';
import type { PresentedKind } from '../../framework/kind.ts';
import { type Route, reply, withBody } from '../../framework/route.ts';
import { presentedRelation } from '../../reading/expand.ts';
import { expandAnswer } from '../../reading/expandAnswer.ts';
import { write } from '../../writing/write.ts';
import { files } from '../files.ts';
import { portalChangesSent } from '../portalChanges.ts';
import { account, accountChange, bankDetailsOf } from './fields.ts';

const kind: PresentedKind = { shape: account, relations: { logo: presentedRelation(() => files, 'logo') } };

const stored = ({ caller: { account } }: ApiRequest): Stored => ({
  accountId: account.id,
  row: Account,
  from: accountsWithPrefixes,
  where: condition('true'),
  lock: async (em) => {
    await lockAccount(em, account.id, 'no key update');
  },
});

export const accountRoutes: Route[] = [
  {
    method: 'GET',
    path: '/account',
    operationId: 'readAccount',
    permission: 'settings.read',
    summary: 'Read your business and its settings',
    answer: { statusCode: 200, kind },
    stored,
    handle: async (request) => {
      const { em, caller } = request;
      const shown = presentAccount({ account: caller.account, series: await seriesOf(em, caller.account.id) });
      return reply(200, await expandAnswer(em, request, shown));
    },
  },
  withBody({
    method: 'PATCH',
    path: '/account',
    operationId: 'updateAccount',
    permission: 'settings.write',
    summary: 'Change your business or its settings',
    body: accountChange,
    example: { name: 'Acme', payment_terms: 'NET 14' },
    answer: { statusCode: 200, kind },
    handle: async (request, body) => {
      const isProtected = body.bank_details !== undefined || Reflect.get(body, 'require_second_factor') !== undefined;
      if (!request.isFresh && isProtected) throw new SignInAgain();
      const { name, email, address1, address2, city, state, country, language, currency } = body;
      const settings = Object.fromEntries(settingNames.map((setting) => [setting, Reflect.get(body, setting)]));
      const seller = {
        name,
        email,
        address1,
        address2,
        city,
        state,
        country,
        language,
        currency,
        postalCode: body.postal_code,
        taxId: body.tax_id,
        taxIdKind: body.tax_id_kind,
        taxIdCountry: body.tax_id_country,
        replyTo: body.reply_to,
        bankDetails: body.bank_details === null ? null : bankDetailsOf(body.bank_details),
        paymentReference: body.payment_reference,
        footer: body.footer,
        smallBusinessNote: body.small_business_note,
        exemptionNote: body.exemption_note,
        accentColor: body.accent_color,
        timeZone: body.time_zone,
      };
      const numbering = body.numbering ?? undefined;
      const { em, deps, caller: asking } = request;
      const { logo: fileId, gl_mapping: glMapping, books_closed_through: closedThrough } = body;
      const key = { accountId: asking.account.id, fileId: fileId ?? 0 };
      const logo = key.fileId === 0 ? null : await readLogo({ em, fileStore: deps.fileStore }, key);
      return write(request, {
        statusCode: 200,
        command: (em, caller, systemNow) =>
          updateAccount(
            em,
            {
              caller,
              seller,
              settings,
              books: { glMapping, closedThrough },
              numbering,
              portalChanges: portalChangesSent(body.portal_changes),
              logo: fileId === undefined ? undefined : logo,
            },
            systemNow,
          ),
        before: async (em) =>
          presentAccount({ account: asking.account, series: await seriesOf(em, asking.account.id) }),
        present: presentAccount,
      });
    },
  }),
];
