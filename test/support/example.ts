import type { Static, TSchema } from 'typebox';
import { schemaFor } from '../../src/contract/contract.ts';
import { commonValues, TOKYO } from '../../src/contract/place.ts';
import { exampleOf } from '../../src/contract/schema-document.ts';

/** The example of a schema, with the values of Tokyo. */
export const tokyoExample = <S extends TSchema>(schema: S): Static<S> =>
  exampleOf(schemaFor(schema, TOKYO, commonValues(TOKYO))) as Static<S>;
