import { mimeType } from '../../../billing/fileName.ts';
import * as fields from '../../body/fields.ts';
import { readText, unfit } from '../../body/readers.ts';
import { object } from '../../body/request.ts';

const MOST_BYTES = 2_147_483_647;
const MOST_CHARACTERS = 2048;

/** An http or https URL: customers see it as a link. */
const webUrl = fields.field(
  (value) => {
    const text = readText(value, MOST_CHARACTERS);
    const url = URL.canParse(text) ? new URL(text) : null;
    if (url === null || !/^https?:$/.test(url.protocol))
      return unfit('must be a URL that begins with https:// or http://');
    // A parser of URLs drops tabs and line ends, so that what customers see would be another address.
    if (/\p{Cc}/u.test(text)) return unfit('must not contain control characters');
    return url.username || url.password ? unfit('must not contain a user name or password') : text;
  },
  { type: 'string', maxLength: MOST_CHARACTERS, pattern: '^[Hh][Tt][Tt][Pp][Ss]?://' },
);

const type = fields.field(
  (value) => {
    const text = readText(value, 255);
    return mimeType(text) ?? unfit(`must be a MIME type, such as application/pdf: ${text}`);
  },
  { type: 'string', maxLength: 255 },
);

/** A file that is stored elsewhere. Uploads come as `multipart/form-data`. */
export const newFile = object(
  {
    url: fields.required(webUrl),
    name: fields.required(fields.name),
    size: fields.wholeNumber(0, MOST_BYTES),
    type,
  },
  { readOnly: ['id', 'object', 'created_at', 'updated_at'] },
);
