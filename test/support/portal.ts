import type { TestApi } from './api.ts';
import { createPerson, type Person, type Screen } from './person.ts';
import { until } from './wait.ts';

/** The mailed links that sign in to the portal of an account, oldest first. */
export async function mailedLinks(api: TestApi, accountId: number): Promise<string[]> {
  const sql = `select text from email where account_id = ? and template = 'portal_sign_in_email' order by id`;
  const mails = await api.em.fork().execute<{ text: string }[]>(sql, [accountId]);
  return mails.map(({ text }) => /https?:\/\/\S+\/sign_in\/\S+/.exec(text)?.[0] ?? '');
}

/** Asks for a link with an address. Returns the answer; `link` waits for the mail. */
export async function askForLink(
  api: TestApi,
  { accountId, email, returnTo = '' }: { accountId: number; email: string; returnTo?: string },
): Promise<{ person: Person; screen: Screen; link: () => Promise<string> }> {
  const person = createPerson(api);
  const before = (await mailedLinks(api, accountId)).length;
  const page = await person.open(`/portal/${accountId}/sign_in?return_to=${encodeURIComponent(returnTo)}`);
  const screen = await person.send(page, '/sign_in', { email });
  const link = async () => {
    const links = await until(
      async () => {
        const all = await mailedLinks(api, accountId);
        return all.length > before ? all : null;
      },
      { what: 'the mail with the link' },
    );
    return links.at(-1) ?? '';
  };
  return { person, screen, link };
}

/** Signs somebody in to the portal of an account by mail. Returns the page that it comes to. */
export async function signInToPortal(
  api: TestApi,
  asked: { accountId: number; email: string; returnTo?: string },
): Promise<{ person: Person; screen: Screen }> {
  const { person, link } = await askForLink(api, asked);
  const page = await person.open(await link());
  return { person, screen: await person.send(page, new URL(page.url).pathname) };
}

/** The texts of a page, without marks of direction. */
export function seen({ text }: Pick<Screen, 'text'>): string {
  const body = text.replace(/<style>[\s\S]*<\/style>/, '').replace(/<[^>]+>/g, ' ');
  return body.replace(/[\u2068\u2069]/g, '').replace(/\s+/g, ' ');
}
