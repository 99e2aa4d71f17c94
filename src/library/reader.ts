// `hidamari/reader`: buildings of PLATEAU's CityGML as prisms, with attributes and roof surfaces (docs/library.md).
export {
  type Building,
  type BuildingSink,
  CityGmlError,
  type FileSummary,
  type Footprint,
  ISSUE_KINDS,
  type IssueKind,
  type ReadIssue,
  type RoofSurface,
} from '../plateau/building.ts';
export { readBuildings } from '../plateau/reader.ts';
