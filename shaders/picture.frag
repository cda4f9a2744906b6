// Draws the left picture, rectified or as it is.

uniform sampler2D picture;
uniform sampler2D places; // the position in the picture of each rectified pixel, 0 to 1; negative: outside
uniform bool rectified;

in vec2 place;
out vec4 colour;

void main() {
    // The derivatives of `place` choose the mipmap level, because `at` jumps from pixel to pixel.
    vec2 across = dFdx(place), down = dFdy(place), at = place;
    if (rectified) {
        vec2 size = vec2(textureSize(places, 0));
        ivec2 pixel = min(ivec2(place * size), ivec2(size) - 1);
        vec2 middle = texelFetch(places, pixel, 0).xy;
        if (middle.x < 0.0) {
            colour = vec4(0.0, 0.0, 0.0, 1.0);
            return;
        }
        // Rotation and scale are negligible within a pixel.
        at = middle + place - (vec2(pixel) + 0.5) / size;
    }
    colour = vec4(textureGrad(picture, at, across, down).rgb, 1.0);
}
