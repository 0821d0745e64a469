import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A span as it was received. */
export interface ReceivedSpan {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  attributes: { key: string; value: { stringValue?: string; intValue?: number } }[];
}

interface ExportBody {
  resourceSpans: { scopeSpans: { spans: ReceivedSpan[] }[] }[];
}

/** A collector that receives spans as JSON by OTLP over HTTP. */
export class SpanReceiver {
  readonly #server: Server;
  readonly spans: ReceivedSpan[] = [];
  /** All bodies, as they were received. */
  text = '';

  /** @param answers false: it accepts connections, but never answers */
  constructor(answers = true) {
    this.#server = createServer(async (request, response) => {
      if (!answers) return;
      let body = '';
      for await (const chunk of request) body += String(chunk);
      if (request.url === '/v1/traces') {
        this.text += body;
        const { resourceSpans } = JSON.parse(body) as ExportBody;
        this.spans.push(
          ...resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans)),
        );
      }
      response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
    });
  }

  /** @returns its base address */
  async start(): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  stop(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }

  /** Returns the spans below one, at any depth. */
  below(root: ReceivedSpan): ReceivedSpan[] {
    return this.spans
      .filter(({ parentSpanId, traceId }) => parentSpanId === root.spanId && traceId === root.traceId)
      .flatMap((child) => [child, ...this.below(child)]);
  }
}
