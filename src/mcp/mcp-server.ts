import {
  type CallToolResult,
  type JsonSchemaType,
  ProtocolError,
  ProtocolErrorCode,
  ResourceNotFoundError,
  Server,
  type Tool as ToolDefinition,
} from '@modelcontextprotocol/server';
import type { Ask } from './ask.ts';
import type { Resource } from './resources.ts';
import { runTool } from './run-tool.ts';
import { listedSchema, type Tool } from './tools.ts';

/**
 * The schema of results; `data` differs by tool. No member is required, because many clients check refusals against it
 * too. It is short, because every tool repeats it.
 */
const RESULT_SCHEMA = {
  type: 'object' as const,
  properties: {
    data: {},
    data_through: {},
    credit: {},
    cost_units: {},
    detail: {},
  },
};

/** Members of `_meta` with the payment of a call and its receipt (x402). */
const PAYMENT = 'x402/payment';
const RECEIPT = 'x402/payment-response';

interface McpParts {
  version: string;
  /** Made from the contract for the served dataset. */
  tools: readonly Tool[];
  /** True when the dataset is that of Tokyo. */
  isTokyo: boolean;
  ask: Ask;
  /** Called with unexpected errors. The SDK would tell only the caller. */
  failed(error: unknown): void;
  resources: readonly Resource[];
}

/** What an agent reads once, before the tools. */
function instructions(isTokyo: boolean): string {
  const buildings = isTokyo ? 'the buildings of Tokyo' : 'buildings';
  const example = isTokyo ? ' (131016 is Chiyoda)' : '';
  return (
    `Direct sun on ${buildings} and a comparison of care facilities of Japan, from public records. ` +
    `Municipalities and towns go by their official codes${example}: find_place gives them. ` +
    'Unknown is null, never 0. Hours are clear-sky hours a day; ' +
    'costs are yen for 30 days and say what they leave out. Print `credit` with the data.'
  );
}

/**
 * An MCP server with the tools of the contract. It keeps nothing between calls. It uses `Server` of the SDK:
 * `McpServer` does not list the tools when an unknown one is called.
 */
export function mcpServer({ version, tools, isTokyo, ask, failed, resources }: McpParts): Server {
  const capabilities = { tools: {}, resources: {} };
  const server = new Server({ name: 'hidamari', version }, { instructions: instructions(isTokyo), capabilities });
  const internalError = (error: unknown): never => {
    failed(error);
    throw new ProtocolError(ProtocolErrorCode.InternalError, 'The server failed. It is not the fault of the call.');
  };
  server.setRequestHandler('tools/list', () => ({ tools: tools.map(definitionOf) }));
  // The SDK refuses calls whose arguments are not an object with its own message. A handler for `tools/call` would
  // never see them.
  server.fallbackRequestHandler = async ({ method, params }, { mcpReq }) => {
    if (method !== 'tools/call') throw new ProtocolError(ProtocolErrorCode.MethodNotFound, 'Method not found');
    const tool = tools.find(({ name }) => name === params?.name);
    if (tool === undefined) throw noSuchTool(params?.name, tools);
    const result = await call(tool, params?.arguments, ask, mcpReq._meta?.[PAYMENT] ?? null).catch(internalError);
    return server.projectCallToolResult(result, RESULT_SCHEMA);
  };
  server.setRequestHandler('resources/list', () => ({
    resources: resources.map(({ read: _, ...resource }) => resource),
  }));
  server.setRequestHandler('resources/templates/list', () => ({ resourceTemplates: [] }));
  server.setRequestHandler('resources/read', async ({ params: { uri } }) => {
    const resource = resources.find((candidate) => candidate.uri === uri);
    if (resource === undefined) throw noSuchResource(uri, resources);
    return { contents: [{ uri, mimeType: resource.mimeType, text: await textOf(resource).catch(internalError) }] };
  });
  return server;
}

/** Reads a resource. An error is always a rejection, even when `read` throws. */
const textOf = async (resource: Resource): Promise<string> => resource.read();

/** A tool as the list of tools has it. */
function definitionOf(tool: Tool): ToolDefinition {
  const { name, title, description } = tool;
  const annotations = { readOnlyHint: true, openWorldHint: false };
  const inputSchema = listedSchema(tool) as JsonSchemaType as ToolDefinition['inputSchema'];
  return { name, title, description, inputSchema, annotations, outputSchema: RESULT_SCHEMA };
}

/** Runs a tool. Gives its result in the form of the protocol. */
async function call(tool: Tool, args: unknown, ask: Ask, payment: unknown): Promise<CallToolResult> {
  const { isError, structured, text, receipt } = await runTool(tool, args, ask, payment);
  return {
    content: [{ type: 'text', text }],
    structuredContent: structured,
    ...(isError && { isError }),
    ...(receipt !== null && { _meta: { [RECEIPT]: receipt } }),
  };
}

/** Longest name of a call that a refusal repeats, characters. */
const LONGEST_NAME = 80;

/** The error about an unknown tool, which lists all tools. */
function noSuchTool(name: unknown, tools: readonly Tool[]): ProtocolError {
  const toolList = tools.map((tool) => `${tool.name} (${tool.title})`).join(', ');
  const detail = `There is no tool ${JSON.stringify(name ?? null).slice(0, LONGEST_NAME)}. There are ${toolList}.`;
  return new ProtocolError(ProtocolErrorCode.InvalidParams, detail, { title: 'Not found', status: 404, detail });
}

/** The error about an unknown resource, which lists all resources. */
function noSuchResource(uri: string, resources: readonly Resource[]): ProtocolError {
  const uris = resources.map((resource) => resource.uri).join(', ');
  const shortUri = uri.slice(0, LONGEST_NAME);
  return new ResourceNotFoundError(shortUri, `There is no resource ${JSON.stringify(shortUri)}. There are ${uris}.`);
}
