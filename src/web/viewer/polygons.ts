import type { Triple } from "../../render/parts.ts";
import { dot } from "../../render/vector.ts";

/** A corner of a piece of a face: where it is in the model, and its texel on a sheet that is 64 wide. */
export type Corner = { readonly point: Triple; readonly texel: readonly [u: number, v: number] };

/** A flat piece of a face, with its corners in order. */
export type Polygon<Owner> = {
  readonly corners: readonly Corner[];
  /** Its plane: where `dot(normal, point)` equals `level`. */
  readonly normal: Triple;
  readonly level: number;
  /** Of two in one plane, the one with the lower bias is seen. */
  readonly bias: number;
  readonly owner: Owner;
};

/** Points nearer to a plane than this lie in it, in model units. */
const thickness = 1e-3;

/**
 * Sorts polygons for painting, from back to front. A polygon that crosses the plane of another one is cut
 * there, so the order is right everywhere (binary space partition, Fuchs, Kedem and Naylor 1980).
 */
export function backToFront<Owner>(polygons: readonly Polygon<Owner>[], eye: Triple): Polygon<Owner>[] {
  const [root, ...rest] = polygons;
  if (root === undefined) return [];
  const same = [root];
  const above: Polygon<Owner>[] = [];
  const below: Polygon<Owner>[] = [];
  for (const polygon of rest) {
    const heights = polygon.corners.map(({ point }) => dot(root.normal, point) - root.level);
    const [isAbove, isBelow] = [
      heights.some((height) => height > thickness),
      heights.some((height) => height < -thickness),
    ];
    if (isAbove && isBelow) {
      above.push(cut(polygon, heights));
      below.push(
        cut(
          polygon,
          heights.map((height) => -height),
        ),
      );
    } else if (isAbove) above.push(polygon);
    else if (isBelow) below.push(polygon);
    else same.push(polygon);
  }
  same.sort((a, b) => b.bias - a.bias);
  const [far, near] = dot(root.normal, eye) > root.level ? [below, above] : [above, below];
  return [...backToFront(far, eye), ...same, ...backToFront(near, eye)];
}

/** What is left of a polygon where its heights are positive. */
function cut<Owner>(polygon: Polygon<Owner>, heights: readonly number[]): Polygon<Owner> {
  const { corners } = polygon;
  const left = corners.flatMap((corner, i) => {
    const before = (i + corners.length - 1) % corners.length;
    const [from, height] = [heights[before] ?? 0, heights[i] ?? 0];
    const previous = corners[before] ?? corner;
    const crossing = from * height < 0 ? [cornerBetween(previous, corner, from / (from - height))] : [];
    return height >= 0 ? [...crossing, corner] : crossing;
  });
  return { ...polygon, corners: left };
}

function cornerBetween({ point: [x, y, z], texel: [u, v] }: Corner, to: Corner, share: number): Corner {
  const between = (a: number, b: number) => a + (b - a) * share;
  return {
    point: [between(x, to.point[0]), between(y, to.point[1]), between(z, to.point[2])],
    texel: [between(u, to.texel[0]), between(v, to.texel[1])],
  };
}
