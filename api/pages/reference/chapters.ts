import { VERSIONS } from '../../../commands/kernel/caller.ts';
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
      text: html`${p('Send an API key as the user name of HTTP Basic authentication, with an empty password. A key belongs to one account in one environment. A key with the scope `read` may only send `GET` requests.')}
<p>Live: <code>${live}</code><br>Sandbox: <code>${sandbox}</code></p>
${p('In the sandbox no money moves: the `test` gateway plays the bank, and `tok_4242424242424242` is a card whose charges always succeed.')}
${p('Third-party applications use OAuth 2 (authorization code) and send `Authorization: Bearer <token>`. The scopes are `read` and `read_write`.')}`,
      shown: codeBlock('With a key', `curl ${sandbox}/account \\\n  -u "$KEY:"`),
    },
    {
      title: 'Requests',
      text: html`${p('A body is JSON or a form (`items[0][quantity]=2`) of at most 4 MiB. JSON may have 100,000 values and 32 levels, a form 50,000 fields. Unknown fields are refused with a suggestion. Responses can be sent back: read-only fields are ignored, and fields that are fixed at creation, such as the price of an item, are accepted only with their current value.')}
${p('Optional fields may be absent or `null`; an empty text means `null`. In a `PATCH`, absent fields stay, `null` clears a field, and lists and `metadata` are replaced completely. An id may also be sent as its object. Times are UNIX times in seconds. Amounts are numbers in major currency units with at most 15 significant digits; in JSON, text is refused.')}`,
      shown: codeBlock(
        'A form',
        `curl ${sandbox}/invoices -u "$KEY:" \\\n  -d customer=1 \\\n  -d "items[0][name]=Support hour" \\\n  -d "items[0][unit_cost]=120"`,
      ),
    },
    {
      title: 'Errors',
      text: html`${p('The statuses of success are 200, 201 and 204. Every other answer has a body with `type` (`invalid_request`, or `api` for a server error), `message`, and `param` if one field or parameter is wrong: `items[0][unit_cost]`.')}
<dl class="fields">${failureRows(api)}</dl>`,
      shown: codeBlock('400', jsonHtml(exampleOf(api, 'BadRequest'))),
    },
    {
      title: 'Idempotency',
      text: p(
        'Send an `Idempotency-Key` of up to 255 characters with a `POST`, `PATCH`, `PUT` or `DELETE`, and the request takes effect once, however often it is sent within 30 days. A repetition gets the first answer again, with `Idempotent-Replayed: true`. The same key with another request is refused. Two requests are the same if method, path, query and the values of the body are equal: the order of fields does not matter, and `7` equals `7.0`. A request that failed with 4xx or 5xx and changed nothing can be sent again with the same key, and so can a request after its dry run (`dry_run`).',
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
      text: html`${p('A list is a JSON array of up to `per_page` objects (default and maximum: 100). `X-Total-Count` is the number of all objects, and `Link` has the URLs of the `first`, `previous`, `next` and `last` page. Follow these links instead of counting pages: they return every object once, even if objects are added or deleted meanwhile. There is a `next` only if there are more objects. In a list sorted by long texts, links that would exceed 14,000 characters in all use page numbers.')}
${p('`sort=date desc,id asc` sorts, `filter[status]=paid` selects exact values, and operators ranges, sets, words and missing values, where the column takes them: `filter[total][gte]=100`, `filter[status][in]=sent,past_due`. A filter that no index answers is refused with `filter_unbounded`. The query of a list may have 2,400 characters, percent-encoded.')}`,
      shown: codeBlock(
        'Link',
        `Link: <${sandbox}/invoices?page=2&per_page=100&cursor=…>; rel="next", …\nX-Total-Count: 1204`,
      ),
    },
    {
      title: 'Expanding',
      text: p(
        '`expand=customer,subscription.plan` replaces ids by their objects, in answers to reads, lists and writes. `include=applied_to` adds a field that is omitted otherwise. Unknown names are ignored.',
      ),
      shown: codeBlock('With its customer', `curl "${sandbox}/invoices/77?expand=customer" -u "$KEY:"`),
    },
    {
      title: 'Rate limits',
      text: p(
        'By default, each key may send 100 requests per second, and 200 at once after a pause. All keys and tokens of an account together may send five times as much. Every answer to a valid key has `RateLimit-Limit`, `RateLimit-Remaining` and `RateLimit-Reset`, which describe the limit with fewer requests left. Beyond a limit, or if an object is busy for too long, the answer is 429: wait for the number of seconds in `Retry-After`.',
      ),
      shown: codeBlock('Headers', 'RateLimit-Limit: 200\nRateLimit-Remaining: 187\nRateLimit-Reset: 1'),
    },
    {
      title: 'Versions',
      text: p(
        `Versions are dates: ${VERSIONS.map((version) => `\`${version}\``).join(', ')}. An account keeps the version that it was created with; \`Api-Version\` selects another one for a single request. A webhook endpoint has its own version. This page describes the newest version.`,
      ),
      shown: codeBlock('Another version', `curl ${sandbox}/invoices -u "$KEY:" \\\n  -H "Api-Version: ${VERSIONS[0]}"`),
    },
    {
      title: 'Webhook signatures',
      text: html`${p('Every delivery is a `POST` of an event, signed according to Standard Webhooks, with the headers `webhook-id`, `webhook-timestamp` and `webhook-signature`. The signature is `v1,` and the Base64 of HMAC-SHA256 over `id.timestamp.body`. Its key is the decoded Base64 after `whsec_` of the endpoint’s secret. There may be several signatures, separated by spaces: for 24 hours after `POST /webhooks/:id/rotate_secret` the old secret signs too.')}
${p('Refuse requests that are older than five minutes, answer 2xx within 15 seconds, and recognize repeated events by `webhook-id`: a delivery may arrive twice. Failed deliveries are retried for three days. Events about one object arrive in order, and `previous_sequence` reveals a gap. `POST /webhooks/:id/test` sends a `webhook.test` event at once. `POST /webhooks/:id/replay` sends events again, with their original `webhook-id`.')}`,
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
