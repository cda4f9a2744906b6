// A picture as it is, or rectified.

uniform sampler2D picture;
uniform sampler2D places; // where each rectified pixel lies in the picture, 0 to 1; below 0: outside
uniform bool rectified;

in vec2 place;
out vec4 colour;

void main() {
    // `place` chooses how coarse a level is read: `at` leaps from pixel to pixel.
    vec2 across = dFdx(place), down = dFdy(place), at = place;
    if (rectified) {
        vec2 size = vec2(textureSize(places, 0));
        ivec2 pixel = min(ivec2(place * size), ivec2(size) - 1);
        vec2 middle = texelFetch(places, pixel, 0).xy;
        if (middle.x < 0.0) {
            colour = vec4(0.0, 0.0, 0.0, 1.0);
            return;
        }
        // Within a pixel the picture is hardly turned or stretched.
        at = middle + place - (vec2(pixel) + 0.5) / size;
    }
    colour = vec4(textureGrad(picture, at, across, down).rgb, 1.0);
}
