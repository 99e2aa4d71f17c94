// Prints the types of the HTTP interface (openapi.d.ts), made from the table of operations.
import openapiTS, { astToString } from 'openapi-typescript';
import { openApiDocument } from '../src/contract/openapi.ts';
import { OPERATIONS } from '../src/contract/operations.ts';

const document = JSON.stringify(openApiDocument(OPERATIONS, 'https://hidamari.example'));
process.stdout.write(astToString(await openapiTS(document)));
