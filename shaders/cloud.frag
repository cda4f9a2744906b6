// Points, and lines of the grid.

flat in vec3 shade;
flat in uint number;
layout(location = 0) out vec4 colour;
layout(location = 1) out uint of; // the number of the pixel that is visible here, plus 1; 0: none

void main() {
    colour = vec4(shade, 1.0);
    of = number;
}
