#version 330 core
// A picture as it is.

uniform sampler2D picture;

in vec2 place;
out vec4 colour;

void main() { colour = vec4(texture(picture, place).rgb, 1.0); }
