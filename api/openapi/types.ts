import type { Json, Presented } from '../../billing/json.ts';
import type { JsonSchema } from '../body/documented.ts';

export type Ref = { $ref: string };

export type Parameter = {
  name: string;
  in: 'path' | 'query' | 'header';
  description: string;
  required: boolean;
  schema: JsonSchema;
  style?: 'deepObject';
  explode?: boolean;
};

export type Media = { schema: JsonSchema; examples?: Record<string, { value: Json }>; encoding?: Presented };

export type Response = { description: string; headers: Record<string, Ref>; content?: Record<string, Media> };

export type Operation = {
  operationId: string;
  tags: string[];
  summary: string;
  /** What a caller must hold, such as `documents.write`; null: nothing. */
  'x-permission': string | null;
  parameters: (Parameter | Ref)[];
  requestBody?: { required: boolean; content: Record<string, Media> };
  responses: Record<string, Response | Ref>;
  security: Record<string, string[]>[];
};

/** An OpenAPI 3.1 document. Only the parts that are used here. */
export type OpenApi = {
  openapi: string;
  info: { title: string; version: string; description: string; license: { name: string; identifier: string } };
  servers: { url: string; description: string }[];
  tags: { name: string; description: string }[];
  /** Operations, by path and then by lower-case method. */
  paths: Record<string, Record<string, Operation>>;
  webhooks: Presented;
  components: {
    schemas: Record<string, JsonSchema>;
    responses: Record<string, Response>;
    parameters: Record<string, Parameter>;
    headers: Presented;
    securitySchemes: Presented;
  };
};
