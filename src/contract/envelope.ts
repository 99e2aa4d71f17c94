import Type, { type Static, type TSchema } from 'typebox';

/** Version of the interface, as in the path. */
export const API_VERSION = 'v1';

/** The licence of every answer. */
export const DATA_LICENSE = 'CC-BY-4.0';

const Source = Type.Object(
  {
    name: Type.String({ description: 'Name of the source.', examples: ['Project PLATEAU'] }),
    url: Type.String({ description: 'Where it is published.', examples: ['https://www.mlit.go.jp/plateau/'] }),
    attribution: Type.String({
      description: 'The credit that it asks for.',
      examples: ['国土交通省 Project PLATEAUのデータを加工して作成'],
    }),
    date: Type.Union([Type.String({ format: 'date', examples: ['2025-03-31'] }), Type.Null()], {
      description: 'Date of the newest of it that was used. Null: it carries none.',
    }),
  },
  { title: 'Source', description: 'A published source of the data.' },
);

/** The second member of every envelope. */
export const Meta = Type.Object(
  {
    generated_at: Type.String({
      format: 'date-time',
      description: 'When the dataset was built (RFC 3339); never the time of the request.',
      examples: ['2026-01-01T00:00:00Z'],
    }),
    data_through: Type.Union([Type.String({ format: 'date', examples: ['2025-03-31'] }), Type.Null()], {
      description: 'Date of the newest source behind this answer. Null: the sources carry no dates.',
    }),
    source: Type.Array(Source, { description: 'The published sources of the data.' }),
    license: Type.String({ description: 'SPDX identifier of the licence of the data.', examples: [DATA_LICENSE] }),
    schema_url: Type.String({
      format: 'uri',
      description: 'JSON Schema of this whole answer.',
      examples: ['https://hidamari.example/schemas/sunlight-building.json'],
    }),
    api_version: Type.String({ description: 'Version of the interface.', examples: [API_VERSION] }),
    cost_units: Type.Integer({ minimum: 0, description: 'What this answer costs.', examples: [1] }),
    dataset_id: Type.String({ description: 'Identifies the dataset; it changes with the data.', examples: ['0f3a9c'] }),
    attribution: Type.String({
      description: 'The credit to print with the data, in one line.',
      examples: ['国土交通省 Project PLATEAUのデータを加工して作成 (CC BY 4.0)'],
    }),
  },
  { title: 'Meta', description: 'Where the data comes from and what the answer costs.' },
);
export type Meta = Static<typeof Meta>;

/** The schema of a whole answer. */
export function envelopeOf(data: TSchema): TSchema {
  return Type.Object({ data, meta: Meta });
}
