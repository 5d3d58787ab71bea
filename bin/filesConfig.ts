import type { S3Options } from '../adapters/files/s3.ts';
import { ConfigError } from './configError.ts';
import type { Variables } from './variables.ts';

/** Where files are stored. */
export type FilesConfig = { folder: string } | { s3: S3Options };

/** A bucket if one is named, otherwise a folder. */
export function filesConfig(read: Variables, folder: string): FilesConfig {
  const { S3_BUCKET: bucket, S3_REGION: region, S3_ACCESS_KEY_ID: accessKeyId } = read;
  if (!bucket) return { folder };
  const { S3_SECRET_ACCESS_KEY: secretAccessKey } = read;
  if (!accessKeyId || !secretAccessKey)
    throw new ConfigError('S3_BUCKET needs S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY');
  const endpoint = read.S3_ENDPOINT ?? `https://s3.${region}.amazonaws.com`;
  return { s3: { bucket, region, endpoint, accessKeyId, secretAccessKey } };
}
