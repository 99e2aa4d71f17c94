/** The tools that agents see (Model Context Protocol). Many tools and large answers cost an agent its attention: eight. */
export const TOOL_NAMES = [
  'find_place',
  'find_buildings',
  'building_sun',
  'compare_buildings',
  'find_care_facilities',
  'care_facility',
  'compare_care_facilities',
  'bulk_download',
] as const;
export type ToolName = (typeof TOOL_NAMES)[number];

/** How an operation is offered to agents. */
export interface ToolUse {
  name: ToolName;
  /** What an agent calls a parameter, where its name lacks the unit or is short. */
  arguments?: Readonly<Record<string, string>>;
  /** The list in `data` that the argument `limit` cuts. */
  list?: string;
  /** Members of `data` that an agent does not get, at any depth. */
  leaveOut: readonly string[];
}
