// Takes the disparity of the pixels that are nearer or farther than the limits: space_limit_maps in map/space.c applies
// the same rule; change both together.

uniform sampler2D disparity;
uniform vec2 range; // the disparities of the limits, both included

layout(location = 0) out float kept;

void main() {
    float d = texelFetch(disparity, ivec2(gl_FragCoord.xy), 0).r;
    kept = d >= range.x && d <= range.y ? d : uintBitsToFloat(0x7f800000u);
}
