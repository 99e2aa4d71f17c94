/** The functions that the program calls in the kernel. */

export { emptyBlockers } from './blockers';
export { emptyLit, seeColumn, seeSky } from './column';
export { drawnEnd, drawnFirst, startEyes } from './eyes';
export * from './layout';
export { moveBuildings, standStill } from './moves';
export { layDay, startSun } from './sun';
export { forgetSeen } from './walk';
