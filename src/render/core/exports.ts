/** What `src/render/core.ts` loads: the list of its type `Core`. */
export { heapStart } from "./memory";
/** See `src/render/paeth.ts`. */
export { filterPaeth, shapeRows, undoPaeth } from "./paeth";
/** See there. */
export { draw } from "./tree";
/** See there. */
export { record } from "./record";
/** See there. */
export { light, show } from "./table";
