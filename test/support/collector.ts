import { createServer } from 'node:http';
import generated from '@opentelemetry/otlp-transformer/build/src/generated/root.js';
import { z } from 'zod';
import { listen, portOf } from './listen.ts';

const shape = z.object({
  resourceSpans: z.array(
    z.object({
      scopeSpans: z.array(
        z.object({
          spans: z.array(
            z.object({
              traceId: z.instanceof(Uint8Array),
              spanId: z.instanceof(Uint8Array),
              parentSpanId: z.instanceof(Uint8Array).nullish(),
              name: z.string(),
              attributes: z.array(z.object({ key: z.string(), value: z.looseObject({}) })).default([]),
            }),
          ),
        }),
      ),
    }),
  ),
});

/** A span. Ids are hexadecimal; `parent` is empty for the first one of a trace. */
export interface CollectedSpan {
  trace: string;
  id: string;
  parent: string;
  name: string;
  attributes: Record<string, unknown>;
}

export interface Collector {
  url: string;
  spans: readonly CollectedSpan[];
  close(): Promise<void>;
}

/** The types of the exporter's messages describe a class, but the module is a tree of namespaces. */
const { v1: messages } = (generated as unknown as Messages).opentelemetry.proto.collector.trace;

interface Messages {
  opentelemetry: {
    proto: {
      collector: { trace: { v1: { ExportTraceServiceRequest: { decode(bytes: Uint8Array): unknown } } } };
    };
  };
}

const hex = (bytes: Uint8Array | null) => Buffer.from(bytes ?? []).toString('hex');

/** A collector of traces: takes OTLP over HTTP, and keeps the spans. */
export async function startCollector(): Promise<Collector> {
  const spans: CollectedSpan[] = [];
  const server = await listen(
    createServer(async (request, response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk);
      spans.push(...spansOf(Buffer.concat(chunks)));
      response.writeHead(200, { 'content-type': 'application/x-protobuf' }).end();
    }),
    0,
  );
  return {
    url: `http://127.0.0.1:${portOf(server)}`,
    spans,
    close: () => new Promise((resolve) => void server.close(() => resolve())),
  };
}

function spansOf(body: Buffer): CollectedSpan[] {
  const { resourceSpans } = shape.parse(messages.ExportTraceServiceRequest.decode(body));
  const found = resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans));
  return found.map(({ traceId, spanId, parentSpanId, name, attributes }) => ({
    trace: hex(traceId),
    id: hex(spanId),
    parent: hex(parentSpanId ?? null),
    name,
    attributes: Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]])),
  }));
}
