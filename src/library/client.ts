// `hidamari/client`: answers from the files of `hidamari export --static` (docs/library.md).
export { StaticClient } from '../client/static-client.ts';
