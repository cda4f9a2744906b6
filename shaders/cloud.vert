// The points of a disparity map: vertex n is pixel n of every stride-th column and row, row by row. A pixel without a
// disparity has no point.

uniform sampler2D disparity;
uniform sampler2D picture;
uniform sampler2D places; // as in picture.frag
uniform sampler2D colours; // row `map`: the colours of a colour map
uniform int stride;
uniform bool rectified;
uniform bool by_depth; // coloured by disparity; false: by the picture
uniform int map;
uniform float minimum, width, scale; // as in disparity.frag
uniform float steepest; // pixels: points whose disparity differs by more from a neighbour's are left out; 0: draws all
uniform mat4 project;   // homogeneous points to clip space
uniform vec4 lens;      // fx, fy, cx, cy, in pixels
uniform float unit_depth, doffs; // depth is unit_depth / (disparity + doffs)
uniform float size; // pixels of the screen that a pixel of the picture covers in the view of the left camera
uniform float largest; // largest size of a point, in pixels of the screen

flat out vec3 shade;
flat out uint number; // as in cloud.frag

const vec4 OUTSIDE = vec4(2.0, 2.0, 2.0, 1.0);

bool jumps(ivec2 pixel, float d) {
    ivec2 last = textureSize(disparity, 0) - 1;
    const ivec2 sides[4] = ivec2[](ivec2(-1, 0), ivec2(1, 0), ivec2(0, -1), ivec2(0, 1));
    for (int i = 0; i < 4; i++) {
        float neighbour = texelFetch(disparity, clamp(pixel + sides[i], ivec2(0), last), 0).r;
        if (is_value(neighbour) && abs(neighbour - d) > steepest) return true;
    }
    return false;
}

vec3 colour_of(ivec2 pixel, float d) {
    if (by_depth) return texelFetch(colours, ivec2(colour_index(d, minimum, width, scale), map), 0).rgb;
    vec2 at = (vec2(pixel) + 0.5) / vec2(textureSize(disparity, 0));
    if (rectified) at = texelFetch(places, pixel, 0).xy;
    return at.x < 0.0 ? vec3(0.0) : textureLod(picture, at, 0.0).rgb;
}

void main() {
    ivec2 last = textureSize(disparity, 0) - 1;
    int columns = last.x / stride + 1;
    ivec2 pixel = min(ivec2(gl_VertexID % columns, gl_VertexID / columns) * stride + stride / 2, last);
    float d = texelFetch(disparity, pixel, 0).r;
    gl_Position = OUTSIDE;
    gl_PointSize = 1.0;
    shade = vec3(0.0);
    number = uint(pixel.y * (last.x + 1) + pixel.x + 1);
    if (!is_value(d) || d + doffs < 0.0 || (steepest > 0.0 && jumps(pixel, d))) return;
    // Homogeneous coordinates divided by the depth, so that a point at infinity needs no special case.
    vec4 point = vec4((vec2(pixel) - lens.zw) / lens.xy, 1.0, (d + doffs) / unit_depth);
    gl_Position = project * point;
    // w is the point's depth in this view, in units of its depth in the left camera. Points overlap a little, so that
    // rounding leaves no gaps.
    gl_PointSize = clamp(1.05 * size / max(gl_Position.w, 1e-6), 1.0, largest);
    shade = colour_of(pixel, d);
}
