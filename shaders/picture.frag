// Draws the weighted sum, channel by channel, of the left and the right picture, rectified or as they are.

uniform sampler2D left, right;
uniform sampler2D left_places, right_places; // where each rectified pixel is in the picture, 0 to 1; negative: outside
uniform bool left_rectified, right_rectified;
uniform vec3 of_left, of_right; // the weights
uniform float spread;           // how much farther apart than they are pixels of the screen count for the level
uniform float lower;            // by how much lower the right picture is sampled, in units of `place`

// LEFT, RIGHT: which pictures are drawn. MAGNIFIED: a pixel of the picture covers more than one of the screen, and is
// drawn in one colour.

in vec2 place;
out vec4 colour;

// The derivatives of `place` choose the mipmap level, because positions jump from pixel to pixel.
vec3 sampled(sampler2D picture, sampler2D places, bool rectified, vec2 from, vec2 across, vec2 down) {
    vec2 size = vec2(textureSize(picture, 0));
    ivec2 pixel = min(ivec2(from * size), ivec2(size) - 1);
    vec2 middle = (vec2(pixel) + 0.5) / size, at = middle;
    if (from.y < 0.0 || from.y >= 1.0) return vec3(0.0);
    if (rectified) at = texelFetch(places, pixel, 0).xy;
    if (at.x < 0.0) return vec3(0.0);
    if (!MAGNIFIED) at += from - middle; // rotation and scale are negligible within a pixel
    return textureGrad(picture, at, across, down).rgb;
}

void main() {
    vec2 across = spread * dFdx(place), down = spread * dFdy(place);
    vec3 sum = vec3(0.0);
    if (LEFT) sum += of_left * sampled(left, left_places, left_rectified, place, across, down);
    if (RIGHT) sum += of_right * sampled(right, right_places, right_rectified, place + vec2(0.0, lower), across, down);
    colour = vec4(sum, 1.0);
}
