import { VERSIONS } from '../../../commands/kernel/version.ts';
import type { OpenApi } from '../../openapi/types.ts';
import { type Html, html } from '../kit/html.ts';
import { codeBlock, jsonHtml, sentence } from './html.ts';

/** A chapter of the reference about all operations: its text, and an example. */
export interface Chapter {
  title: string;
  text: Html;
  shown: Html;
}

/** The chapters that apply to all operations. */
export function chaptersOf(api: OpenApi): Chapter[] {
  const [live = '', sandbox = ''] = api.servers.map(({ url }) => url);
  return [
    {
      title: 'Authentication',
      text: html`${p('Send an API key as the user name of HTTP Basic authentication, with an empty password. A key belongs to one account in one environment, and `read` keys may only `GET`.')}
<p>Live: <code>${live}</code><br>Sandbox: <code>${sandbox}</code></p>
${p('In the sandbox no money moves: the `test` gateway plays the bank, and `tok_4242424242424242` is a card that always pays.')}
${p('Applications of others use OAuth 2 (authorization code) and send `Authorization: Bearer <token>`; the scopes are `read` and `read_write`.')}`,
      shown: codeBlock('With a key', `curl ${sandbox}/account \\\n  -u "$KEY:"`),
    },
    {
      title: 'Requests',
      text: html`${p('Bodies are JSON, or forms (`items[0][quantity]=2`), of at most 4 MiB; JSON may have 100,000 values and 32 levels, a form 50,000 fields. An empty text is `null`. Unknown fields are refused, with the nearest known name; computed fields of a response may be sent back and are ignored; those fixed at creation, such as the price of an item, may be sent back as they are, and any other value is refused.')}
${p('Fields that are not required may be absent or null. `PATCH`: what is absent stays, `null` clears, lists and `metadata` are replaced as a whole. Where an id is asked, its object will do. Times are UNIX times in seconds; amounts are numbers of at most 15 significant digits, never texts.')}`,
      shown: codeBlock(
        'A form',
        `curl ${sandbox}/invoices -u "$KEY:" \\\n  -d customer=1 \\\n  -d "items[0][name]=Support hour" \\\n  -d "items[0][unit_cost]=120"`,
      ),
    },
    {
      title: 'Errors',
      text: html`${p('Statuses are 200, 201 and 204 for success; every other answer has a body with `type` (`invalid_request`, or `api` where the fault is ours), `message`, and `param` where one field or parameter is to blame: `items[0][unit_cost]`.')}
<dl class="fields">${failureRows(api)}</dl>`,
      shown: codeBlock('400', jsonHtml(exampleOf(api, 'BadRequest'))),
    },
    {
      title: 'Idempotency',
      text: p(
        'Give any `POST`, `PATCH`, `PUT` or `DELETE` an `Idempotency-Key` of up to 255 characters, and it has its effect once, however often it is sent within 30 days. A repetition is answered as the first time, with `Idempotent-Replayed: true`; the same key with another request is refused. Requests are the same when method, path, query and the values of the body are: the order of fields does not matter, and `7` is `7.0`. What failed with 4xx or 5xx and changed nothing may be sent again with the same key.',
      ),
      shown: codeBlock(
        'Once and only once',
        `curl ${sandbox}/payments -u "$KEY:" \\\n  -H "Idempotency-Key: check-1054" \\\n  -d customer=1 -d amount=240`,
      ),
    },
    ...more(sandbox),
  ];
}

