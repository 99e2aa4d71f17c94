// Prints the types of the HTTP interface (openapi.d.ts), made from the table of operations.
import openapiTS, { astToString } from 'openapi-typescript';
import { TOKYO_CONTRACT } from '../src/contract/contract.ts';
import { openApiDocument } from '../src/contract/openapi.ts';

const document = JSON.stringify(openApiDocument(TOKYO_CONTRACT, 'https://hidamari.example'));
process.stdout.write(astToString(await openapiTS(document)));
