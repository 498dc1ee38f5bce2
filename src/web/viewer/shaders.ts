/**
 * How a figure's faces become pixels. Points come in the axes of the camera, texels in those of a sheet 64
 * wide. Texel coordinates are `centroid`: at the edge of a face they would lie outside its rectangle else,
 * and show what is there on the sheet.
 */
export const vertexShader = `#version 300 es
uniform vec2 zoom;
uniform vec2 centre;
uniform vec2 depths;
layout(location = 0) in vec3 point;
layout(location = 1) in vec2 texel;
layout(location = 2) in vec4 rect;
layout(location = 3) in vec3 look;
centroid out vec2 inside;
out vec2 plain;
flat out vec4 face;
flat out vec2 shown;
void main() {
  gl_Position.xy = zoom * point.xy + centre * point.z;
  gl_Position.z = (depths.x - depths.y / (point.z + look.z)) * point.z;
  gl_Position.w = point.z;
  inside = texel;
  plain = texel;
  face = rect;
  shown = look.xy;
}`;

/**
 * A pixel shows the mean of the texels that it covers: of the four around it, in the level of the sheet whose
 * texels are about as large as a pixel. It never leaves the face's rectangle. Sheets are premultiplied.
 */
export const fragmentShader = `#version 300 es
precision highp float;
uniform sampler2D skin;
uniform sampler2D cape;
uniform ivec2 lastLevels;
centroid in vec2 inside;
in vec2 plain;
flat in vec4 face;
flat in vec2 shown;
out vec4 colour;
vec4 texelOf(vec2 at, int level) {
  return shown.y > 0.5 ? texelFetch(cape, ivec2(at), level) : texelFetch(skin, ivec2(at), level);
}
void main() {
  bool isCape = shown.y > 0.5;
  float scale = float((isCape ? textureSize(cape, 0) : textureSize(skin, 0)).x) / 64.0;
  vec2 across = dFdx(plain);
  vec2 down = dFdy(plain);
  vec2 covered = 0.94 * sqrt(across * across + down * down) * scale;
  int level = clamp(int(floor(log2(max(min(covered.x, covered.y), 0.5)) + 0.5)), 0, isCape ? lastLevels.y : lastLevels.x);
  float texels = scale / float(1 << level);
  covered = clamp(covered / float(1 << level), vec2(1e-4), vec2(1));
  vec2 at = clamp(inside, face.xy, face.zw) * texels - 0.5;
  vec2 share = clamp((fract(at) - 0.5) / covered + 0.5, 0.0, 1.0);
  vec2 first = face.xy * texels;
  vec2 last = face.zw * texels - 1.0;
  vec2 low = clamp(floor(at), first, last);
  vec2 high = clamp(floor(at) + 1.0, first, last);
  vec4 above = mix(texelOf(low, level), texelOf(vec2(high.x, low.y), level), share.x);
  vec4 below = mix(texelOf(vec2(low.x, high.y), level), texelOf(high, level), share.x);
  colour = mix(above, below, share.y);
  if (colour.a < 0.002) discard;
  colour.rgb *= shown.x;
}`;
