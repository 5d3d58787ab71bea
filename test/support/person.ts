/** A page in a person's browser. `left`: the URL outside the product to which the browser was redirected. */
export interface Screen {
  url: URL;
  status: number;
  text: string;
  headers: Headers;
  left: URL | null;
}

export interface Person {
  open(url: string | URL): Promise<Screen>;
  /** Sends the form of `screen` whose action ends with `action`: its hidden fields and `fields`. */
  send(screen: Screen, action: string, fields?: Record<string, string>): Promise<Screen>;
  /** Sends a form without opening its page. */
  post(url: string, fields: Record<string, string>, headers?: Record<string, string>): Promise<Screen>;
  cookies: Map<string, string>;
}

/** A person with a browser without scripts. It keeps cookies and follows redirects within the product. */
export function createPerson({ deps, origin }: { deps: { publicUrl: string }; origin: string }): Person {
  const cookies = new Map<string, string>();
  const visit = async (url: URL, init: RequestInit = {}): Promise<Screen> => {
    if (url.origin !== deps.publicUrl) return { url, status: 0, text: '', headers: new Headers(), left: url };
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const target = `${origin}${url.pathname}${url.search}`;
    const response = await fetch(target, { ...init, headers: { ...init.headers, cookie }, redirect: 'manual' });
    for (const line of response.headers.getSetCookie()) keep(line);
    const location = response.headers.get('Location');
    if (location !== null) return visit(new URL(location, url));
    return { url, status: response.status, text: await response.text(), headers: response.headers, left: null };
  };
  const keep = (line: string) => {
    const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
    if (value === '') cookies.delete(name);
    else cookies.set(name, value);
  };
  const post = (url: string | URL, fields: Record<string, string>, headers = {}) =>
    visit(new URL(url, deps.publicUrl), { method: 'POST', body: new URLSearchParams(fields), headers });
  return {
    cookies,
    post,
    open: (url) => visit(new URL(url, deps.publicUrl)),
    send: (screen, action, fields = {}) => {
      const forms = [...screen.text.matchAll(/<form method="post" action="([^"]*)"[^>]*>([\s\S]*?)<\/form>/g)];
      const form = forms.find(([, to]) => to?.split('?')[0]?.endsWith(action));
      if (!form) throw new Error(`no form to ${action} on ${screen.url}: ${screen.text}`);
      return post(new URL((form[1] ?? '').replaceAll('&amp;', '&'), screen.url), {
        ...hiddenFields(form[2] ?? ''),
        ...fields,
      });
    },
  };
}

function hiddenFields(form: string): Record<string, string> {
  const inputs = [...form.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)"/g)];
  return Object.fromEntries(inputs.map(([, name = '', value = '']) => [name, value.replaceAll('&amp;', '&')]));
}
