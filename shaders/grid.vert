// The grid, the axes and the left camera as lines: vertices 2n and 2n + 1 are the ends of line n.

uniform mat4 project;
uniform float spacing, level; // units: between lines; y of the plane
uniform int across, ahead; // x from -across to across spacings, z from 0 to ahead spacings
uniform vec4 corners; // of the left picture at depth 1: left, top, right, bottom

flat out vec3 shade;
flat out uint number; // as in cloud.frag

const vec3 AXES[3] = vec3[](vec3(1.0, 0.33, 0.3), vec3(0.4, 0.85, 0.35), vec3(0.35, 0.6, 1.0)); // x, y, z

void main() {
    number = 0u;
    int line = gl_VertexID / 2, end = gl_VertexID % 2;
    int lengthwise = 2 * across + 1, crosswise = ahead + 1;
    vec3 place = vec3(0.0);
    shade = vec3(69.0, 77.0, 87.0) / 255.0;
    if (line < lengthwise) {
        place = vec3(spacing * float(line - across), level, spacing * float(ahead * end));
    } else if (line < lengthwise + crosswise) {
        place = vec3(spacing * float(across * (2 * end - 1)), level, spacing * float(line - lengthwise));
    } else if (line < lengthwise + crosswise + 3) {
        int axis = line - lengthwise - crosswise;
        place[axis] = spacing * float(end);
        shade = AXES[axis];
    } else {
        // Four edges from the camera, then the four sides of the picture in front of it.
        int edge = line - lengthwise - crosswise - 3, corner = edge < 4 ? edge : (edge + end) % 4;
        vec2 at = vec2(corner == 1 || corner == 2 ? corners.z : corners.x, corner >= 2 ? corners.w : corners.y);
        if (edge >= 4 || end == 1) place = 0.5 * spacing * vec3(at, 1.0);
        shade = vec3(0.85);
    }
    gl_Position = project * vec4(place, 1.0);
}
