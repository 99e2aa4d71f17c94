import { fromJsonSchema, type JsonSchemaType, type jsonSchemaValidator, McpServer } from '@modelcontextprotocol/server';
import type { Ask } from './ask.ts';
import type { Resource } from './resources.ts';
import { runTool } from './run-tool.ts';
import type { Tool } from './tools.ts';

/**
 * What results have; `data` differs by tool. Nothing is required: refusals are structured too, and many clients hold them
 * against this schema.
 */
const RESULT_SCHEMA: JsonSchemaType = {
  type: 'object',
  properties: {
    data: { type: 'object' },
    data_through: { type: ['string', 'null'] },
    credit: { type: 'string' },
    cost_units: { type: 'integer' },
    detail: { type: 'string' },
  },
};

/** Arguments are checked by the tool itself, which says what would be right. */
const TAKES_ANYTHING: jsonSchemaValidator = {
  getValidator: () => (data) => ({ valid: true, data: data as never, errorMessage: undefined }),
};

const PAYMENT = 'x402/payment';
const RECEIPT = 'x402/payment-response';

export interface McpParts {
  version: string;
  /** Made from the operations as they are for the served dataset. */
  tools: readonly Tool[];
  ask: Ask;
  resources: readonly Resource[];
}

const INSTRUCTIONS =
  'Direct sun on the buildings of Tokyo and a comparison of care facilities of Japan, from public records. ' +
  'Municipalities and towns go by their official codes (131016 is Chiyoda): find_place gives them. Unknown is null, never 0. Hours are ' +
  'clear-sky hours a day; costs are yen for 30 days and say what they leave out. Print `credit` with the data.';

/** An MCP server with the tools of the contract; it keeps nothing between calls. */
export function mcpServer({ version, tools, ask, resources }: McpParts): McpServer {
  const server = new McpServer({ name: 'hidamari', version }, { instructions: INSTRUCTIONS });
  for (const tool of tools) register(server, tool, ask);
  for (const { name, uri, title, description, mimeType, read } of resources) {
    server.registerResource(name, uri, { title, description, mimeType }, async ({ href }) => ({
      contents: [{ uri: href, mimeType, text: await read() }],
    }));
  }
  return server;
}

function register(server: McpServer, tool: Tool, ask: Ask): void {
  const { name, title, description } = tool;
  const inputSchema = fromJsonSchema<Record<string, unknown>>(tool.inputSchema as JsonSchemaType, TAKES_ANYTHING);
  const outputSchema = fromJsonSchema<Record<string, unknown>>(RESULT_SCHEMA);
  const annotations = { readOnlyHint: true, openWorldHint: false };
  server.registerTool(name, { title, description, inputSchema, outputSchema, annotations }, async (given, context) => {
    const payment = context.mcpReq._meta?.[PAYMENT] ?? null;
    const { isError, structured, text, receipt } = await runTool(tool, given, ask, payment);
    return {
      content: [{ type: 'text' as const, text }],
      structuredContent: structured,
      ...(isError && { isError: true }),
      ...(receipt !== null && { _meta: { [RECEIPT]: receipt } }),
    };
  });
}
