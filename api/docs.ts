import type { Route } from './route.ts';

/** A plain page that lists the endpoints, from their declarations. */
export function docsPage(routes: readonly Route[], publicUrl: string): string {
  const groups = Map.groupBy(routes, (route) => route.path.split('/')[1] ?? '');
  const sections = [...groups].map(([name, members]) => {
    const rows = members.map(
      ({ method, path, summary }) =>
        `<tr><td>${method}</td><td><code>${escapeHtml(path)}</code></td><td>${escapeHtml(summary)}</td></tr>`,
    );
    return `<h2>${escapeHtml(name.replaceAll('_', ' '))}</h2><table>${rows.join('')}</table>`;
  });
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Perennial API</title><style>${style}</style></head><body>
<h1>Perennial API</h1>
<p>Live: <code>${escapeHtml(publicUrl)}/api</code>. Sandbox: <code>${escapeHtml(publicUrl)}/sandbox/api</code>. The API key is the user name of HTTP Basic
authentication, the password is empty. Bodies are JSON or forms; an <code>Idempotency-Key</code> makes any write safe to repeat.</p>
${sections.join('\n')}</body></html>
`;
}

const style =
  'body{font:16px/1.5 system-ui,sans-serif;max-width:52rem;margin:2rem auto;padding:0 1rem;color:#222}h2{margin:2rem 0 .3rem;font-size:1.1rem}' +
  'h2::first-letter{text-transform:uppercase}table{border-collapse:collapse;width:100%}td{padding:.25rem .8rem .25rem 0;border-top:1px solid #ddd;vertical-align:top}' +
  'td:first-child{width:4.5rem}td:nth-child(2){width:24rem}code{font-size:.9em}';

function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}
