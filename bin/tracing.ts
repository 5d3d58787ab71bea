import {
  type Attributes,
  context,
  DiagLogLevel,
  diag,
  isSpanContextValid,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  TraceFlags,
  trace,
} from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { W3CTraceContextPropagator } from '@opentelemetry/core';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import { detectResourcesSync, envDetectorSync, Resource } from '@opentelemetry/resources';
import { BasicTracerProvider, BatchSpanProcessor } from '@opentelemetry/sdk-trace-base';
import type { ClientInterceptors } from '@temporalio/client';
import { OpenTelemetryWorkflowClientInterceptor } from '@temporalio/interceptors-opentelemetry/lib/client/index.js';
import { OpenTelemetryActivityInboundInterceptor } from '@temporalio/interceptors-opentelemetry/lib/worker/index.js';
import type { WorkerInterceptors } from '@temporalio/worker';
import type { Logger } from 'pino';
import { type SpanStart, setTracer, type Tracer } from '../db/tracing.ts';

export interface Tracing {
  /** Record the start or signal of a process. */
  clientInterceptors: ClientInterceptors;
  /** Record activities. */
  workerInterceptors: WorkerInterceptors;
  /** Sends what is recorded, if the collector takes it soon. */
  close(): Promise<void>;
}

/** How long a leaving process waits for its collector. */
const PATIENCE_MILLISECONDS = 2000;

const kinds = { server: SpanKind.SERVER, client: SpanKind.CLIENT, consumer: SpanKind.CONSUMER };

/** Records spans and sends them to the collector of OTEL_EXPORTER_OTLP_ENDPOINT. OTEL_TRACES_SAMPLER chooses the traces. */
export function startTracing(log: Logger): Tracing {
  const warn = (reason: string) => log.warn({ reason }, 'traces could not be sent');
  diag.setLogger({ error: warn, warn, info() {}, debug() {}, verbose() {} }, DiagLogLevel.WARN);
  const provider = new BasicTracerProvider({
    resource: new Resource({ 'service.name': 'perennial' }).merge(
      detectResourcesSync({ detectors: [envDetectorSync] }),
    ),
    spanProcessors: [new BatchSpanProcessor(new OTLPTraceExporter())],
  });
  const contextManager = new AsyncLocalStorageContextManager();
  provider.register({ contextManager, propagator: new W3CTraceContextPropagator() });
  setTracer(createTracer());
  return {
    clientInterceptors: { workflow: [new OpenTelemetryWorkflowClientInterceptor()] },
    workerInterceptors: { activity: [(ctx) => ({ inbound: new OpenTelemetryActivityInboundInterceptor(ctx) })] },
    async close() {
      setTracer(null);
      const tooLong = new Promise<void>((resolve) => setTimeout(resolve, PATIENCE_MILLISECONDS).unref());
      await Promise.race([provider.shutdown(), tooLong]);
    },
  };
}

function createTracer(): Tracer {
  const tracer = trace.getTracer('perennial');
  return {
    current() {
      const found = trace.getActiveSpan()?.spanContext();
      if (!found || !isSpanContextValid(found)) return null;
      return `00-${found.traceId}-${found.spanId}-${found.traceFlags & TraceFlags.SAMPLED ? '01' : '00'}`;
    },
    span(start, work) {
      const span = tracer.startSpan(start.name, { kind: kinds[start.kind] }, parentOf(start));
      const describe = (told: { name?: string; attributes?: Attributes; isFailure?: boolean }) => {
        if (told.name !== undefined) span.updateName(told.name);
        if (told.attributes) span.setAttributes(told.attributes);
        if (told.isFailure) span.setStatus({ code: SpanStatusCode.ERROR });
      };
      return context.with(trace.setSpan(context.active(), span), () => ending(span, () => work({ describe })));
    },
    statement(text, send) {
      if (!trace.getActiveSpan()?.isRecording()) return send();
      const attributes = { 'db.system': 'postgresql', 'db.statement': text };
      const [name = ''] = /\w+/.exec(text) ?? [];
      return ending(tracer.startSpan(name.toLowerCase(), { kind: SpanKind.CLIENT, attributes }), send);
    },
  };
}

/** The context of the place under which a span belongs. */
function parentOf({ parent }: SpanStart) {
  if (parent === null) return context.active();
  const [, traceId = '', spanId = '', flags = ''] = parent.split('-');
  const traceFlags = Number.parseInt(flags, 16) & TraceFlags.SAMPLED;
  return trace.setSpanContext(ROOT_CONTEXT, { traceId, spanId, traceFlags, isRemote: true });
}

async function ending<T>(span: Span, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    span.setStatus({ code: SpanStatusCode.ERROR });
    throw error;
  } finally {
    span.end();
  }
}
