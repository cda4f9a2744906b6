// One triangle that covers the viewport. `place` is the position in the picture, 0 to 1 from its top left corner.

uniform vec4 part; // the part of the picture that the viewport shows: its first corner and its size, in units of `place`
out vec2 place;

void main() {
    vec2 corner = vec2((gl_VertexID & 1) * 4 - 1, (gl_VertexID & 2) * 2 - 1);
    place = part.xy + part.zw * vec2(0.5 + 0.5 * corner.x, 0.5 - 0.5 * corner.y);
    gl_Position = vec4(corner, 0.0, 1.0);
}