function more(sandbox: string): Chapter[] {
  return [
    {
      title: 'Pagination',
      text: html`${p('Lists are JSON arrays of at most `per_page` objects (100, the most, unless you say so). `X-Total-Count` counts all of them, and `Link` leads to the `first`, `previous`, `next` and `last` page. Follow these links rather than counting pages: they see every object once, whatever comes and goes meanwhile (where they would be longer than 14,000 characters together, because a list is sorted by long texts, they count pages too). There is a `next` only where there is more.')}
${p('`sort=date desc,id asc` orders, `filter[status]=paid` restricts to exact values. The query of a list may have 2,400 characters, percent-encoded.')}`,
      shown: codeBlock(
        'Link',
        `Link: <${sandbox}/invoices?page=2&per_page=100&cursor=…>; rel="next", …\nX-Total-Count: 1204`,
      ),
    },
    {
      title: 'Expanding',
      text: p(
        '`expand=customer,subscription.plan` replaces ids by their objects, in answers to reads, lists and writes alike. `include=applied_to` adds a field that is left out otherwise. Names that are not known have no effect.',
      ),
      shown: codeBlock('With its customer', `curl "${sandbox}/invoices/77?expand=customer" -u "$KEY:"`),
    },
    {
      title: 'Rate limits',
      text: p(
        'Each key has 100 requests a second, with bursts of 200, unless the account says otherwise; all keys and tokens of an account together have five times that. `RateLimit-Limit`, `RateLimit-Remaining` and `RateLimit-Reset` are on every answer to a key that is good; they tell the limit with fewer requests left. Beyond it, and where an object is busy for too long, the answer is 429: wait as many seconds as `Retry-After` says.',
      ),
      shown: codeBlock('Headers', 'RateLimit-Limit: 200\nRateLimit-Remaining: 187\nRateLimit-Reset: 1'),
    },
    {
      title: 'Versions',
      text: p(
        `Versions are dates: ${VERSIONS.map((version) => `\`${version}\``).join(', ')}. An account keeps the one it began with; \`Api-Version\` asks for another, request by request. A webhook endpoint has a version of its own. This page describes the newest.`,
      ),
      shown: codeBlock('Another version', `curl ${sandbox}/invoices -u "$KEY:" \\\n  -H "Api-Version: ${VERSIONS[0]}"`),
    },
    {
      title: 'Webhook signatures',
      text: html`${p('Every delivery is a `POST` of an event, signed as Standard Webhooks say: `webhook-id`, `webhook-timestamp` and `webhook-signature`, which is `v1,` and the Base64 of HMAC-SHA256 over `id.timestamp.body`, keyed with the Base64 after `whsec_` of the endpoint’s secret. There may be several signatures, with spaces between: for 24 hours after `POST /webhooks/:id/rotate_secret` the old secret signs beside the new one.')}
${p('Refuse what is older than five minutes, answer 2xx within 15 seconds, and treat `webhook-id` as the name of the event: a delivery may arrive twice. Failed ones are repeated for three days. Events about one object arrive in order; `previous_sequence` tells of a gap. `POST /webhooks/:id/test` sends a `webhook.test` at once; `POST /webhooks/:id/replay` sends events again, with the `webhook-id` that they had.')}`,
      shown: codeBlock(
        'Verify it, in Node',
        `const key = Buffer.from(secret.slice(6), 'base64');\nconst signed = \`\${id}.\${timestamp}.\${body}\`;\nconst expected = createHmac('sha256', key)\n  .update(signed).digest('base64');\n// compare with timingSafeEqual`,
      ),
    },
  ];
}

function p(text: string): Html {
  return html`<p>${sentence(text)}</p>`;
}

function failureRows(api: OpenApi): Html[] {
  const [operation] = Object.values(Object.values(api.paths)[0] ?? {});
  const failures = Object.entries(operation?.responses ?? {}).flatMap(([status, response]) =>
    '$ref' in response ? [[status, response.$ref.split('/').at(-1) ?? ''] as const] : [],
  );
  return failures.map(([status, name]) => {
    const { description = '' } = api.components.responses[name] ?? {};
    return html`<div><dt><code>${status}</code></dt><dd>${sentence(description)}</dd></div>`;
  });
}

function exampleOf(api: OpenApi, name: string): unknown {
  const [example] = Object.values(api.components.responses[name]?.content?.['application/json']?.examples ?? {});
  return example?.value ?? null;
}
