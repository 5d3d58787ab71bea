import { randomBytes, timingSafeEqual } from 'node:crypto';
import { Refusal } from '../../../billing/refusal.ts';
import { hashSecret } from '../../../commands/kernel/secrets.ts';
import { refuseNulInBody } from '../../body/nul.ts';
import { bodyReader } from '../../limits/receiving.ts';
import { hidden } from '../kit/forms.ts';
import type { Html } from '../kit/html.ts';
import { cookieNames, isSecure, type PageContext, type Site } from './place.ts';

/** The form does not come from our pages in the same browser: the CSRF check failed. */
export class ForeignForm extends Error {
  override readonly name = 'ForeignForm';
}

export type Form = Readonly<Record<string, string>>;

const TOKEN_BYTES = 24;
const TOKEN_FIELD = 'form_token';

/** The hidden field with the CSRF token. A cookie holds the same secret. */
export function formToken(site: Site, ctx: PageContext): Html {
  const { form } = cookieNames(site.place);
  let token = ctx.cookies.get(form);
  if (!token) {
    token = randomBytes(TOKEN_BYTES).toString('base64url');
    ctx.cookies.secure = isSecure(site);
    ctx.cookies.set(form, token, { httpOnly: true, sameSite: 'lax', path: `${site.place.prefix}/oauth` });
  }
  return hidden(TOKEN_FIELD, token);
}

/** Throws a Refusal for a form that is too large, deep or malformed. Our pages never send one. */
const readBody = bodyReader({
  urlencoded: true,
  formLimit: '64kb',
  onError: (error) => {
    throw new Refusal('body_invalid', `The form could not be read: ${error.message}`);
  },
});

/** Reads a form of our pages. Throws ForeignForm when the CSRF check fails, and a Refusal for a null character. */
export async function readForm(site: Site, ctx: PageContext): Promise<Form> {
  const origin = ctx.get('Origin');
  if (origin !== '' && origin !== new URL(site.deps.publicUrl).origin)
    throw new ForeignForm('The form came from elsewhere');
  if (ctx.is('urlencoded') === false) throw new ForeignForm('The form could not be read');
  const body = await readBody(ctx);
  const fields = Object.entries(typeof body === 'object' && body !== null ? body : {});
  const form = Object.fromEntries(fields.map(([name, value]) => [name, typeof value === 'string' ? value : '']));
  refuseNulInBody(form);
  const cookie = ctx.cookies.get(cookieNames(site.place).form);
  if (!cookie || !isSame(cookie, form[TOKEN_FIELD] ?? '')) throw new ForeignForm('The form has expired');
  return form;
}

function isSame(one: string, other: string): boolean {
  return timingSafeEqual(Buffer.from(hashSecret(one)), Buffer.from(hashSecret(other)));
}
