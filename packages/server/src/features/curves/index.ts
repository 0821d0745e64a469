export { deleteCurves, keepCurve, markCurves } from './keep.ts';
export { CURVE_POINT_QUEUE } from './queue.ts';
export { downloadCurve, listCurvePoints, readCurve } from './read.ts';
export { readNumbers } from './read-numbers.ts';
export { workOnCurves } from './worker.ts';
